// Arithmetic by MPFR: what the suite compares with.
#pragma once

#include <mpfr.h>

#include <array>

#include "validation/core/real.hpp"

namespace mct::validation {

/// Writes a function of the operands, rounded to the precision of r.
using Oracle = void (*)(mpfr_ptr r, const std::array<Real, 3>& in);
/// Writes a function of x, rounded to the precision of r.
using UnaryOracle = void (*)(mpfr_ptr r, mpfr_srcptr x);

namespace oracle {

using Reals = std::array<Real, 3>;

#define MCT_ORACLE(name)                                 \
  inline void name(mpfr_ptr r, const Reals& in) {        \
    mpfr_##name(r, in[0].get(), in[1].get(), MPFR_RNDN); \
  }
MCT_ORACLE(add)
MCT_ORACLE(sub)
MCT_ORACLE(mul)
MCT_ORACLE(div)
MCT_ORACLE(min)
MCT_ORACLE(max)
MCT_ORACLE(fmod)
MCT_ORACLE(remainder)
MCT_ORACLE(pow)
MCT_ORACLE(hypot)
MCT_ORACLE(atan2)
#undef MCT_ORACLE

/// x y + z.
inline void fma(mpfr_ptr r, const Reals& in) {
  mpfr_fma(r, in[0].get(), in[1].get(), in[2].get(), MPFR_RNDN);
}

/// x + y + z.
inline void sum(mpfr_ptr r, const Reals& in) {
  const mpfr_ptr terms[3] = {const_cast<mpfr_ptr>(in[0].get()), const_cast<mpfr_ptr>(in[1].get()),
                             const_cast<mpfr_ptr>(in[2].get())};
  mpfr_sum(r, terms, 3, MPFR_RNDN);
}

/// x 2^(e / 2) with the exponent e of y.
inline void ldexp_by_operand(mpfr_ptr r, const Reals& in) {
  const long e = mpfr_zero_p(in[1].get()) ? 0 : (mpfr_get_exp(in[1].get()) - 1);
  mpfr_mul_2si(r, in[0].get(), e / 2, MPFR_RNDN);
}

inline void copy(mpfr_ptr r, mpfr_srcptr x) { mpfr_set(r, x, MPFR_RNDN); }
inline void square(mpfr_ptr r, mpfr_srcptr x) { mpfr_sqr(r, x, MPFR_RNDN); }
inline void sqrt(mpfr_ptr r, mpfr_srcptr x) { mpfr_sqrt(r, x, MPFR_RNDN); }
inline void neg(mpfr_ptr r, mpfr_srcptr x) { mpfr_neg(r, x, MPFR_RNDN); }
inline void abs(mpfr_ptr r, mpfr_srcptr x) { mpfr_abs(r, x, MPFR_RNDN); }
inline void floor(mpfr_ptr r, mpfr_srcptr x) { mpfr_floor(r, x); }
inline void ceil(mpfr_ptr r, mpfr_srcptr x) { mpfr_ceil(r, x); }
inline void trunc(mpfr_ptr r, mpfr_srcptr x) { mpfr_trunc(r, x); }
inline void round(mpfr_ptr r, mpfr_srcptr x) { mpfr_round(r, x); }

/// With the sign of a zero, as rSqrt of IEEE 754.
inline void rsqrt(mpfr_ptr r, mpfr_srcptr x) {
  // MPFR gives +infinity for -0; IEEE 754 rSqrt gives the sign of the zero
  mpfr_rec_sqrt(r, x, MPFR_RNDN);
  if (mpfr_zero_p(x)) mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
}

}  // namespace oracle
}  // namespace mct::validation
