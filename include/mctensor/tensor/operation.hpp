// Names of the element-wise operations that are compiled into the library.
#pragma once

namespace mct {

/// In this order: arithmetic, functions that work in SIMD lanes (from exp), functions that do not
/// (from gelu).
enum class Unary {
  neg,
  abs,
  square,
  sqrt,
  rsqrt,
  relu,
  exp,
  expm1,
  log,
  log1p,
  sinh,
  cosh,
  tanh,
  sigmoid,
  softplus,
  gelu,
  sin,
  cos,
  asinh,
  acosh,
  atanh,
  erf,
  count
};

enum class Binary { add, sub, mul, div, maximum, minimum, pow, count };

/// mul_add: a b + c. clamp: min(max(a, b), c).
enum class Ternary { mul_add, clamp, count };

enum class Reduction { sum, mean, max, min };

enum class Compare { eq, ne, lt, le, count };

}  // namespace mct
