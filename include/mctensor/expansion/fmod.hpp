// The exact remainders of a division.
//
// Source: long division in binary, exact at every step; special cases as fmod of C11, annex F.
#pragma once

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/fixed_point.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// The division of |x| by |y| as whole numbers: the remainder, and the last bits of the quotient.
template <class T>
struct WholeDivision {
  FixedPoint<T> rest, divisor;
  unsigned quotient = 0;
};

/// Binary long division: time grows with the difference of the exponents.
template <class T, int N>
MCT_HD inline WholeDivision<T> divide_whole(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  WholeDivision<T> r{to_fixed_point(x), to_fixed_point(y)};
  const int shift = r.rest.top_bit() - r.divisor.top_bit();
  if (shift < 0) return r;
  FixedPoint<T> shifted = r.divisor;
  shifted.shift_left(shift);
  for (int i = 0; i <= shift; ++i) {
    r.quotient *= 2;
    if (r.rest.at_least(shifted)) {
      r.rest.subtract(shifted);
      r.quotient += 1;
    }
    shifted.shift_right_one();
  }
  return r;
}

/// True where the remainder is NaN.
template <class T, int N>
MCT_HD inline bool has_no_remainder(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return isnan(x) || isnan(y) || isinf(x) || y.limb[0] == 0;
}

/// A remainder in limbs; a zero has the sign of x.
template <class T, int N>
MCT_HD inline Expansion<T, N> remainder_of(const FixedPoint<T>& rest, bool negative,
                                           bool x_is_negative) {
  Expansion<T, N> r = from_fixed_point<T, N>(rest, negative);
  if (r.limb[0] == 0) r.limb[0] = x_is_negative ? -T(0) : T(0);
  return r;
}

}  // namespace detail

/// The remainder x - n y with n = trunc(x / y), which has the sign of x and a magnitude below |y|.
/// The exact remainder r, for a quotient of any size, is rounded once to N limbs: error <= u^N |r|,
/// and no error if r fits into N limbs. NaN for an infinite x or a zero y; x for an infinite y and
/// a finite x. Time grows with the difference of the exponents.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> fmod(const Expansion<T, N>& x,
                                                              const Expansion<T, N>& y) {
  if (detail::has_no_remainder(x, y)) return T(FloatTraits<T>::nan);
  if (isinf(y) || x.limb[0] == 0) return x;
  const bool negative = x.limb[0] < 0;
  return detail::remainder_of<T, N>(detail::divide_whole(x, y).rest, negative, negative);
}
MCT_MIXED_FUNCTION(fmod)

/// The remainder x - n y, where n is the integer nearest to x / y (the even one of two that are
/// equally near). Its magnitude is at most |y| / 2. The quotient becomes the last 31 bits of |n|,
/// with the sign of x / y. It is 0 where the result is NaN or x. Error, special values and time as
/// fmod.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> remquo(const Expansion<T, N>& x,
                                                                const Expansion<T, N>& y,
                                                                int* quotient) {
  *quotient = 0;
  if (detail::has_no_remainder(x, y)) return T(FloatTraits<T>::nan);
  if (isinf(y) || x.limb[0] == 0) return x;
  auto division = detail::divide_whole(x, y);
  const bool x_is_negative = x.limb[0] < 0;
  bool negative = x_is_negative;
  // the remainder is nearer to the divisor than to 0, or equally near and the quotient is odd
  auto missing = division.divisor;
  missing.subtract(division.rest);
  const bool tie = division.rest.at_least(missing) && missing.at_least(division.rest);
  if (division.rest.at_least(missing) && (!tie || division.quotient % 2 != 0)) {
    division.rest = missing;
    division.quotient += 1;
    negative = !negative;
  }
  const int bits = int(division.quotient & 0x7fffffffu);
  *quotient = x_is_negative == (y.limb[0] < 0) ? bits : -bits;
  return detail::remainder_of<T, N>(division.rest, negative, x_is_negative);
}

/// remquo without the quotient.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> remainder(const Expansion<T, N>& x,
                                                                   const Expansion<T, N>& y) {
  int quotient = 0;
  return remquo(x, y, &quotient);
}
MCT_MIXED_FUNCTION(remainder)

}  // namespace mct::inline MCT_ISA_NAMESPACE
