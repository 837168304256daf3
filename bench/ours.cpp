// MCTensor: scalar code and the same templates on SIMD batches.
#include "bench/batches.hpp"
#include "bench/registry.hpp"

namespace mct::bench {
namespace {

template <class T, int N>
void give_limbs(const Expansion<T, N>& x, double* out, int count) {
  for (int i = 0; i < N && i < count; ++i) out[i] = double(x.limb[i]);
}

/// The public operation, special values included.
template <class T, int N>
struct Scalar {
  using Value = Expansion<T, N>;
  static Value from(const Value& x) { return x; }
  static void to(const Value& x, double* out, int count) { give_limbs(x, out, count); }
  static Value multiply_add(const Value& a, const Value& b, const Value& c) {
    return mul_add(a, b, c);
  }
};

/// The networks alone, for finite operands: what kernels are made of.
template <class T, int N>
struct Unguarded : Scalar<T, N> {
  using Value = Expansion<T, N>;
  static Value multiply_add(const Value& a, const Value& b, const Value& c) {
    return detail::add_limbs(detail::mul_limbs(a, b), c);
  }
};

template <class T, int N>
void enter_scalar(std::vector<Case>& cases, const std::string& type) {
  const int bits = N * FloatTraits<T>::p;
  enter_type<T, N, Scalar<T, N>>(cases, type, "ours", bits);
  enter_type<T, N, Unguarded<T, N>>(cases, type, "ours, no special values", bits);
}

#if MCT_WITH_XSIMD
template <class T, int N>
Expansion<T, N> sum_of_lanes(const Expansion<xsimd::batch<T>, N>& x) {
  Expansion<T, N> sum;
  for (std::size_t j = 0; j < xsimd::batch<T>::size; ++j) {
    Expansion<T, N> lane;
    for (int k = 0; k < N; ++k) lane.limb[k] = x.limb[k].get(j);
    sum += lane;
  }
  return sum;
}

template <class T, int N>
void enter_simd(std::vector<Case>& cases, const std::string& type) {
  using Value = Expansion<xsimd::batch<T>, N>;
  const auto multiply_add = [](const Value& a, const Value& b, const Value& c) {
    return mul_add(a, b, c);
  };
  const auto& operands = Operands<T, N>::get();
  Case dot_case;
  dot_case.work = "dot";
  dot_case.type = type;
  dot_case.implementation = "ours, SIMD";
  dot_case.run = [=, &operands](benchmark::State& state) {
    const auto x = batches(operands.x);
    const auto y = batches(operands.y);
    for (auto _ : state) benchmark::DoNotOptimize(sum_of_lanes<T, N>(dot(x, y, multiply_add)));
  };
  dot_case.error_log2 = [=, &operands] {
    double value[8] = {};
    give_limbs(sum_of_lanes<T, N>(dot(batches(operands.x), batches(operands.y), multiply_add)),
               value, 8);
    return operands.dot_error_log2(value, 8);
  };
  dot_case.error_allowed_log2 = 16 - N * FloatTraits<T>::p;
  cases.push_back(dot_case);
  Case axpy_case = dot_case;
  axpy_case.work = "axpy";
  axpy_case.error_log2 = {};
  axpy_case.run = [=, &operands](benchmark::State& state) {
    const auto x = batches(operands.x);
    auto y = batches(operands.y);
    const Value a = x[0];
    for (auto _ : state) {
      axpy(a, x, y, multiply_add);
      benchmark::ClobberMemory();
    }
  };
  cases.push_back(axpy_case);
}
#endif

template <class T, int N>
void enter_all(std::vector<Case>& cases, const std::string& type) {
  enter_scalar<T, N>(cases, type);
#if MCT_WITH_XSIMD
  enter_simd<T, N>(cases, type);
#endif
}

}  // namespace

void add_ours(std::vector<Case>& cases) {
  enter_all<double, 2>(cases, "f64x2");
  enter_all<double, 3>(cases, "f64x3");
  enter_all<double, 4>(cases, "f64x4");
  enter_all<float, 2>(cases, "f32x2");
  enter_all<float, 3>(cases, "f32x3");
  enter_all<float, 4>(cases, "f32x4");
}

}  // namespace mct::bench
