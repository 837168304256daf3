// The functions in which implementations are compared, and their exact results.
#pragma once

#include "validation/core/real.hpp"

namespace mct::validation {

/// Named as the suite names its operations.
enum class Function { add, sub, mul, div, sqrt, square, exp, add_scalar, mul_scalar };

inline const char* name_of(Function function) {
  switch (function) {
    case Function::add:
      return "add";
    case Function::sub:
      return "sub";
    case Function::mul:
      return "mul";
    case Function::div:
      return "div";
    case Function::sqrt:
      return "sqrt";
    case Function::square:
      return "square";
    case Function::exp:
      return "exp";
    case Function::add_scalar:
      return "add_scalar";
    case Function::mul_scalar:
      break;
  }
  return "mul_scalar";
}

/// True if the second operand is a single component.
inline bool takes_scalar(Function function) {
  return function == Function::add_scalar || function == Function::mul_scalar;
}

/// How many limbs the second operand has beside one of n.
inline int second_limbs(Function function, int n) { return takes_scalar(function) ? 1 : n; }

/// True for sums and differences, which may cancel.
inline bool may_cancel(Function function) {
  return function == Function::add || function == Function::sub || function == Function::add_scalar;
}

/// The function of the exact operands, rounded to the precision of `result`.
inline void set_exact_result(Function function, const Real& x, const Real& y, mpfr_ptr result) {
  switch (function) {
    case Function::add:
    case Function::add_scalar:
      mpfr_add(result, x.get(), y.get(), MPFR_RNDN);
      break;
    case Function::sub:
      mpfr_sub(result, x.get(), y.get(), MPFR_RNDN);
      break;
    case Function::mul:
    case Function::mul_scalar:
      mpfr_mul(result, x.get(), y.get(), MPFR_RNDN);
      break;
    case Function::div:
      mpfr_div(result, x.get(), y.get(), MPFR_RNDN);
      break;
    case Function::sqrt:
      mpfr_sqrt(result, x.get(), MPFR_RNDN);
      break;
    case Function::square:
      mpfr_sqr(result, x.get(), MPFR_RNDN);
      break;
    case Function::exp:
      mpfr_exp(result, x.get(), MPFR_RNDN);
      break;
  }
}

}  // namespace mct::validation
