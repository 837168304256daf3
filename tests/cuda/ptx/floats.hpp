// Floating-point instructions of PTX that are more than an operator of C++. A NaN that an operation
// makes has other bits on a GPU (0x7fffffff) than here.
#pragma once

#include <cmath>
#include <concepts>

#include "tests/cuda/ptx/registers.hpp"

namespace mct::cuda::ptx {

using mct::bfloat16;
using mct::half;

inline float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}
/// NaN becomes 0.
inline float saturate(float x) { return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F; }

template <std::floating_point T>
T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}
template <int P, int E>
ShortFloat<P, E> fused(ShortFloat<P, E> a, ShortFloat<P, E> b, ShortFloat<P, E> c) {
  return fma(a, b, c);
}

/// The sign alone, of a NaN as well.
template <class T>
T negate(T x) {
  using Bits = decltype(to_bits(x));
  return as<T>(Bits(to_bits(x) ^ Bits(Bits(1) << (8 * sizeof(T) - 1))));
}
template <class T>
T magnitude(T x) {
  using Bits = decltype(to_bits(x));
  return as<T>(Bits(to_bits(x) & Bits(~(Bits(1) << (8 * sizeof(T) - 1)))));
}

template <class T>
bool is_nan(T x) {
  return x != x;
}
/// The other one of a NaN; -0 is below +0.
template <class T>
T min_number(T a, T b) {
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  if (a == b) return as<T>(decltype(to_bits(a))(to_bits(a) | to_bits(b)));
  return a < b ? a : b;
}
template <class T>
T max_number(T a, T b) {
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  if (a == b) return as<T>(decltype(to_bits(a))(to_bits(a) & to_bits(b)));
  return a > b ? a : b;
}
template <class T>
T min_nan(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : min_number(a, b);
}
template <class T>
T max_nan(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : max_number(a, b);
}

template <class T>
bool is_finite(T x) {
  return std::isfinite(x);
}
template <class T>
bool is_infinite(T x) {
  return std::isinf(x);
}
template <class T>
bool is_number(T x) {
  return !std::isnan(x);
}
template <class T>
bool is_notanumber(T x) {
  return std::isnan(x);
}
template <class T>
bool is_normal(T x) {
  return std::isnormal(x);
}
template <class T>
bool is_subnormal(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL;
}

// Of pairs
template <class T>
Pair<T> each_add(Pair<T> a, Pair<T> b) {
  return {a.low + b.low, a.high + b.high};
}
template <class T>
Pair<T> each_sub(Pair<T> a, Pair<T> b) {
  return {a.low - b.low, a.high - b.high};
}
template <class T>
Pair<T> each_mul(Pair<T> a, Pair<T> b) {
  return {a.low * b.low, a.high * b.high};
}
template <class T>
Pair<T> each_fma(Pair<T> a, Pair<T> b, Pair<T> c) {
  return {fused(a.low, b.low, c.low), fused(a.high, b.high, c.high)};
}
template <class T>
Pair<T> negate(Pair<T> x) {
  return {negate(x.low), negate(x.high)};
}
template <class T>
Pair<T> magnitude(Pair<T> x) {
  return {magnitude(x.low), magnitude(x.high)};
}
template <class T>
Pair<T> min_number(Pair<T> a, Pair<T> b) {
  return {min_number(a.low, b.low), min_number(a.high, b.high)};
}
template <class T>
Pair<T> max_number(Pair<T> a, Pair<T> b) {
  return {max_number(a.low, b.low), max_number(a.high, b.high)};
}
template <class T>
Pair<T> min_nan(Pair<T> a, Pair<T> b) {
  return {min_nan(a.low, b.low), min_nan(a.high, b.high)};
}
template <class T>
Pair<T> max_nan(Pair<T> a, Pair<T> b) {
  return {max_nan(a.low, b.low), max_nan(a.high, b.high)};
}

}  // namespace mct::cuda::ptx
