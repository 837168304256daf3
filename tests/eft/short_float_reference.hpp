// What correct rounding to half or bfloat16 means, by definition: the exact value lies between the
// midpoints of the result with its two neighbours. Shares no code with the rounding under test.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "mctensor/eft/half.hpp"

namespace mct::test {

/// hi + lo, exactly: an error-free sum of doubles.
inline HiLo<double> exact_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

template <class T>
class Rounding {
 public:
  static constexpr std::uint32_t infinity = std::numeric_limits<T>::infinity().bits();

  Rounding() : midpoints_(infinity) {
    for (std::uint32_t k = 0; k < infinity; ++k) midpoints_[k] = (value(k) + value(k + 1)) / 2;
  }

  /// The k-th non-negative value; for infinity the power of two that follows the largest.
  static double value(std::uint32_t k) {
    constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
    constexpr int emin = std::numeric_limits<T>::min_exponent - 1 - fraction_bits;
    const int exponent = int(k >> fraction_bits);
    const int fraction = int(k & ((1u << fraction_bits) - 1));
    if (exponent == 0) return std::ldexp(fraction, emin);
    return std::ldexp(fraction + (1 << fraction_bits), emin + exponent - 1);
  }

  /// Halfway between the k-th and the next value.
  double midpoint(std::uint32_t k) const { return midpoints_[k]; }

  /// True if r is the finite value hi + lo, |lo| <= ulp(hi) / 2, rounded to nearest even. Zeros are
  /// right with either sign if hi is zero, else with the sign of hi.
  bool is_rounded(T r, double hi, double lo = 0) const {
    const auto compare = [lo, hi](double m) {
      const double h = std::fabs(hi);
      const double l = hi < 0 ? -lo : lo;
      return h != m ? (h < m ? -1 : 1) : (l > 0) - (l < 0);
    };
    return is_rounded_magnitude(r, hi < 0, hi == 0, compare);
  }

  /// True if r is a / b rounded to nearest even; finite a, b != 0 of T.
  bool is_rounded_quotient(T r, double a, double b) const {
    const auto compare = [a, b](double m) {
      const double product = m * std::fabs(b);  // exact: at most 12 by 11 bits
      return (std::fabs(a) > product) - (std::fabs(a) < product);
    };
    return is_rounded_magnitude(r, (a < 0) != (b < 0), a == 0, compare);
  }

  /// True if r is sqrt(x) rounded to nearest even; finite x >= 0 of T.
  bool is_rounded_root(T r, double x) const {
    const auto compare = [x](double m) { return (x > m * m) - (x < m * m); };
    return is_rounded_magnitude(r, false, x == 0, compare);
  }

 private:
  /// compare(m): the sign of |exact| - m.
  template <class Compare>
  bool is_rounded_magnitude(T r, bool negative, bool zero, Compare compare) const {
    const std::uint32_t k = r.bits() & 0x7fff;
    if (zero) return k == 0;
    if (k > infinity || ((r.bits() & 0x8000) != 0) != negative) return false;
    const bool even = k % 2 == 0;
    if (k > 0) {
      const int side = compare(midpoints_[k - 1]);
      if (side < 0 || (side == 0 && !even)) return false;
    }
    if (k < infinity) {
      const int side = compare(midpoints_[k]);
      if (side > 0 || (side == 0 && !even)) return false;
    }
    return true;
  }

  std::vector<double> midpoints_;
};

/// True if a result for operands that make no ordinary number is what the float operation gives: a
/// NaN, or the same infinity or zero.
template <class T>
bool is_special_result(T r, float expected) {
  if (expected != expected) return r != r;
  return float(r) == expected && std::signbit(float(r)) == std::signbit(expected);
}

}  // namespace mct::test
