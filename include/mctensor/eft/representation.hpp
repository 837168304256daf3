// The bits of a number, for a scalar and for every lane of a batch.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "mctensor/eft/float_traits.hpp"

namespace mct {

/// Converts a value of type V to unsigned integers of its width and back. The integers have + - & |
/// << >>. A header of interop/ specializes this type for a SIMD batch.
template <class V>
struct Representation {
  static_assert(std::is_arithmetic_v<V>, "a batch needs its header of interop/");
  using Bits = std::conditional_t<sizeof(V) == 8, std::uint64_t, std::uint32_t>;

  MCT_HD MCT_ALWAYS_INLINE static constexpr Bits bits(const V& x) { return std::bit_cast<Bits>(x); }
  MCT_HD MCT_ALWAYS_INLINE static constexpr V value(const Bits& b) { return std::bit_cast<V>(b); }
  /// a < b in every lane, as a mask of the same type as comparisons of V.
  MCT_HD MCT_ALWAYS_INLINE static constexpr bool less(const Bits& a, const Bits& b) {
    return a < b;
  }
  /// True in every lane where a and b have no bit in common.
  MCT_HD MCT_ALWAYS_INLINE static constexpr bool disjoint(const Bits& a, const Bits& b) {
    return (a & b) == 0;
  }
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// 2^k for an integer k, if the result is a normal number. The sum of k and a large number has k in
/// its last bits, from where it is shifted to the exponent.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V power_of_two(const V& k) {
  using S = scalar_t<V>;
  using R = Representation<V>;
  constexpr int width = FloatTraits<V>::p - 1;
  constexpr int bias = FloatTraits<V>::emax - 1;
  return R::value(R::bits(V(k + V(S(1.5) * pow2<S>(width) + S(bias)))) << width);
}

/// x = mantissa 2^exponent.
template <class V>
struct BinarySplit {
  V exponent, mantissa;
  V inverse_power;  ///< 2^-exponent, while that is a normal number
};

/// Splits a positive normal x so that the mantissa is in [lowest, 2 lowest), for 1/2 < lowest <= 1.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr BinarySplit<V> binary_split(const V& x,
                                                               const scalar_t<V>& lowest) {
  using S = scalar_t<V>;
  using R = Representation<V>;
  using Bits = typename R::Bits;
  using Word = typename Representation<S>::Bits;
  constexpr int width = FloatTraits<V>::p - 1;
  constexpr auto bias = Word(FloatTraits<V>::emax - 1);
  constexpr S large = pow2<S>(width);
  const Bits bits = R::bits(x);
  const Bits biased = (bits - Bits(Representation<S>::bits(lowest) - (bias << width))) >> width;
  return {R::value(biased | Bits(Representation<S>::bits(large))) - V(large + S(bias)),
          R::value(bits - ((biased - Bits(bias)) << width)),
          R::value((Bits(2 * bias) - biased) << width)};
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
