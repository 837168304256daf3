// Exact fixed-point numbers. They are wide enough for the magnitude of every value of a component
// type.
//
// The remainder of a division with a large quotient needs more digits than an expansion holds. Here
// it is computed with binary integers, on host and device.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// A non-negative multiple of the smallest subnormal of T, below 2^(emax + 2).
template <class T>
struct FixedPoint {
  static constexpr int emin = FloatTraits<T>::emin;
  static constexpr int words = (FloatTraits<T>::emax - emin + 3 + 63) / 64;
  std::uint64_t word[words] = {};  // little endian

  MCT_HD constexpr void add_shifted(std::uint64_t value, int shift) {
    std::uint64_t carry = 0;
    int w = shift / 64;
    const int s = shift % 64;
    const std::uint64_t parts[2] = {value << s, s == 0 ? 0 : value >> (64 - s)};
    for (int i = 0; w < words; ++i, ++w) {
      const std::uint64_t part = i < 2 ? parts[i] : 0;
      if (i >= 2 && carry == 0) break;
      const std::uint64_t sum = word[w] + part;
      const std::uint64_t result = sum + carry;
      carry = std::uint64_t(sum < part) + std::uint64_t(result < carry);
      word[w] = result;
    }
  }

  /// this -= other, modulo 2^(64 words). The result may be negative for a while: a later addition
  /// may undo the borrow.
  MCT_HD constexpr void subtract(const FixedPoint& other) {
    std::uint64_t borrow = 0;
    for (int w = 0; w < words; ++w) {
      const std::uint64_t d = word[w] - other.word[w];
      const std::uint64_t result = d - borrow;
      borrow = std::uint64_t(word[w] < other.word[w]) + std::uint64_t(d < borrow);
      word[w] = result;
    }
  }

  MCT_HD constexpr bool at_least(const FixedPoint& other) const {
    for (int w = words - 1; w >= 0; --w)
      if (word[w] != other.word[w]) return word[w] > other.word[w];
    return true;
  }

  /// Position of the highest set bit, -1 for zero.
  MCT_HD constexpr int top_bit() const {
    for (int w = words - 1; w >= 0; --w)
      if (word[w] != 0) return 64 * w + 63 - std::countl_zero(word[w]);
    return -1;
  }

  MCT_HD constexpr bool bit(int position) const {
    return position >= 0 && ((word[position / 64] >> (position % 64)) & 1) != 0;
  }

  /// True if any bit below position is set.
  MCT_HD constexpr bool any_below(int position) const {
    for (int i = 0; i < position / 64; ++i)
      if (word[i] != 0) return true;
    const int s = position % 64;
    return s != 0 && (word[position / 64] << (64 - s)) != 0;
  }

  MCT_HD constexpr std::uint64_t bits_from(int position) const {
    const int w = position / 64;
    const int s = position % 64;
    std::uint64_t r = word[w] >> s;
    if (s != 0 && w + 1 < words) r |= word[w + 1] << (64 - s);
    return r;
  }

  MCT_HD constexpr void shift_left(int count) {
    const int w = count / 64;
    const int s = count % 64;
    for (int i = words - 1; i >= 0; --i) {
      const std::uint64_t high = i - w >= 0 ? word[i - w] : 0;
      const std::uint64_t low = i - w - 1 >= 0 ? word[i - w - 1] : 0;
      word[i] = s == 0 ? high : (high << s) | (low >> (64 - s));
    }
  }

  MCT_HD constexpr void shift_right_one() {
    for (int i = 0; i < words; ++i)
      word[i] = (word[i] >> 1) | (i + 1 < words ? word[i + 1] << 63 : 0);
  }
};

/// |x| exactly.
template <class T, int N>
MCT_HD inline FixedPoint<T> to_fixed_point(const Expansion<T, N>& x) {
  using std::frexp;
  using std::ldexp;
  FixedPoint<T> positive;
  FixedPoint<T> negative;
  for (int i = 0; i < N; ++i) {
    if (x.limb[i] == 0) continue;
    int exponent = 0;
    const T mantissa = frexp(magnitude(x.limb[i]), &exponent);
    auto integer = std::uint64_t(ldexp(mantissa, FloatTraits<T>::p));
    int shift = exponent - FloatTraits<T>::p - FloatTraits<T>::emin;
    if (shift < 0) {  // subnormal: the low bits are zero
      integer >>= -shift;
      shift = 0;
    }
    ((x.limb[i] < 0) == (x.limb[0] < 0) ? positive : negative).add_shifted(integer, shift);
  }
  positive.subtract(negative);
  return positive;
}

/// The value as N limbs. Each limb is what the limbs before it leave, rounded to nearest, ties to
/// even. So the error is at most half an ulp of the last limb.
template <class T, int N>
MCT_HD inline Expansion<T, N> from_fixed_point(FixedPoint<T> rest, bool negative) {
  using std::ldexp;
  Expansion<T, N> r;
  for (int i = 0; i < N; ++i) {
    const int top = rest.top_bit();
    if (top < 0) break;
    const int shift = top >= FloatTraits<T>::p ? top - FloatTraits<T>::p + 1 : 0;
    std::uint64_t mantissa = rest.bits_from(shift);
    const bool up =
        shift > 0 && rest.bit(shift - 1) && (rest.any_below(shift - 1) || (mantissa & 1) != 0);
    mantissa += up ? 1 : 0;
    const T value = ldexp(T(mantissa), shift + FloatTraits<T>::emin);
    r.limb[i] = negative ? -value : value;
    FixedPoint<T> head;
    head.add_shifted(mantissa, shift);
    if (up) {
      head.subtract(rest);
      rest = head;
      negative = !negative;
    } else {
      rest.subtract(head);
    }
  }
  return r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
