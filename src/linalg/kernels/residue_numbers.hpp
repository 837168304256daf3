// The numbers of products through integers, for a register of doubles and for a CUDA thread alike:
// expansions to digits, residues to digits, digits to expansions. The step from digits to residues
// depends on the integers that the processor multiplies: residue_cut.hpp,
// cuda/linalg/cut_residues.hpp.
//
// Every step is exact but two: the cut of an element to an integer, and the rounding of a result to
// N limbs. All instruction sets and devices give the same bits, with fma or without.
#pragma once

#include <cstdint>

#include "mctensor/eft/two_sum.hpp"
#include "mctensor/expansion/mul.hpp"
#include "src/linalg/line_range.hpp"
#include "src/linalg/residue_plan.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

inline constexpr double digit_unit = 0x1p36;
static_assert(linalg_detail::digit_bits == 36);

/// x y + z where that is exact, or where the rounding of x y does not matter.
using detail::multiply_add;

/// x + integer_rounder - integer_rounder is the integer nearest to x, |x| < 2^51.
inline constexpr double integer_rounder = 0x1.8p52;

/// x + digit_rounder(t) - digit_rounder(t) is x rounded to a multiple of 2^(36 t), |x| < 2^(36 t +
/// 51).
MCT_HD constexpr double digit_rounder(int t) {
  double x = integer_rounder;
  for (; t > 0; --t) x *= digit_unit;
  return x;
}

/// Widens the range of a line by one of its elements.
template <int N>
MCT_HD MCT_ALWAYS_INLINE inline void widen_range(linalg_detail::LineRange& range,
                                                 const double (&limb)[N]) {
  const auto magnitude_bits = [](double x) {
    return std::int64_t(__builtin_bit_cast(std::uint64_t, x) & std::uint64_t(INT64_MAX));
  };
  const std::int64_t bits = magnitude_bits(limb[0]);
  range.largest = bits > range.largest ? bits : range.largest;
  const std::int64_t nonzero = bits == 0 ? INT64_MAX : bits;
  range.smallest = nonzero < range.smallest ? nonzero : range.smallest;
  if constexpr (N > 1) {
    // written so that a NaN is not normalized
    const double bound = detail::magnitude(limb[0]) * 0x1p-50;
    for (int l = 1; l < N; ++l) {
      const std::int64_t lower = magnitude_bits(limb[l]);
      range.largest = lower > range.largest ? lower : range.largest;
      range.normalized = range.normalized & (detail::magnitude(limb[l]) <= bound);
    }
  }
}

/// Takes digit t, times 2^(36 t), off a number below 2^(36 t + 51) and returns it plus the rounder,
/// in whose last bits the integer can be read.
template <int N, class V>
MCT_HD MCT_ALWAYS_INLINE inline V take_rounded(V (&limb)[N], const V& rounder) {
  // also before the first digit: limbs may overlap
  for (int l = N - 1; l-- > 0;) {
    const auto [sum, error] = two_sum(limb[l], limb[l + 1]);
    limb[l] = sum;
    limb[l + 1] = error;
  }
  const V rounded = limb[0] + rounder;
  limb[0] = limb[0] - (rounded - rounder);
  return rounded;
}
/// The digit itself.
template <int N, class V>
MCT_HD MCT_ALWAYS_INLINE inline V take_digit(V (&limb)[N], const V& rounder) {
  return take_rounded(limb, rounder) - rounder;
}

/// An integer that is put together from its residues y: sum_i y_i M / p_i - q M.
template <int Digits, class V>
struct DigitSum {
  V digit[Digits];
  V turns;  // sum_i y_i / p_i

  MCT_HD MCT_ALWAYS_INLINE DigitSum() : turns(0.0) {
    MCT_UNROLL
    for (int t = 0; t < Digits; ++t) digit[t] = V(0.0);
  }
  /// part: the digits of M / p.
  template <class Numbers>
  MCT_HD MCT_ALWAYS_INLINE void add(const V& y, const V& inverse, const Numbers& part) {
    turns = multiply_add(y, inverse, turns);
    MCT_UNROLL
    for (int t = 0; t < Digits; ++t) digit[t] = multiply_add(y, V(part(t)), digit[t]);
  }
  /// Subtracts q M and brings each digit within 2^35, times its unit, so that the digits do not
  /// depend on the moduli. whole: the digits of M.
  template <class Numbers>
  MCT_HD MCT_ALWAYS_INLINE void close(const Numbers& whole) {
    const V round(integer_rounder);
    const V quotient = (turns + round) - round;
    V carry(0.0);
    double unit = 1;
    MCT_UNROLL
    for (int t = 0; t < Digits; ++t) {
      V d = (digit[t] - quotient * V(whole(t))) + carry;
      if (t + 1 < Digits) {
        // less a half: never halfway between two integers
        carry = ((d - V(0.5)) * V(1 / digit_unit) + round) - round;
        d = d - carry * V(digit_unit);
      }
      digit[t] = d * V(unit);
      unit *= digit_unit;
    }
  }
};

/// N limbs of a sum of digits, not normalized: N times the sum from the lowest to the highest of
/// what the sums before have lost. What the last of them has lost is added to it once more, because
/// it is rounded after a sum of lower digits that was rounded itself: error <= u^N (1 + 2^-50)
/// |sum|.
///
/// Every digit, and every error that takes its place, is a multiple of the unit in the last place
/// of the sum that it is added to, which is all that fast_two_sum needs (Daumas, Rideau, Thery
/// 2001). There are more than N digits (least_result_bits); they are used up.
template <int N, int Digits, class V>
MCT_HD MCT_ALWAYS_INLINE inline void round_digits(V (&digit)[Digits], V (&limb)[N]) {
  static_assert(Digits > N);
  MCT_UNROLL
  for (int l = 0; l <= N; ++l) {
    V sum = digit[0];
    MCT_UNROLL
    for (int t = 1; t < Digits - l; ++t) {
      const auto [next, error] = fast_two_sum(digit[t], sum);
      digit[t - 1] = error;
      sum = next;
    }
    if (l < N) {
      limb[l] = sum;
    } else {
      limb[N - 1] = limb[N - 1] + sum;
    }
  }
}

/// Takes back the scales of row and column, each a pair of powers of two, and normalizes.
template <int N, class V>
MCT_HD MCT_ALWAYS_INLINE inline void scale_limbs(V (&limb)[N], const V& first, const V& second) {
  for (int l = 0; l < N; ++l) limb[l] = limb[l] * first * second;
  // not earlier: lower limbs may have been rounded to subnormal numbers
  const auto add_pair = [&limb](int l) {
    const auto [sum, error] = two_sum(limb[l], limb[l + 1]);
    limb[l] = sum;
    limb[l + 1] = error;
  };
  for (int l = N - 1; l-- > 0;) add_pair(l);
  for (int l = 1; l + 1 < N; ++l) add_pair(l);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
