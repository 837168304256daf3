// PTX's roundings, and the conversions between numbers.
#pragma once

#include <limits>
#include <utility>

#include "tests/cuda/ptx/floats.hpp"

namespace mct::cuda::ptx {

/// To the nearest (ties to even), to zero, down, up; with an i of the value to an integer.
enum class Rounding { rn, rz, rm, rp, rni = rn, rzi = rz, rmi = rm, rpi = rp };

// One operation in another rounding than to the nearest.
float add_directed(float a, float b, Rounding r);
double add_directed(double a, double b, Rounding r);
float sub_directed(float a, float b, Rounding r);
double sub_directed(double a, double b, Rounding r);
float mul_directed(float a, float b, Rounding r);
double mul_directed(double a, double b, Rounding r);
float div_directed(float a, float b, Rounding r);
double div_directed(double a, double b, Rounding r);
float sqrt_directed(float x, Rounding r);
double sqrt_directed(double x, Rounding r);
float fma_directed(float a, float b, float c, Rounding r);
double fma_directed(double a, double b, double c, Rounding r);

// Conversions of C++ in a rounding.
double to_integral(double x, Rounding r);
inline float to_integral(float x, Rounding r) { return float(to_integral(double(x), r)); }
template <int P, int E>
ShortFloat<P, E> to_integral(ShortFloat<P, E> x, Rounding r) {
  return ShortFloat<P, E>(to_integral(double(float(x)), r));
}
float to_float_of(double x, Rounding r);
float to_float_of(std::int64_t x, Rounding r);
float to_float_of(std::uint64_t x, Rounding r);
double to_double_of(std::int64_t x, Rounding r);
double to_double_of(std::uint64_t x, Rounding r);

/// From double or float to a narrower type.
template <class T, class From>
T narrow(From x, Rounding r) {
  if constexpr (std::is_same_v<T, float>) {
    return to_float_of(double(x), r);
  } else {  // short floats round to the nearest alone; the neighbour towards the other side
    const T nearest(x);
    const double error = double(float(nearest)) - double(x);
    const bool down = r == Rounding::rm || (r == Rounding::rz && double(x) > 0);
    const bool up = r == Rounding::rp || (r == Rounding::rz && double(x) < 0);
    if (error > 0 && down) return nextafter(nearest, -std::numeric_limits<T>::infinity());
    if (error < 0 && up) return nextafter(nearest, std::numeric_limits<T>::infinity());
    return nearest;
  }
}
template <class T>
Pair<T> narrow_pair(float high, float low, Rounding r) {
  return {narrow<T>(low, r), narrow<T>(high, r)};
}

template <class T, class From>
T to_float(From x, Rounding r) {
  using Wide = std::conditional_t<std::is_signed_v<From>, std::int64_t, std::uint64_t>;
  if constexpr (std::is_same_v<T, double>) {
    return to_double_of(Wide(x), r);
  } else if constexpr (std::is_same_v<T, float>) {
    return to_float_of(Wide(x), r);
  } else {  // a double that is not exact must not fall on a tie: cut off, its last bit set
    const double cut = to_double_of(Wide(x), Rounding::rz);
    const bool exact = to_double_of(Wide(x), Rounding::rm) == to_double_of(Wide(x), Rounding::rp);
    return narrow<T>(exact ? cut : as<double>(to_bits(cut) | 1), r);
  }
}

template <class T, class From>
T convert_integer(From x) {
  return T(x);
}
template <class T, class From>
T saturate_integer(From x) {
  using Limits = std::numeric_limits<T>;
  if (std::cmp_less(x, Limits::min())) return Limits::min();
  if (std::cmp_greater(x, Limits::max())) return Limits::max();
  return T(x);
}
/// Values beyond the integers become the outermost. NaN becomes 0, but where double or 64 bits take
/// part: there the upper bit alone.
template <class T, class From>
T to_integer(From x, Rounding r) {
  using Limits = std::numeric_limits<T>;
  if (is_nan(x)) {
    const bool top = std::is_same_v<From, double> || sizeof(T) == 8;
    return top ? as<T>(Unsigned<int(sizeof(T))>(std::uint64_t(1) << (8 * sizeof(T) - 1))) : T(0);
  }
  double wide;
  if constexpr (std::is_floating_point_v<From>)
    wide = to_integral(double(x), r);
  else
    wide = to_integral(double(float(x)), r);
  if (wide <= double(Limits::min())) return Limits::min();
  if (wide >= std::ldexp(1.0, Limits::digits)) return Limits::max();
  return T(wide);
}

}  // namespace mct::cuda::ptx
