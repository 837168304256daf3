// Elementary functions: ours, scalar and on SIMD batches, beside QD, MPFR, Boost and __float128.
#include "mctensor/math/all.hpp"

#include "bench/batches.hpp"
#include "bench/registry.hpp"
#include "validation/core/oracle_math.hpp"
#include "validation/peers/numbers.hpp"

namespace mct::bench {
namespace {

/// Arguments between 0.1 and 10, inside the domain of every function that is timed.
template <class T, int N>
const std::vector<Expansion<T, N>>& arguments() {
  static const auto v = [] {
    auto x = random_vector<T, N>(3);
    for (auto& value : x) value = T(0.1) + 5 * abs(value);
    return x;
  }();
  return v;
}

/// Enters f over the arguments, each converted once.
template <int N, class Value, class Convert, class F>
void enter(std::vector<Case>& cases, const std::string& function, const std::string& implementation,
           Convert convert, F f) {
  Case c;
  c.work = "math/" + function;
  c.type = "f64x" + std::to_string(N);
  c.implementation = implementation;
  c.run = [=](benchmark::State& state) {
    std::vector<Value> x;
    for (const auto& a : arguments<double, N>()) x.push_back(convert(a));
    std::vector<Value> y = x;
    for (auto _ : state) {
      for (std::size_t i = 0; i < x.size(); ++i) f(y[i], x[i]);
      benchmark::ClobberMemory();
    }
  };
  cases.push_back(c);
}

template <int N, class F>
void enter_ours(std::vector<Case>& cases, const std::string& function, F f) {
  using X = Expansion<double, N>;
  enter<N, X>(
      cases, function, "ours", [](const X& x) { return x; }, [f](X& y, const X& x) { y = f(x); });
}

/// MPFR with the bits of N components, in place.
template <int N>
void enter_mpfr(std::vector<Case>& cases, const std::string& function,
                validation::UnaryOracle oracle) {
  constexpr int bits = N * FloatTraits<double>::p;
  enter<N, validation::Real>(
      cases, function, "MPFR " + std::to_string(bits),
      [](const Expansion<double, N>& x) {
        validation::Real exact;
        exact.set_exact(x);
        validation::Real rounded(bits);
        mpfr_set(rounded.get(), exact.get(), MPFR_RNDN);
        return rounded;
      },
      [oracle](validation::Real& y, const validation::Real& x) { oracle(y.get(), x.get()); });
}

/// A peer of the suite with functions found by argument-dependent lookup.
template <int N, class Number, class F>
void enter_peer(std::vector<Case>& cases, const std::string& function,
                const std::string& implementation, F f) {
  using Value = typename Number::Value;
  enter<N, Value>(
      cases, function, implementation,
      [](const Expansion<double, N>& x) {
        validation::Real exact;
        exact.set_exact(x);
        return Number::from(exact);
      },
      [f](Value& y, const Value& x) { y = f(x); });
}

#if MCT_WITH_XSIMD
template <int N, class F>
void enter_simd(std::vector<Case>& cases, const std::string& function, F f) {
  Case c;
  c.work = "math/" + function;
  c.type = "f64x" + std::to_string(N);
  c.implementation = "ours, SIMD";
  c.run = [=](benchmark::State& state) {
    const auto x = batches(arguments<double, N>());
    auto y = x;
    for (auto _ : state) {
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]);
      benchmark::ClobberMemory();
    }
  };
  cases.push_back(c);
}
#endif

/// One function of every implementation that calls it by the same name.
template <int N, class F>
void enter_function(std::vector<Case>& cases, const std::string& name,
                    validation::UnaryOracle oracle, F f) {
  constexpr int bits = N * FloatTraits<double>::p;
  enter_ours<N>(cases, name, f);
#if MCT_WITH_QD
  if constexpr (N == 2) enter_peer<2, validation::QdDouble2>(cases, name, "QD dd_real", f);
  if constexpr (N == 4) enter_peer<4, validation::QdDouble4>(cases, name, "QD qd_real", f);
#endif
  enter_mpfr<N>(cases, name, oracle);
  enter_peer<N, validation::BoostFloat<bits>>(cases, name, "Boost " + std::to_string(bits), f);
}

template <int N>
void enter_length(std::vector<Case>& cases) {
  const auto f_exp = [](const auto& x) { return exp(x); };
  const auto f_log = [](const auto& x) { return log(x); };
  const auto f_tanh = [](const auto& x) { return tanh(x); };
  enter_function<N>(cases, "exp", validation::oracle::exp, f_exp);
  enter_function<N>(cases, "log", validation::oracle::log, f_log);
  enter_function<N>(cases, "tanh", validation::oracle::tanh, f_tanh);
  enter_function<N>(cases, "sin", validation::oracle::sin, [](const auto& x) { return sin(x); });
  enter_function<N>(cases, "atan", validation::oracle::atan, [](const auto& x) { return atan(x); });
  const auto f_expm1 = [](const auto& x) { return expm1(x); };
  const auto f_log1p = [](const auto& x) { return log1p(x); };
  const auto f_sigmoid = [](const auto& x) { return sigmoid(x); };
  const auto f_erfc = [](const auto& x) { return erfc(x); };
  // QD has none of these
  enter_ours<N>(cases, "expm1", f_expm1);
  enter_mpfr<N>(cases, "expm1", validation::oracle::expm1);
  enter_ours<N>(cases, "log1p", f_log1p);
  enter_mpfr<N>(cases, "log1p", validation::oracle::log1p);
  enter_ours<N>(cases, "sigmoid", f_sigmoid);
  enter_mpfr<N>(cases, "sigmoid", validation::oracle::sigmoid);
  enter_ours<N>(cases, "erfc", f_erfc);
  enter_mpfr<N>(cases, "erfc", validation::oracle::erfc);
#if MCT_WITH_XSIMD
  enter_simd<N>(cases, "exp", f_exp);
  enter_simd<N>(cases, "log", f_log);
  enter_simd<N>(cases, "tanh", f_tanh);
  enter_simd<N>(cases, "expm1", f_expm1);
  enter_simd<N>(cases, "log1p", f_log1p);
  enter_simd<N>(cases, "sigmoid", f_sigmoid);
#endif
}

}  // namespace

void add_math(std::vector<Case>& cases) {
  enter_length<2>(cases);
  enter_length<3>(cases);
  enter_length<4>(cases);
}

}  // namespace mct::bench
