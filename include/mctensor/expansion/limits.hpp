// std::numeric_limits of expansions.
#pragma once

#include <limits>

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// The largest normalized expansion. Every limb is the largest number that is strictly below half
/// an ulp of the limb before it.
template <class T, int N>
constexpr Expansion<T, N> largest_expansion() {
  Expansion<T, N> r;
  T limb = FloatTraits<T>::max;
  for (int i = 0; i < N; ++i) {
    r.limb[i] = limb;
    limb *= FloatTraits<T>::u / 2;  // below half an ulp, again with p ones
  }
  return r;
}

/// The smallest integer that is not below the decimal logarithm of a smallest normal number.
constexpr int smallest_decimal_exponent(double logarithm) {
  const int truncated = int(logarithm);
  return truncated < logarithm ? truncated + 1 : truncated;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail

/// The limits are the limits of a floating-point type of N p bits. An expansion may hold more bits,
/// if it has gaps between limbs. So epsilon is not the distance to the next value, and no number of
/// digits is enough for every round trip. to_string(x) without a number of digits always writes
/// enough.
template <class T, int N>
class std::numeric_limits<mct::Expansion<T, N>> {
  using Component = std::numeric_limits<T>;
  using X = mct::Expansion<T, N>;
  static_assert(mct::is_component_v<T>, "limits are defined for scalar components");

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = false;
#if __cplusplus < 202302L
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = true;
#endif
  static constexpr std::float_round_style round_style = std::round_indeterminate;
  static constexpr bool is_iec559 = N == 1;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int digits = N * Component::digits;
  static constexpr int digits10 = int((digits - 1) * 0.30102999566398119521);
  static constexpr int max_digits10 = int(digits * 0.30102999566398119521) + 2;
  static constexpr int radix = 2;
  /// The smallest exponent for which all N limbs can be normal numbers.
  static constexpr int min_exponent = Component::min_exponent + (N - 1) * Component::digits;
  static constexpr int min_exponent10 =
      mct::detail::smallest_decimal_exponent((min_exponent - 1) * 0.30102999566398119521);
  static constexpr int max_exponent = Component::max_exponent;
  static constexpr int max_exponent10 = Component::max_exponent10;
  static constexpr bool traps = Component::traps;
  static constexpr bool tinyness_before = Component::tinyness_before;

  /// The smallest positive power of two with N full limbs below it: 2^(min_exponent - 1).
  static constexpr X min() noexcept { return X(mct::pow2<T>(min_exponent - 1)); }
  static constexpr X max() noexcept { return mct::detail::largest_expansion<T, N>(); }
  static constexpr X lowest() noexcept {
    X r = max();
    for (int i = 0; i < N; ++i) r.limb[i] = -r.limb[i];
    return r;
  }
  /// 2^(1 - digits), but not below the smallest subnormal: 2^-24 for three halves.
  static constexpr X epsilon() noexcept {
    constexpr int smallest = mct::FloatTraits<T>::emin;
    return X(mct::pow2<T>(1 - digits > smallest ? 1 - digits : smallest));
  }
  static constexpr X round_error() noexcept { return X(T(0.5)); }
  static constexpr X infinity() noexcept { return X(Component::infinity()); }
  static constexpr X quiet_NaN() noexcept { return X(Component::quiet_NaN()); }
  static constexpr X signaling_NaN() noexcept { return quiet_NaN(); }
  static constexpr X denorm_min() noexcept { return X(Component::denorm_min()); }
};
