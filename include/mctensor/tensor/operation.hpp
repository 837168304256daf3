// Names of the element-wise operations that are compiled into the library.
#pragma once

namespace mct {

/// In this order: arithmetic, functions that work in SIMD lanes (from exp), functions that do so on
/// plain numbers only (from gelu).
enum class Unary {
  neg,
  abs,
  square,
  sqrt,
  rsqrt,
  relu,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log1p,
  sinh,
  cosh,
  tanh,
  sigmoid,
  softplus,
  gelu,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  cbrt,
  count
};

enum class Binary { add, sub, mul, div, maximum, minimum, pow, hypot, count };

/// mul_add: a b + c. clamp: min(max(a, b), c).
enum class Ternary { mul_add, clamp, count };

/// What becomes of the numbers of a dimension.
enum class Reduce { sum, mean, max, min };

enum class Compare { eq, ne, lt, le, count };

}  // namespace mct
