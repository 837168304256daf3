// The elementary functions by MPFR: what the suite compares with.
#pragma once

#include "validation/core/oracle_arithmetic.hpp"

namespace mct::validation::oracle {

void exp(mpfr_ptr r, mpfr_srcptr x);
void exp2(mpfr_ptr r, mpfr_srcptr x);
void expm1(mpfr_ptr r, mpfr_srcptr x);
void sinh(mpfr_ptr r, mpfr_srcptr x);
void cosh(mpfr_ptr r, mpfr_srcptr x);
void tanh(mpfr_ptr r, mpfr_srcptr x);
void log(mpfr_ptr r, mpfr_srcptr x);
void log2(mpfr_ptr r, mpfr_srcptr x);
void log10(mpfr_ptr r, mpfr_srcptr x);
void log1p(mpfr_ptr r, mpfr_srcptr x);
void asinh(mpfr_ptr r, mpfr_srcptr x);
void acosh(mpfr_ptr r, mpfr_srcptr x);
void atanh(mpfr_ptr r, mpfr_srcptr x);
void cbrt(mpfr_ptr r, mpfr_srcptr x);
void sin(mpfr_ptr r, mpfr_srcptr x);
void cos(mpfr_ptr r, mpfr_srcptr x);
void tan(mpfr_ptr r, mpfr_srcptr x);
void atan(mpfr_ptr r, mpfr_srcptr x);
void asin(mpfr_ptr r, mpfr_srcptr x);
void acos(mpfr_ptr r, mpfr_srcptr x);
void erf(mpfr_ptr r, mpfr_srcptr x);
void erfc(mpfr_ptr r, mpfr_srcptr x);

/// sinh(x) / x, and its reciprocal.
void sinhc(mpfr_ptr r, mpfr_srcptr x);
void rsinhc(mpfr_ptr r, mpfr_srcptr x);
/// tanh(x) / x, and its reciprocal.
void tanhc(mpfr_ptr r, mpfr_srcptr x);
void rtanhc(mpfr_ptr r, mpfr_srcptr x);
/// 1 / (1 + e^-x).
void sigmoid(mpfr_ptr r, mpfr_srcptr x);
/// log(1 + e^x).
void softplus(mpfr_ptr r, mpfr_srcptr x);
/// -log(1 + e^-x).
void log_sigmoid(mpfr_ptr r, mpfr_srcptr x);
/// x erfc(-x / sqrt(2)) / 2.
void gelu(mpfr_ptr r, mpfr_srcptr x);
/// log(cosh(x)).
void log_cosh(mpfr_ptr r, mpfr_srcptr x);
/// acosh(1 + t).
void arcosh1p(mpfr_ptr r, mpfr_srcptr x);
/// sin(pi x) and cos(pi x).
void sinpi(mpfr_ptr r, mpfr_srcptr x);
void cospi(mpfr_ptr r, mpfr_srcptr x);
/// log |Gamma| and Gamma. Where Gamma overflows or underflows far away, MPFR is not asked.
void lgamma(mpfr_ptr r, mpfr_srcptr x);
void tgamma(mpfr_ptr r, mpfr_srcptr x);
/// What errors of lgamma are relative to: |lgamma|, for x < -2 at least 1/64.
void lgamma_scale(mpfr_ptr r, const std::array<Real, 3>& in);

}  // namespace mct::validation::oracle
