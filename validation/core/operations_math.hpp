// The suite's entries for the functions of math/, of expansions and of plain numbers.
#pragma once

#include "mctensor/math/all.hpp"
#include "mctensor/tensor/operation.hpp"
#include "validation/core/domain.hpp"
#include "validation/core/exact_function_cases.hpp"
#include "validation/core/operations_arithmetic.hpp"
#include "validation/core/oracle_math.hpp"

namespace mct::validation {

/// Collects the functions of one type. Errors of plain numbers (N = 1) are in ulps of the result.
template <class T, int N>
class MathList {
 public:
  using Xs = std::array<Expansion<T, N>, 3>;
  using Ts = std::array<T, 3>;

  /// A function of one argument; `ieee` is what it makes of special values.
  void unary(const char* name, const Domain& domain, Expansion<T, N> (*apply)(const Xs&),
             UnaryOracle oracle, T (*ieee)(const Ts&)) {
    Operation<T, N>& op = enter(name, {domain}, "(x)", apply, ieee);
    op.unary_oracle = oracle;
  }
  /// A function of several arguments.
  void several(const char* name, const std::vector<Domain>& domains, const char* arguments,
               Expansion<T, N> (*apply)(const Xs&), Oracle oracle, T (*ieee)(const Ts&)) {
    enter(name, domains, arguments, apply, ieee).oracle = oracle;
  }

  /// Operands of exact results for the entry made last.
  void exact(void (*make)(Random&, Xs&)) {
    if constexpr (N > 1) list.back().make_exact = make;
  }
  /// The error of the entry made last is relative to this.
  void relative_to(Oracle reference, const char* of) {
    Operation<T, N>& op = list.back();
    op.reference = reference;
    op.bound_text = bound_in_words(function_bound, N, of, function_eta<N>);
  }

  std::vector<Operation<T, N>> list;

 private:
  /// u times the power of two above the exact result is an ulp of the result.
  static Outcome check_ulps(const Operation<T, N>& op, Workspace& w, const Xs& x) {
    const Expansion<T, N> result = op.apply(x);
    for (std::size_t i = 0; i < std::size_t(op.arity); ++i) w.in[i].set_exact(x[i]);
    constexpr mpfr_prec_t bits = 4 * FloatTraits<double>::p + 128;
    ask_oracle(op, w, 0, bits);
    mpfr_set_prec(w.reference.get(), 64);
    const bool ordinary = mpfr_regular_p(w.exact.get()) != 0;
    long exponent = ordinary ? mpfr_get_exp(w.exact.get()) : 0;
    exponent = std::max(exponent, long(FloatTraits<T>::emin + FloatTraits<T>::p));
    mpfr_set_ui_2exp(w.reference.get(), 1, exponent, MPFR_RNDN);
    return measure(w, result, w.reference.get(), op.promise);
  }

  Operation<T, N>& enter(const char* name, const std::vector<Domain>& domains,
                         const char* arguments, Expansion<T, N> (*apply)(const Xs&),
                         T (*ieee)(const Ts&)) {
    Operation<T, N>& op = list.emplace_back();
    op.name = name;
    op.arity = int(domains.size());
    op.domains = domains;
    op.weight = 0.06;  // the oracle takes its time
    op.prepare = bring_into_domains<T, N>;
    op.apply = apply;
    op.ieee = ieee;
    if constexpr (N == 1) {
      op.promise = {plain_function_bound<T>, plain_function_eta<T>};
      op.bound_text = std::is_same_v<T, double> ? "0.51 ulp + 0.25 eta" : "0.5 ulp";
      op.check = check_ulps;
    } else {
      op.promise = {function_bound, function_eta<N>};
      op.bound_text = bound_in_words(function_bound, N, op.name + arguments, function_eta<N>);
      op.exact_bits = N * FloatTraits<T>::p;
    }
    return op;
  }
};

// Each entry names the function, where it is interesting, and what special values give.
#define MCT_MATH_ENTRY_AS(name, domain, ieee)                                \
  m.unary(                                                                   \
      #name, domain, [](const Xs& in) { return name(in[0]); }, oracle::name, \
      [](const Ts& in) {                                                     \
        const double x(in[0]);                                               \
        return T(ieee);                                                      \
      })
#define MCT_MATH_ENTRY(name, domain) MCT_MATH_ENTRY_AS(name, domain, std::name(x))

/// gelu of what the table of special values has. Of half the smallest number of a short format the
/// next term of x / 2 + x^2 / sqrt(2 pi) decides.
template <class T, int N>
double special_gelu(double x) {
  if (std::fabs(x) > 100) return x < 0 ? -0.0 : x;
  if (N > 1 || std::is_same_v<T, double> || x <= 0 || x > 1e-20) return x * std::erfc(-x) / 2;
  return std::nextafter(x / 2, 1.0);
}

template <class T, int N>
void enter_exponentials(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  constexpr int emax = FloatTraits<T>::emax;
  constexpr int emin = FloatTraits<T>::emin;
  constexpr double log_2 = 0.6931471805599453;
  const int top = emax == 1024 ? 9 : emax == 128 ? 6 : 3;
  const Domain wide{
      -60, top, false, {emax * log_2, emin * log_2, (emin - 1) * log_2, emin * log_2 + 4, 1, -1}};
  MCT_MATH_ENTRY(exp, wide);
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY(exp2, (Domain{-60, top, false, {double(emax), double(emin), 0.5, 3}}));
  m.exact(binary_exponent<T, N>);
  MCT_MATH_ENTRY(expm1, wide);
  MCT_MATH_ENTRY_AS(exp2m1, (Domain{-60, top, false, {double(emax), -FloatTraits<T>::p, 1, -1}}),
                    std::fabs(x) < 1e-20 ? x : std::exp2(x) - 1);
  m.exact(binary_exponent<T, N>);
  MCT_MATH_ENTRY(sinh, wide);
  MCT_MATH_ENTRY(cosh, wide);
  m.exact(at_zero<T, N>);
  const Domain curve{-60, 6, false, {20, -20, 1, 0.5}};
  MCT_MATH_ENTRY(tanh, curve);
  MCT_MATH_ENTRY_AS(sigmoid, wide, 1 / (1 + std::exp(-x)));
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY_AS(logit, (Domain{-60, -1, true, {0.5, 1, 0.25, 0.75}}), std::log(x / (1 - x)));
  m.exact([](Random&, Xs& x) { x[0] = Expansion<T, N>(T(0.5)); });
  MCT_MATH_ENTRY_AS(softplus, wide, x > 100 ? x : std::log1p(std::exp(x)));
  MCT_MATH_ENTRY_AS(gelu, curve, (special_gelu<T, N>(x)));
  MCT_MATH_ENTRY(erf, (Domain{-60, 2, false, {0.25, 0.5, 1, 5}}));
  MCT_MATH_ENTRY(erfc, (Domain{-60, 4, false, {0.5, -0.5, 26, 9}}));
  m.exact(at_zero<T, N>);
  if constexpr (N > 1) {
    MCT_MATH_ENTRY_AS(sinhc, wide, x == 0 ? 1 : std::fabs(x) < 1 ? 1 : std::fabs(std::sinh(x)));
    m.exact(at_zero<T, N>);
    MCT_MATH_ENTRY_AS(rsinhc, wide, x == 0 ? 1 : std::isinf(x) ? 0 : std::fabs(x / std::sinh(x)));
    m.exact(at_zero<T, N>);
    MCT_MATH_ENTRY_AS(tanhc, curve, x == 0 ? 1 : std::tanh(x) / x);
    m.exact(at_zero<T, N>);
    MCT_MATH_ENTRY_AS(rtanhc, curve, x == 0 ? 1 : x / std::tanh(x));
    m.exact(at_zero<T, N>);
    MCT_MATH_ENTRY_AS(log_sigmoid, wide, x < -100 ? x : -std::log1p(std::exp(-x)));
    MCT_MATH_ENTRY_AS(log_cosh, curve, std::isnan(x) ? x : std::fabs(x));
    const bool is_double = emax == 1024;
    const double overflow = is_double ? 308.25471555991675 : 38.5318394;
    const double underflow = is_double ? -323.30621534311580 : -44.8534697;
    MCT_MATH_ENTRY_AS(exp10,
                      (Domain{-60, is_double ? 8 : 5, false, {overflow, underflow, 1, 22, -5, 37}}),
                      std::pow(10.0, x));
    m.exact(exponent_of_ten<T, N>);
  }
}

template <class T, int N>
void enter_logarithms(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const Domain positive{-30, 30, true, {1, 1, 2, 0.5, 10, 0.96875, 1.03125}};
  MCT_MATH_ENTRY(log, positive);
  MCT_MATH_ENTRY(log2, positive);
  m.exact(power_of_two<T, N>);
  MCT_MATH_ENTRY(log1p, (Domain{-60, 30, false, {-1, -0.5, 1, 0.03125, 0.015625}}));
  MCT_MATH_ENTRY_AS(log2p1, (Domain{-60, 30, false, {-1, -0.5, 1, 3, 0.03125, 0.015625}}),
                    std::fabs(x) < 1e-20 ? x : std::log1p(x) / 0.6931471805599453);
  m.exact([](Random& random, Xs& x) {
    constexpr int most = N * FloatTraits<T>::p;
    const Expansion<T, N> one(T(1));
    x[0] = ldexp(one, random.between(-most, most)) - one;
  });
  MCT_MATH_ENTRY(asinh, (Domain{-60, 60, false, {1}}));
  MCT_MATH_ENTRY(acosh, (Domain{0, 60, true, {1, 1, 2}}));
  MCT_MATH_ENTRY(atanh, (Domain{-60, -1, false, {1, -1, 0.5}}));
  MCT_MATH_ENTRY(cbrt, (Domain{-60, 60, false, {1, 8, 27}}));
  m.exact(exact_cube<T, N>);
  if constexpr (N > 1) {
    MCT_MATH_ENTRY(log10, positive);
    m.exact(power_of_ten<T, N>);
    MCT_MATH_ENTRY_AS(arcosh1p, (Domain{-120, 40, true, {1}}),
                      x <= 0     ? std::sqrt(x)
                      : x < 1e-3 ? std::sqrt(2 * x)
                                 : std::acosh(1 + x));
  }
}

template <class T, int N>
void enter_trigonometric(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const Domain angle{-40, N > 1 ? 20 : FloatTraits<T>::emax == 16 ? 15 : 30, false, {}, true};
  MCT_MATH_ENTRY(sin, angle);
  MCT_MATH_ENTRY(cos, angle);
  m.exact(at_zero<T, N>);
  MCT_MATH_ENTRY(tan, angle);
  MCT_MATH_ENTRY(atan, (Domain{-60, 60, false, {1, -1}}));
  const Domain unit{-60, -1, false, {1, -1, 0.5}};
  MCT_MATH_ENTRY(asin, unit);
  MCT_MATH_ENTRY(acos, unit);
  const Domain turns{-40, N > 1 ? 20 : 9, false, {1, 0.5, 1.5, -3, 0.25, -0.75}};
  MCT_MATH_ENTRY_AS(sinpi, turns,
                    std::isfinite(x) && std::trunc(x) == x ? std::copysign(0.0, x) : std::sin(x));
  m.exact(half_number<T, N>);
  MCT_MATH_ENTRY_AS(cospi, turns, std::isfinite(x) ? 1 : std::cos(x));
  m.exact(half_number<T, N>);
  if constexpr (N > 1) {
    m.unary(
        "tanpi", turns, [](const Xs& in) { return tanpi(in[0]); }, oracle::tanpi, nullptr);
    m.exact(quarter_number<T, N>);
  }
}

/// Functions of numbers of several components alone.
template <class T, int N>
void enter_gamma(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  // two zeros of lgamma and poles of both among them
  const Domain all{-10, 7, false, {1, 2, 20, 25, -1, -2, -0.5, -3.5, -20, -2.457024738220801}};
  MCT_MATH_ENTRY(lgamma, all);
  m.relative_to(oracle::lgamma_scale, "lgamma(x), at least 1/64 for x < -2");
  MCT_MATH_ENTRY(tgamma, all);
  m.exact(factorial_argument<T, N>);
}

template <class T, int N>
void enter_several(MathList<T, N>& m) {
  using Xs = typename MathList<T, N>::Xs;
  using Ts = typename MathList<T, N>::Ts;
  const Domain any{-40, 40};
  m.several(
      "pow", {{-3, 3, true, {1, 2}}, {-6, 8, false, {2, -1, 0.5}}}, "(x, y)",
      [](const Xs& x) { return pow(x[0], x[1]); }, oracle::pow,
      [](const Ts& x) { return T(std::pow(double(x[0]), double(x[1]))); });
  m.exact(exact_power<T, N>);
  // C: an infinity outweighs NaN
  m.several(
      "hypot", {any, any}, "(x, y)", [](const Xs& x) { return hypot(x[0], x[1]); }, oracle::hypot,
      [](const Ts& x) { return T(std::hypot(double(x[0]), double(x[1]))); });
  m.exact(right_triangle<T, N>);
  if constexpr (N > 1) {
    m.several(
        "atan2", {any, any}, "(x, y)", [](const Xs& x) { return atan2(x[0], x[1]); }, oracle::atan2,
        [](const Ts& x) { return T(std::atan2(x[0], x[1])); });
    m.several(
        "hypot3", {any, any, any}, "(x, y, z)", [](const Xs& x) { return hypot(x[0], x[1], x[2]); },
        oracle::hypot3,
        [](const Ts& x) {
          // a sum that overflows is no infinity
          for (const T side : x)
            if (std::isinf(side)) return FloatTraits<T>::infinity;
          for (const T side : x)
            if (std::isnan(side)) return FloatTraits<T>::nan;
          return T(std::hypot(x[0], x[1], x[2]));
        });
    m.exact(quadruple<T, N>);
  }
}
#undef MCT_MATH_ENTRY
#undef MCT_MATH_ENTRY_AS

template <class T, int N>
std::vector<Operation<T, N>> math_operations() {
  MathList<T, N> m;
  enter_exponentials(m);
  enter_logarithms(m);
  enter_trigonometric(m);
  if constexpr (N > 1) enter_gamma(m);
  enter_several(m);
  return std::move(m.list);
}

}  // namespace mct::validation
