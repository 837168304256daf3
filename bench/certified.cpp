// Numbers that carry their error, one by one, in SIMD lanes and in tensors, beside the balls of
// Arb; a product of matrices with radii beside the same product without.
#include "mctensor/certified/all.hpp"

#include "bench/batches.hpp"
#include "bench/registry.hpp"

#if MCT_WITH_ARB
#include "bench/peers/arb_vector.hpp"
#endif

namespace mct::bench {
namespace {

using Number = Certified<double, 2>;
constexpr int bits = 106;
/// The operands' radii over their values: what a dozen operations before may have left.
constexpr double relative_radius = 0x1p-100;

/// Numbers between 0.1 and 10 with their radii.
const std::vector<f64x2>& operands(int which) {
  static const auto make = [](std::uint64_t seed) {
    auto x = random_vector<double, 2>(seed);
    for (auto& value : x) value = 0.1 + 5 * abs(value);
    return x;
  };
  static const std::vector<f64x2> x[2] = {make(3), make(4)};
  return x[which];
}

/// Enters y = f(x, z) over two vectors of any kind of number.
template <class Value, class F>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& implementation,
           std::vector<Value> (*convert)(const std::vector<f64x2>&), F f) {
  enter_items(cases, "certified/" + work, "f64x2", implementation, length,
              [=](benchmark::State& state) {
                const auto x = convert(operands(0)), z = convert(operands(1));
                auto y = x;
                for (auto _ : state) {
                  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i], z[i]);
                  benchmark::ClobberMemory();
                }
              });
}

/// Enters y = f(x, z) of tensors of so many elements, on all threads.
template <class F>
void enter_tensors(std::vector<Case>& cases, const std::string& work, F f) {
  constexpr std::int64_t count = 16 * std::int64_t(length);
  enter_items(cases, "certified/" + work, "f64x2", "ours, tensors", double(count),
              [=](benchmark::State& state) {
                const auto make = [](int which) {
                  const Tensor<double, 2> numbers = Tensor<double, 2>::from_values(operands(which))
                                                        .expand({16, std::int64_t(length)})
                                                        .contiguous()
                                                        .reshape({count});
                  return CertifiedTensor<double, 2>(numbers, numbers.plane(0) * relative_radius);
                };
                const auto x = make(0), z = make(1);
                for (auto _ : state) benchmark::DoNotOptimize(f(x, z));
              });
}

template <class F>
void enter_ours(std::vector<Case>& cases, const std::string& work, F f) {
  enter<Number>(
      cases, work, "ours",
      [](const std::vector<f64x2>& v) {
        std::vector<Number> r;
        r.reserve(v.size());
        for (const auto& x : v) r.emplace_back(x, x.limb[0] * relative_radius);
        return r;
      },
      f);
#if MCT_WITH_XSIMD
  using Batch = xsimd::batch<double>;
  enter<Certified<Batch, 2>>(
      cases, work, "ours, SIMD",
      [](const std::vector<f64x2>& v) {
        std::vector<Certified<Batch, 2>> r;
        r.reserve(v.size() / Batch::size);
        for (const auto& x : batches(v)) r.emplace_back(x, x.limb[0] * relative_radius);
        return r;
      },
      f);
#endif
  enter_tensors(cases, work, f);
}

#if MCT_WITH_ARB
using ArbFunction = void (*)(arb_t, const arb_t, const arb_t);

void enter_arb(std::vector<Case>& cases, const std::string& work, ArbFunction f) {
  enter_items(cases, "certified/" + work, "f64x2", "Arb " + std::to_string(bits), length,
              [f](benchmark::State& state) {
                ArbVector x(operands(0), relative_radius), z(operands(1), relative_radius),
                    y(operands(0));
                for (auto _ : state) {
                  for (std::size_t i = 0; i < x.size(); ++i) f(y[i], x[i], z[i]);
                  benchmark::ClobberMemory();
                }
              });
}
#endif

/// The product with radii, and the product alone.
void enter_product(std::vector<Case>& cases, std::int64_t n) {
  static const auto matrix = [](std::int64_t side, std::uint64_t seed) {
    return randn<double, 2>({side, side}, seed);
  };
  const std::string work = "certified/mm " + std::to_string(n);
  const double items = double(n) * double(n) * double(n);
  enter_items(cases, work, "f64x2", "ours", items, [n](benchmark::State& state) {
    const auto a = matrix(n, 1), b = matrix(n, 2);
    for (auto _ : state) benchmark::DoNotOptimize(mm_certified(a, b));
  });
  enter_items(cases, work, "f64x2", "ours, without radii", items, [n](benchmark::State& state) {
    const auto a = matrix(n, 1), b = matrix(n, 2);
    for (auto _ : state) benchmark::DoNotOptimize(mm(a, b));
  });
}

}  // namespace

void add_certified(std::vector<Case>& cases) {
  const auto add = [](const auto& x, const auto& z) { return x + z; };
  const auto mul = [](const auto& x, const auto& z) { return x * z; };
  const auto div = [](const auto& x, const auto& z) { return x / z; };
  enter_ours(cases, "+", add);
  enter_ours(cases, "x", mul);
  enter_ours(cases, "/", div);
  enter_ours(cases, "sqrt", [](const auto& x, const auto&) { return sqrt(x); });
  enter_ours(cases, "exp", [](const auto& x, const auto&) { return exp(x); });
  enter_ours(cases, "log", [](const auto& x, const auto&) { return log(x); });
#if MCT_WITH_ARB
  enter_arb(cases, "+", [](arb_t y, const arb_t x, const arb_t z) { arb_add(y, x, z, bits); });
  enter_arb(cases, "x", [](arb_t y, const arb_t x, const arb_t z) { arb_mul(y, x, z, bits); });
  enter_arb(cases, "/", [](arb_t y, const arb_t x, const arb_t z) { arb_div(y, x, z, bits); });
  enter_arb(cases, "sqrt", [](arb_t y, const arb_t x, const arb_t) { arb_sqrt(y, x, bits); });
  enter_arb(cases, "exp", [](arb_t y, const arb_t x, const arb_t) { arb_exp(y, x, bits); });
  enter_arb(cases, "log", [](arb_t y, const arb_t x, const arb_t) { arb_log(y, x, bits); });
#endif
  for (const std::int64_t n : {64, 512}) enter_product(cases, n);
}

}  // namespace mct::bench
