// The suite's entries for functions of plain numbers: errors in ulps of the result.
#pragma once

#include "mctensor/math/all.hpp"
#include "validation/core/domain.hpp"
#include "validation/core/operations_arithmetic.hpp"
#include "validation/core/oracle_math.hpp"

namespace mct::validation {

/// The functions of one format.
template <class T>
class PlainList {
 public:
  using Xs = std::array<Expansion<T, 1>, 3>;
  using Ts = std::array<T, 3>;

  void unary(const char* name, const Domain& domain, Expansion<T, 1> (*apply)(const Xs&),
             UnaryOracle oracle, T (*ieee)(const Ts&)) {
    Operation<T, 1>& op = enter(name, apply, ieee);
    op.arity = 1;
    op.domains = {domain};
    op.unary_oracle = oracle;
  }
  void binary(const char* name, const Domain& first, const Domain& second,
              Expansion<T, 1> (*apply)(const Xs&), Oracle oracle, T (*ieee)(const Ts&)) {
    Operation<T, 1>& op = enter(name, apply, ieee);
    op.domains = {first, second};
    op.oracle = oracle;
  }

  std::vector<Operation<T, 1>> list;

 private:
  static constexpr bool is_double = std::is_same_v<T, double>;
  /// 0.51 ulp of a double, a quarter more of the smallest subnormal; the rest correctly rounded, up
  /// to the precision in which the difference is measured.
  static constexpr double bound = is_double ? 0.51 : 0.5 + 0x1p-40;
  static constexpr double eta = is_double ? 0.25 : 0;

  /// u times the power of two above the exact result is an ulp of the result.
  static Outcome check(const Operation<T, 1>& op, Workspace& w, const Xs& x) {
    const Expansion<T, 1> result = op.apply(x);
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

  Operation<T, 1>& enter(const char* name, Expansion<T, 1> (*apply)(const Xs&),
                         T (*ieee)(const Ts&)) {
    Operation<T, 1>& op = list.emplace_back();
    op.name = name;
    op.promise = {bound, eta};
    op.bound_text = is_double ? "0.51 ulp + 0.25 eta" : "0.5 ulp";
    op.weight = 0.06;  // the oracle takes its time
    op.prepare = bring_into_domains<T, 1>;
    op.apply = apply;
    op.check = check;
    op.ieee = ieee;
    return op;
  }
};

// Each entry names the function twice, ours and the oracle's, and what special values give.
#define MCT_PLAIN_ENTRY_AS(name, domain, ieee)                               \
  m.unary(                                                                   \
      #name, domain, [](const Xs& in) { return name(in[0]); }, oracle::name, \
      [](const Ts& in) {                                                     \
        const double x(in[0]);                                               \
        return T(ieee);                                                      \
      })
#define MCT_PLAIN_ENTRY(name, domain) MCT_PLAIN_ENTRY_AS(name, domain, std::name(x))

/// gelu of what the table of special values has. Of half the smallest number of a short format the
/// next term of x / 2 + x^2 / sqrt(2 pi) decides.
template <class T>
double special_gelu(double x) {
  if (std::fabs(x) > 100) return x < 0 ? -0.0 : x;
  if (std::is_same_v<T, double> || x <= 0 || x > 1e-20) return x * std::erfc(-x) / 2;
  return std::nextafter(x / 2, 1.0);
}

template <class T>
void enter_plain_exponentials(PlainList<T>& m) {
  using Xs = typename PlainList<T>::Xs;
  using Ts = typename PlainList<T>::Ts;
  constexpr int emax = FloatTraits<T>::emax;
  const int top = emax == 1024 ? 9 : emax == 128 ? 6 : 3;
  const double overflow = emax * 0.6931471805599453;
  const double underflow = FloatTraits<T>::emin * 0.6931471805599453;
  const Domain wide{-60, top, false, {overflow, underflow, underflow + 4, 1, -1}};
  MCT_PLAIN_ENTRY(exp, wide);
  MCT_PLAIN_ENTRY(exp2,
                  (Domain{-60, top, false, {double(emax), double(FloatTraits<T>::emin), 0.5}}));
  MCT_PLAIN_ENTRY(expm1, wide);
  MCT_PLAIN_ENTRY(sinh, wide);
  MCT_PLAIN_ENTRY(cosh, wide);
  const Domain curve{-60, 6, false, {20, -20, 1, 0.5}};
  MCT_PLAIN_ENTRY(tanh, curve);
  MCT_PLAIN_ENTRY_AS(sigmoid, wide, 1 / (1 + std::exp(-x)));
  MCT_PLAIN_ENTRY_AS(softplus, wide, x > 100 ? x : std::log1p(std::exp(x)));
  MCT_PLAIN_ENTRY_AS(gelu, curve, special_gelu<T>(x));
  MCT_PLAIN_ENTRY(erf, (Domain{-60, 2, false, {0.25, 0.5, 1, 5}}));
  MCT_PLAIN_ENTRY(erfc, (Domain{-60, 4, false, {0.5, -0.5, 26, 9}}));
}

template <class T>
void enter_plain_logarithms(PlainList<T>& m) {
  using Xs = typename PlainList<T>::Xs;
  using Ts = typename PlainList<T>::Ts;
  const Domain positive{-30, 30, true, {1, 1, 2, 0.5, 10, 0.96875, 1.03125}};
  MCT_PLAIN_ENTRY(log, positive);
  MCT_PLAIN_ENTRY(log2, positive);
  MCT_PLAIN_ENTRY(log1p, (Domain{-60, 30, false, {-1, -0.5, 1, 0.03125, 0.015625}}));
  MCT_PLAIN_ENTRY(asinh, (Domain{-60, 60, false, {1}}));
  MCT_PLAIN_ENTRY(acosh, (Domain{0, 60, true, {1, 1, 2}}));
  MCT_PLAIN_ENTRY(atanh, (Domain{-60, -1, false, {1, -1, 0.5}}));
  MCT_PLAIN_ENTRY(cbrt, (Domain{-60, 60, false, {1, 8, 27}}));
}

template <class T>
void enter_plain_trigonometric(PlainList<T>& m) {
  using Xs = typename PlainList<T>::Xs;
  using Ts = typename PlainList<T>::Ts;
  const Domain angle{-40, FloatTraits<T>::emax == 16 ? 15 : 30, false, {}, true};
  MCT_PLAIN_ENTRY(sin, angle);
  MCT_PLAIN_ENTRY(cos, angle);
  MCT_PLAIN_ENTRY(tan, angle);
  MCT_PLAIN_ENTRY(atan, (Domain{-60, 60, false, {1, -1}}));
  const Domain unit{-60, -1, false, {1, -1, 0.5}};
  MCT_PLAIN_ENTRY(asin, unit);
  MCT_PLAIN_ENTRY(acos, unit);
}

template <class T>
void enter_plain_binary(PlainList<T>& m) {
  using Xs = typename PlainList<T>::Xs;
  using Ts = typename PlainList<T>::Ts;
  const Domain any{-40, 40};
  m.binary(
      "pow", {-3, 3, true, {1, 2}}, {-6, 8, false, {2, -1, 0.5}},
      [](const Xs& x) { return pow(x[0], x[1]); }, oracle::pow,
      [](const Ts& x) { return T(std::pow(double(x[0]), double(x[1]))); });
  m.binary(
      "hypot", any, any, [](const Xs& x) { return hypot(x[0], x[1]); }, oracle::hypot,
      [](const Ts& x) { return T(std::hypot(double(x[0]), double(x[1]))); });
}
#undef MCT_PLAIN_ENTRY
#undef MCT_PLAIN_ENTRY_AS

template <class T>
std::vector<Operation<T, 1>> plain_operations() {
  PlainList<T> m;
  enter_plain_exponentials(m);
  enter_plain_logarithms(m);
  enter_plain_trigonometric(m);
  enter_plain_binary(m);
  return std::move(m.list);
}

}  // namespace mct::validation
