// The functions in which implementations are compared: operands and exact results.
#pragma once

#include "validation/core/oracle_arithmetic.hpp"

namespace mct::validation {

/// Which operands: leading limbs with exponents of y in [low, high], of x further away by gap.
/// Those of the table of peers are small enough that no peer and no intermediate result of the
/// published algorithms overflows or underflows.
struct InputPlan {
  int low = -8;
  int high = 8;
  int gap_low = 0;  // |exponent of x - exponent of y|, upwards or downwards
  int gap_high = 3;
  bool cancelling = false;  // every other case: x and y agree in magnitude to 1 ... N p bits
  bool positive = false;    // leading limbs
};

/// A function of one number or of two.
struct Function {
  const char* name;             ///< as the suite names its operations
  UnaryOracle unary = nullptr;  ///< one of both
  int (*binary)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) = nullptr;
  InputPlan plan = {};
  bool takes_scalar = false;  ///< the second operand is a single component

  /// How many limbs the second operand has beside one of n.
  int second_limbs(int n) const { return takes_scalar ? 1 : n; }
  /// The function of the exact operands, rounded to the precision of `result`.
  void exact(const Real& x, const Real& y, mpfr_ptr result) const {
    if (unary != nullptr) return unary(result, x.get());
    binary(result, x.get(), y.get(), MPFR_RNDN);
  }

  static const Function add, sub, mul, div, sqrt, square, exp, add_scalar, mul_scalar;
};
inline constexpr Function Function::add{"add", nullptr, mpfr_add, {.cancelling = true}};
inline constexpr Function Function::sub{"sub", nullptr, mpfr_sub, {.cancelling = true}};
inline constexpr Function Function::mul{"mul", nullptr, mpfr_mul};
inline constexpr Function Function::div{"div", nullptr, mpfr_div};
inline constexpr Function Function::sqrt{"sqrt", oracle::sqrt, nullptr, {.positive = true}};
inline constexpr Function Function::square{"square", oracle::square};
/// With the gap |x| < 2^6, and e^64 < 2^93.
inline constexpr Function Function::exp{
    "exp", [](mpfr_ptr r, mpfr_srcptr x) { mpfr_exp(r, x, MPFR_RNDN); }, nullptr, {.high = 2}};
inline constexpr Function Function::add_scalar{
    "add_scalar", nullptr, mpfr_add, {.cancelling = true}, true};
inline constexpr Function Function::mul_scalar{"mul_scalar", nullptr, mpfr_mul, {}, true};

}  // namespace mct::validation
