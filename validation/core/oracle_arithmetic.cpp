// Arithmetic by MPFR.
#include "validation/core/oracle_arithmetic.hpp"

namespace mct::validation::oracle {

#define MCT_ORACLE(name, function) \
  void name(mpfr_ptr r, const Reals& in) { function(r, in[0].get(), in[1].get(), MPFR_RNDN); }
MCT_ORACLE(add, mpfr_add)
MCT_ORACLE(sub, mpfr_sub)
MCT_ORACLE(mul, mpfr_mul)
MCT_ORACLE(div, mpfr_div)
MCT_ORACLE(min, mpfr_min)
MCT_ORACLE(max, mpfr_max)
MCT_ORACLE(fmod, mpfr_fmod)
MCT_ORACLE(pow, mpfr_pow)
MCT_ORACLE(hypot, mpfr_hypot)
MCT_ORACLE(atan2, mpfr_atan2)
#undef MCT_ORACLE

void fma(mpfr_ptr r, const Reals& in) {
  mpfr_fma(r, in[0].get(), in[1].get(), in[2].get(), MPFR_RNDN);
}

void sum(mpfr_ptr r, const Reals& in) {
  const mpfr_ptr terms[3] = {const_cast<mpfr_ptr>(in[0].get()), const_cast<mpfr_ptr>(in[1].get()),
                             const_cast<mpfr_ptr>(in[2].get())};
  mpfr_sum(r, terms, 3, MPFR_RNDN);
}

void ldexp_by_operand(mpfr_ptr r, const Reals& in) {
  const long e = mpfr_zero_p(in[1].get()) ? 0 : (mpfr_get_exp(in[1].get()) - 1);
  mpfr_mul_2si(r, in[0].get(), e / 2, MPFR_RNDN);
}

void copy(mpfr_ptr r, mpfr_srcptr x) { mpfr_set(r, x, MPFR_RNDN); }
void square(mpfr_ptr r, mpfr_srcptr x) { mpfr_sqr(r, x, MPFR_RNDN); }
void sqrt(mpfr_ptr r, mpfr_srcptr x) { mpfr_sqrt(r, x, MPFR_RNDN); }
void neg(mpfr_ptr r, mpfr_srcptr x) { mpfr_neg(r, x, MPFR_RNDN); }
void abs(mpfr_ptr r, mpfr_srcptr x) { mpfr_abs(r, x, MPFR_RNDN); }
void floor(mpfr_ptr r, mpfr_srcptr x) { mpfr_floor(r, x); }
void ceil(mpfr_ptr r, mpfr_srcptr x) { mpfr_ceil(r, x); }
void trunc(mpfr_ptr r, mpfr_srcptr x) { mpfr_trunc(r, x); }
void round(mpfr_ptr r, mpfr_srcptr x) { mpfr_round(r, x); }

void rsqrt(mpfr_ptr r, mpfr_srcptr x) {
  // MPFR gives +infinity for -0; IEEE 754 rSqrt gives the sign of the zero
  mpfr_rec_sqrt(r, x, MPFR_RNDN);
  if (mpfr_zero_p(x)) mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
}

}  // namespace mct::validation::oracle
