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

void add(mpfr_ptr r, const Reals& in);
void sub(mpfr_ptr r, const Reals& in);
void mul(mpfr_ptr r, const Reals& in);
void div(mpfr_ptr r, const Reals& in);
/// x y + z.
void fma(mpfr_ptr r, const Reals& in);
void min(mpfr_ptr r, const Reals& in);
void max(mpfr_ptr r, const Reals& in);
void fmod(mpfr_ptr r, const Reals& in);
/// x + y + z.
void sum(mpfr_ptr r, const Reals& in);
/// x 2^(e / 2) with the exponent e of y.
void ldexp_by_operand(mpfr_ptr r, const Reals& in);
void pow(mpfr_ptr r, const Reals& in);
void hypot(mpfr_ptr r, const Reals& in);
void atan2(mpfr_ptr r, const Reals& in);

void copy(mpfr_ptr r, mpfr_srcptr x);
void square(mpfr_ptr r, mpfr_srcptr x);
void sqrt(mpfr_ptr r, mpfr_srcptr x);
/// With the sign of a zero, as rSqrt of IEEE 754.
void rsqrt(mpfr_ptr r, mpfr_srcptr x);
void neg(mpfr_ptr r, mpfr_srcptr x);
void abs(mpfr_ptr r, mpfr_srcptr x);
void floor(mpfr_ptr r, mpfr_srcptr x);
void ceil(mpfr_ptr r, mpfr_srcptr x);
void trunc(mpfr_ptr r, mpfr_srcptr x);
void round(mpfr_ptr r, mpfr_srcptr x);

}  // namespace oracle
}  // namespace mct::validation
