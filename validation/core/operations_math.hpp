// The suite's entries for the elementary functions.
#pragma once

#include "mctensor/math/all.hpp"
#include "validation/core/domain.hpp"
#include "validation/core/exact_function_cases.hpp"
#include "validation/core/operations_arithmetic.hpp"
#include "validation/core/oracle_math.hpp"

namespace mct::validation {

/// Collects the functions of one type.
template <class T, int N>
class MathList {
 public:
  using Xs = std::array<Expansion<T, N>, 3>;
  using Ts = std::array<T, 3>;

  /// A function of one argument; `ieee` is what it makes of special values.
  void unary(const char* name, const Domain& domain, Expansion<T, N> (*apply)(const Xs&),
             UnaryOracle oracle, T (*ieee)(const Ts&)) {
    Operation<T, N>& op = enter(name, apply, ieee);
    op.arity = 1;
    op.bound_text = bound_in_words(bound, N, op.name + "(x)", eta);
    op.domains = {domain};
    op.unary_oracle = oracle;
  }

  /// A function of two arguments.
  void binary(const char* name, const Domain& first, const Domain& second,
              Expansion<T, N> (*apply)(const Xs&), Oracle oracle, T (*ieee)(const Ts&)) {
    Operation<T, N>& op = enter(name, apply, ieee);
    op.bound_text = bound_in_words(bound, N, op.name + "(x, y)", eta);
    op.domains = {first, second};
    op.oracle = oracle;
  }

  /// Operands of exact results for the entry made last.
  void exact(void (*make)(Random&, Xs&)) { list.back().make_exact = make; }
  /// The error of the entry made last is relative to this.
  void relative_to(Oracle reference, const char* of) {
    Operation<T, N>& op = list.back();
    op.reference = reference;
    op.bound_text = bound_in_words(bound, N, of, eta);
  }

  std::vector<Operation<T, N>> list;

 private:
  /// What the functions state in their documentation.
  static constexpr double bound = 1.5;
  static constexpr double eta = double(1 << N);

  Operation<T, N>& enter(const char* name, Expansion<T, N> (*apply)(const Xs&),
                         T (*ieee)(const Ts&)) {
    Operation<T, N>& op = list.emplace_back();
    op.name = name;
    op.promise = {bound, eta};
    op.exact_bits = N * FloatTraits<T>::p;
    op.weight = 0.06;  // the oracle takes its time
    op.prepare = bring_into_domains<T, N>;
    op.apply = apply;
    op.ieee = ieee;
    return op;
  }
};

// Each entry names the function three times: ours, the oracle's and the standard library's.
#define MCT_MATH_ENTRY(name, domain)                                         \
  m.unary(                                                                   \
      #name, domain, [](const Xs& in) { return name(in[0]); }, oracle::name, \
      [](const Ts& in) { return T(std::name(in[0])); })
#define MCT_MATH_ENTRY_AS(name, domain, ieee)                                \
  m.unary(                                                                   \
      #name, domain, [](const Xs& in) { return name(in[0]); }, oracle::name, \
      [](const Ts& in) {                                                     \
        const T x = in[0];                                                   \
        return T(ieee);                                                      \
      })

template <class T, int N>
void enter_exponentials(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const int top = FloatTraits<T>::emax == 1024 ? 9 : 6;
  const double overflow = FloatTraits<T>::emax == 1024 ? 709.782712893384 : 88.7228394;
  const double underflow = FloatTraits<T>::emax == 1024 ? -745.1332191019 : -103.972084;
  const Domain wide{-60, top, false, {overflow, underflow, 1, -1}};
  MCT_MATH_ENTRY(exp, wide);
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY(exp2, (Domain{-60, top, false, {double(FloatTraits<T>::emax), 0.5, 3}}));
  m.exact(binary_exponent<T, N>);
  MCT_MATH_ENTRY(expm1, wide);
  MCT_MATH_ENTRY(sinh, wide);
  MCT_MATH_ENTRY(cosh, wide);
  m.exact(at_zero<T, N>);
  const Domain curve{-60, 6, false, {20, -20, 1, 0.5}};
  MCT_MATH_ENTRY(tanh, curve);
  MCT_MATH_ENTRY_AS(sinhc, wide, x == 0 ? 1 : std::fabs(x) < 1 ? 1 : std::fabs(std::sinh(x)));
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY_AS(rsinhc, wide, x == 0 ? 1 : std::isinf(x) ? 0 : std::fabs(x / std::sinh(x)));
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY_AS(tanhc, curve, x == 0 ? 1 : std::tanh(x) / x);
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY_AS(rtanhc, curve, x == 0 ? 1 : x / std::tanh(x));
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY_AS(sigmoid, wide, 1 / (1 + std::exp(-x)));
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY_AS(softplus, wide, x > 100 ? x : std::log1p(std::exp(x)));
  MCT_MATH_ENTRY_AS(log_sigmoid, wide, x < -100 ? x : -std::log1p(std::exp(-x)));
  MCT_MATH_ENTRY_AS(log_cosh, curve, std::isnan(x) ? x : std::fabs(x));
  MCT_MATH_ENTRY_AS(gelu, curve, x < -100 ? T(-T(0)) : x > 100 ? x : x * std::erfc(-x) / 2);
}

template <class T, int N>
void enter_logarithms(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const Domain positive{-30, 30, true, {1, 1, 2, 0.5, 10}};
  MCT_MATH_ENTRY(log, positive);
  MCT_MATH_ENTRY(log2, positive);
  m.exact(power_of_two<T, N>);
  MCT_MATH_ENTRY(log10, positive);
  m.exact(power_of_ten<T, N>);
  MCT_MATH_ENTRY(log1p, (Domain{-60, 30, false, {-1, -0.5, 1}}));
  MCT_MATH_ENTRY(asinh, (Domain{-60, 60, false, {1}}));
  MCT_MATH_ENTRY(acosh, (Domain{0, 60, true, {1, 1, 2}}));
  MCT_MATH_ENTRY_AS(arcosh1p, (Domain{-120, 40, true, {1}}),
                    x <= 0        ? std::sqrt(x)
                    : x < T(1e-3) ? std::sqrt(2 * x)
                                  : std::acosh(1 + x));
  MCT_MATH_ENTRY(atanh, (Domain{-60, -1, false, {1, -1, 0.5}}));
  MCT_MATH_ENTRY(cbrt, (Domain{-60, 60, false, {1, 8, 27}}));
  m.exact(exact_cube<T, N>);
}

template <class T, int N>
void enter_trigonometric(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const Domain angle{-40, 20, false, {}, true};
  MCT_MATH_ENTRY(sin, angle);
  MCT_MATH_ENTRY(cos, angle);
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY(tan, angle);
  const Domain turns{-40, 20, false, {1, 0.5, 1.5, -3, 0.25}};
  MCT_MATH_ENTRY_AS(sinpi, turns,
                    std::isfinite(x) && std::trunc(x) == x ? std::copysign(T(0), x) : std::sin(x));
  m.exact(half_number<T, N>);
  MCT_MATH_ENTRY_AS(cospi, turns, std::cos(x) == 0 ? T(1) : std::cos(x));
  m.exact(half_number<T, N>);
  MCT_MATH_ENTRY(atan, (Domain{-60, 60, false, {1, -1}}));
  const Domain unit{-60, -1, false, {1, -1, 0.5}};
  MCT_MATH_ENTRY(asin, unit);
  MCT_MATH_ENTRY(acos, unit);
}

template <class T, int N>
void enter_special(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  MCT_MATH_ENTRY(erf, (Domain{-60, 2, false, {0.5, 1, 5}}));
  MCT_MATH_ENTRY(erfc, (Domain{-60, 4, false, {0.5, -0.5, 26, 9}}));
  m.exact(at_zero<T, N>);
  // two zeros of lgamma and poles of both among them
  const Domain all{-10, 7, false, {1, 2, 20, 25, -1, -2, -0.5, -3.5, -20, -2.457024738220801}};
  MCT_MATH_ENTRY(lgamma, all);
  m.relative_to(oracle::lgamma_scale, "lgamma(x), at least 1/64 for x < -2");
  MCT_MATH_ENTRY(tgamma, all);
  m.exact(factorial_argument<T, N>);
}

template <class T, int N>
void enter_binary(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const Domain any{-40, 40};
  m.binary(
      "pow", {-3, 3, true, {1, 2}}, {-6, 8, false, {2, -1, 0.5}},
      [](const Xs& x) { return pow(x[0], x[1]); }, oracle::pow,
      [](const Ts& x) { return T(std::pow(x[0], x[1])); });
  m.exact(exact_power<T, N>);
  m.binary(
      "hypot", any, any, [](const Xs& x) { return hypot(x[0], x[1]); }, oracle::hypot,
      // C: an infinity outweighs NaN
      [](const Ts& x) { return T(std::hypot(x[0], x[1])); });
  m.exact(right_triangle<T, N>);
  m.binary(
      "atan2", any, any, [](const Xs& x) { return atan2(x[0], x[1]); }, oracle::atan2,
      [](const Ts& x) { return T(std::atan2(x[0], x[1])); });
}
#undef MCT_MATH_ENTRY
#undef MCT_MATH_ENTRY_AS

template <class T, int N>
std::vector<Operation<T, N>> math_operations() {
  MathList<T, N> m;
  enter_exponentials(m);
  enter_logarithms(m);
  enter_trigonometric(m);
  enter_special(m);
  enter_binary(m);
  return std::move(m.list);
}

}  // namespace mct::validation
