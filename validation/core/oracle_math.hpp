// The elementary functions by MPFR: what the suite compares with.
#pragma once

#include "validation/core/oracle_arithmetic.hpp"

namespace mct::validation::oracle {

/// A variable with some bits more than the result, for functions of several steps.
class Step {
 public:
  explicit Step(mpfr_srcptr like, mpfr_prec_t more = 64) : value_(mpfr_get_prec(like) + more) {}
  operator mpfr_ptr() { return value_.get(); }  // NOLINT(google-explicit-constructor)

 private:
  Real value_;
};

/// f(x) / x, or the reciprocal; 1 at zero.
inline void quotient_with_argument(mpfr_ptr r, mpfr_srcptr x, UnaryOracle f, bool reciprocal) {
  if (mpfr_zero_p(x)) {
    mpfr_set_ui(r, 1, MPFR_RNDN);
    return;
  }
  Step s(r);
  f(s, x);
  reciprocal ? mpfr_div(r, x, s, MPFR_RNDN) : mpfr_div(r, s, x, MPFR_RNDN);
}

/// Writes rest = x - n / 2 for the nearest integer n, exactly; returns n modulo 4.
inline long nearest_quarter(mpfr_ptr rest, mpfr_srcptr x) {
  Step n(x, 8);
  mpfr_mul_2ui(n, x, 1, MPFR_RNDN);
  mpfr_rint(n, n, MPFR_RNDN);
  mpfr_div_2ui(rest, n, 1, MPFR_RNDN);
  mpfr_sub(rest, x, rest, MPFR_RNDN);
  Real four(8);
  mpfr_set_ui(four.get(), 4, MPFR_RNDN);
  mpfr_fmod(n, n, four.get(), MPFR_RNDN);
  return (mpfr_get_si(n, MPFR_RNDN) + 4) % 4;
}

/// sin(pi (x + halves / 2)).
inline void sin_pi_shifted(mpfr_ptr r, mpfr_srcptr x, int halves) {
  Step rest(x, 8);
  const long quarter = (nearest_quarter(rest, x) + halves) % 4;
  if (mpfr_zero_p(rest)) {
    // without pi, so that the result is known to be exact
    mpfr_set_si(r, quarter == 1 ? 1 : quarter == 3 ? -1 : 0, MPFR_RNDN);
    return;
  }
  Step angle(r);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul(angle, angle, rest, MPFR_RNDN);
  quarter % 2 == 0 ? mpfr_sin(r, angle, MPFR_RNDN) : mpfr_cos(r, angle, MPFR_RNDN);
  if (quarter >= 2) mpfr_neg(r, r, MPFR_RNDN);
}

#define MCT_ORACLE(name) \
  inline void name(mpfr_ptr r, mpfr_srcptr x) { mpfr_##name(r, x, MPFR_RNDN); }
MCT_ORACLE(exp)
MCT_ORACLE(exp2)
MCT_ORACLE(exp10)
MCT_ORACLE(expm1)
MCT_ORACLE(sinh)
MCT_ORACLE(cosh)
MCT_ORACLE(tanh)
MCT_ORACLE(log)
MCT_ORACLE(log2)
MCT_ORACLE(log10)
MCT_ORACLE(log1p)
MCT_ORACLE(asinh)
MCT_ORACLE(acosh)
MCT_ORACLE(atanh)
MCT_ORACLE(cbrt)
MCT_ORACLE(sin)
MCT_ORACLE(cos)
MCT_ORACLE(tan)
MCT_ORACLE(atan)
MCT_ORACLE(asin)
MCT_ORACLE(acos)
MCT_ORACLE(erf)
MCT_ORACLE(erfc)
#undef MCT_ORACLE

/// 2^x - 1.
inline void exp2m1(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_integer_p(x)) {
    mpfr_exp2(r, x, MPFR_RNDN);
    mpfr_sub_ui(r, r, 1, MPFR_RNDN);
    return;
  }
  Step y(x, mpfr_get_prec(r) + 64);
  Step log2(r);
  mpfr_const_log2(log2, MPFR_RNDN);
  mpfr_mul(y, x, log2, MPFR_RNDN);
  mpfr_expm1(r, y, MPFR_RNDN);
}
/// log2(1 + x).
inline void log2p1(mpfr_ptr r, mpfr_srcptr x) {
  // exactly 1 + x, so that the logarithm of a power of two is known to be exact
  Step sum(x, 2200);
  const bool is_exact = mpfr_add_ui(sum, x, 1, MPFR_RNDN) == 0;
  if (is_exact && mpfr_regular_p(mpfr_ptr(sum)) && mpfr_min_prec(sum) == 1) {
    mpfr_log2(r, sum, MPFR_RNDN);
    return;
  }
  Step y(r);
  Step log2(r);
  mpfr_const_log2(log2, MPFR_RNDN);
  mpfr_log1p(y, x, MPFR_RNDN);
  mpfr_div(r, y, log2, MPFR_RNDN);
}

/// sinh(x) / x, and its reciprocal.
inline void sinhc(mpfr_ptr r, mpfr_srcptr x) { quotient_with_argument(r, x, sinh, false); }
inline void rsinhc(mpfr_ptr r, mpfr_srcptr x) { quotient_with_argument(r, x, sinh, true); }
/// tanh(x) / x, and its reciprocal.
inline void tanhc(mpfr_ptr r, mpfr_srcptr x) { quotient_with_argument(r, x, tanh, false); }
inline void rtanhc(mpfr_ptr r, mpfr_srcptr x) { quotient_with_argument(r, x, tanh, true); }

/// 1 / (1 + e^-x).
inline void sigmoid(mpfr_ptr r, mpfr_srcptr x) {
  Step e(r);
  Step minus_x(x);
  mpfr_neg(minus_x, x, MPFR_RNDN);
  mpfr_exp(e, minus_x, MPFR_RNDN);
  mpfr_add_ui(e, e, 1, MPFR_RNDN);
  mpfr_ui_div(r, 1, e, MPFR_RNDN);
}

/// log(x / (1 - x)) through 1 - x exactly and enough bits for what lies next to 1.
inline void logit(mpfr_ptr r, mpfr_srcptr x) {
  Step rest(x, 2200);
  Step odds(r, 2400);
  mpfr_ui_sub(rest, 1, x, MPFR_RNDN);
  mpfr_div(odds, x, rest, MPFR_RNDN);
  mpfr_log(r, odds, MPFR_RNDN);
}

/// log(1 + e^x).
inline void softplus(mpfr_ptr r, mpfr_srcptr x) {
  Step e(r);
  // for large x, as x + log(1 + e^-x): e^x may leave even MPFR's range
  if (mpfr_sgn(x) > 0 && mpfr_number_p(x)) {
    Step minus_x(x);
    mpfr_neg(minus_x, x, MPFR_RNDN);
    mpfr_exp(e, minus_x, MPFR_RNDN);
    mpfr_log1p(e, e, MPFR_RNDN);
    mpfr_add(r, e, x, MPFR_RNDN);
    return;
  }
  mpfr_exp(e, x, MPFR_RNDN);
  mpfr_log1p(r, e, MPFR_RNDN);
}

/// -log(1 + e^-x).
inline void log_sigmoid(mpfr_ptr r, mpfr_srcptr x) {
  Step minus_x(x);
  mpfr_neg(minus_x, x, MPFR_RNDN);
  softplus(r, minus_x);
  mpfr_neg(r, r, MPFR_RNDN);
}

/// x erfc(-x / sqrt(2)) / 2; beyond |x| = 100 it is x or underflows.
inline void gelu(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_cmp_si(x, 100) > 0) {
    mpfr_set(r, x, MPFR_RNDN);
    return;
  }
  if (mpfr_cmp_si(x, -100) < 0) {
    mpfr_set_zero(r, -1);
    return;
  }
  Step t(x, mpfr_get_prec(r) + 64);
  Step root(r);
  mpfr_sqrt_ui(t, 2, MPFR_RNDN);
  mpfr_div(t, x, t, MPFR_RNDN);
  mpfr_neg(t, t, MPFR_RNDN);
  mpfr_erfc(root, t, MPFR_RNDN);
  mpfr_mul(r, root, x, MPFR_RNDN);
  mpfr_div_2ui(r, r, 1, MPFR_RNDN);
}

/// log(cosh(x)) = |x| + log(1 + e^(-2|x|)) - log 2; for |x| < 1 log(1 + sinh^2 x) / 2, which does
/// not cancel.
inline void log_cosh(mpfr_ptr r, mpfr_srcptr x) {
  Step s(r);
  if (mpfr_cmpabs_ui(x, 1) < 0) {
    mpfr_sinh(s, x, MPFR_RNDN);
    mpfr_sqr(s, s, MPFR_RNDN);
    mpfr_log1p(r, s, MPFR_RNDN);
    mpfr_div_2ui(r, r, 1, MPFR_RNDN);
    return;
  }
  Step a(x);
  mpfr_abs(a, x, MPFR_RNDN);
  Step e(r);
  mpfr_mul_si(e, a, -2, MPFR_RNDN);
  mpfr_exp(s, e, MPFR_RNDN);
  mpfr_log1p(s, s, MPFR_RNDN);
  mpfr_const_log2(e, MPFR_RNDN);
  mpfr_sub(s, s, e, MPFR_RNDN);
  mpfr_add(r, s, a, MPFR_RNDN);
}

/// acosh(1 + t) = log(1 + t + sqrt(t (t + 2))).
inline void arcosh1p(mpfr_ptr r, mpfr_srcptr t) {
  if (mpfr_sgn(t) < 0) {
    mpfr_set_nan(r);
    return;
  }
  Step root(r);
  mpfr_add_ui(root, t, 2, MPFR_RNDN);
  mpfr_mul(root, root, t, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  mpfr_add(root, root, t, MPFR_RNDN);
  mpfr_log1p(r, root, MPFR_RNDN);
}

/// sin(pi x), cos(pi x) and tan(pi x).
inline void sinpi(mpfr_ptr r, mpfr_srcptr x) {
  sin_pi_shifted(r, x, 0);
  if (mpfr_zero_p(r)) mpfr_copysign(r, r, x, MPFR_RNDN);
}
inline void cospi(mpfr_ptr r, mpfr_srcptr x) {
  sin_pi_shifted(r, x, 1);
  if (mpfr_zero_p(r)) mpfr_abs(r, r, MPFR_RNDN);
}

inline void tanpi(mpfr_ptr r, mpfr_srcptr x) {
  // x = n / 2 + f; of odd n it is -cot(pi f)
  Step f(x, 8);
  const long quarter = nearest_quarter(f, x);
  if (quarter % 2 == 1 && mpfr_zero_p(f)) {
    mpfr_set_inf(r, quarter == 1 ? 1 : -1);
    return;
  }
  Step angle(r);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul(angle, angle, f, MPFR_RNDN);
  if (quarter % 2 == 0) {
    mpfr_tan(r, angle, MPFR_RNDN);
    return;
  }
  mpfr_cot(r, angle, MPFR_RNDN);
  mpfr_neg(r, r, MPFR_RNDN);
}

/// log |Gamma| and Gamma. Where Gamma overflows or underflows far away, MPFR is not asked.
inline void lgamma(mpfr_ptr r, mpfr_srcptr x) {
  int sign = 0;
  mpfr_lgamma(r, &sign, x, MPFR_RNDN);
}
/// What errors of lgamma are relative to: |lgamma|, for x < -2 at least 1/64.
inline void lgamma_scale(mpfr_ptr r, const std::array<Real, 3>& in) {
  lgamma(r, in[0].get());
  mpfr_abs(r, r, MPFR_RNDN);
  if (mpfr_cmp_si(in[0].get(), -2) < 0 && mpfr_cmp_d(r, 1.0 / 64) < 0)
    mpfr_set_ui_2exp(r, 1, -6, MPFR_RNDN);
}
inline void tgamma(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_cmp_ui(x, 2000) > 0) {
    mpfr_set_inf(r, 1);
  } else if (mpfr_number_p(x) && mpfr_cmp_si(x, -2000) < 0 && mpfr_integer_p(x) == 0) {
    // the sign changes at every pole
    Step half(x, 8);
    mpfr_floor(half, x);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    mpfr_set_zero(r, mpfr_integer_p(half) != 0 ? 1 : -1);
  } else {
    mpfr_gamma(r, x, MPFR_RNDN);
  }
}

/// sqrt(x^2 + y^2 + z^2).
inline void hypot3(mpfr_ptr r, const Reals& in) {
  Real sum(2 * mpfr_get_prec(r) + 64);
  Real square(2 * mpfr_get_prec(r) + 64);
  mpfr_set_zero(sum.get(), 1);
  for (const Real& side : in) {
    mpfr_sqr(square.get(), side.get(), MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), square.get(), MPFR_RNDN);
  }
  mpfr_sqrt(r, sum.get(), MPFR_RNDN);
}

}  // namespace mct::validation::oracle
