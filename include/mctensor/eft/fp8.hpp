// The 8-bit storage formats e4m3 and e5m2: conversion from and to float and double, no arithmetic.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <type_traits>

#include "mctensor/eft/short_format.hpp"

namespace mct {

/// What a magnitude above the largest finite value becomes, once rounded as if there were no limit.
enum class Fp8Overflow {
  saturate,  ///< the largest finite value with its sign, for infinities too; NaN stays NaN
  special,   ///< e5m2: an infinity; e4m3, which has none: NaN
};

/// An 8-bit number of 7 - M exponent bits and M fraction bits. Conversions round once to nearest
/// even and keep subnormals. Saturation is the default, as in training codes; `special` is what
/// IEEE 754 says, as far as the format can say it.
///
/// M = 2, e5m2: as IEEE 754; largest value 57344, smallest normal 2^-14, smallest subnormal 2^-16.
/// M = 3, e4m3 ("fn", finite only): one NaN per sign, the bits of all ones, and no infinity;
/// largest value 448, smallest normal 2^-6, smallest subnormal 2^-9. Source: Micikevicius et al.,
/// FP8 formats for deep learning, 2022; OCP 8-bit floating point specification (OFP8) 1.0, 2023.
template <int M>
class Fp8 {
  static_assert(M == 2 || M == 3, "e5m2 or e4m3");
  static constexpr int bias = M == 2 ? 15 : 7;
  static constexpr std::uint32_t nan_bits = M == 2 ? 0x7e : 0x7f;
  static constexpr std::uint32_t beyond_bits = M == 2 ? 0x7c : 0x7f;  // first code not finite
  static constexpr std::uint32_t special_bits = M == 2 ? 0x7c : nan_bits;

 public:
  /// Zero where value-initialized, else nothing: as float.
  Fp8() = default;

  /// The nearest value, rounded once; ties to even. Of float without branches.
  template <class S>
  requires(std::is_same_v<S, float> || std::is_same_v<S, double>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit Fp8(S value, Fp8Overflow overflow = Fp8Overflow::saturate)
      : bits_(round(value, overflow)) {}

  MCT_HD MCT_ALWAYS_INLINE static constexpr Fp8 from_bits(std::uint8_t bits) {
    Fp8 r;
    r.bits_ = bits;
    return r;
  }
  MCT_HD MCT_ALWAYS_INLINE constexpr std::uint8_t bits() const { return bits_; }

  static constexpr Fp8 max() { return from_bits(std::uint8_t(beyond_bits - 1)); }
  static constexpr Fp8 denorm_min() { return from_bits(1); }
  static constexpr Fp8 quiet_NaN() { return from_bits(std::uint8_t(nan_bits)); }

  /// Exact.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator double() const {
    const std::uint32_t magnitude = bits_ & 0x7f;
    double r = detail::short_value(magnitude, M, bias);
    if (magnitude >= beyond_bits) {
      const bool infinite = M == 2 && magnitude == beyond_bits;
      r = std::bit_cast<double>(infinite ? 0x7ff0000000000000u : 0x7ff8000000000000u);
    }
    return (bits_ & 0x80) != 0 ? -r : r;
  }
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator float() const {
    const std::uint32_t magnitude = bits_ & 0x7fu;
    const auto normal =
        std::bit_cast<float>((magnitude << (23 - M)) + (std::uint32_t(127 - bias) << 23));
    const float subnormal = float(std::int32_t(magnitude)) / subnormal_scale;
    float r = magnitude >> M == 0 ? subnormal : normal;
    const std::uint32_t special = M == 2 && magnitude == beyond_bits ? 0x7f800000u : 0x7fc00000u;
    r = magnitude >= beyond_bits ? std::bit_cast<float>(special) : r;
    return (bits_ & 0x80) != 0 ? -r : r;
  }

  /// As floats compare: NaN is unequal to itself, -0 equal to 0.
  MCT_HD MCT_ALWAYS_INLINE friend constexpr bool operator==(Fp8 a, Fp8 b) {
    return double(a) == double(b);
  }
  MCT_HD MCT_ALWAYS_INLINE friend constexpr std::partial_ordering operator<=>(Fp8 a, Fp8 b) {
    return double(a) <=> double(b);
  }

 private:
  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint8_t round(double value, Fp8Overflow overflow) {
    const auto sign = std::uint32_t(std::bit_cast<std::uint64_t>(value) >> 56 & 0x80);
    if (value != value) return std::uint8_t(sign | nan_bits);
    std::uint32_t r = detail::round_to_short(value, M, bias);
    if (r >= beyond_bits) r = overflow == Fp8Overflow::saturate ? beyond_bits - 1 : special_bits;
    return std::uint8_t(sign | r);
  }

  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint8_t round(float value, Fp8Overflow overflow) {
    constexpr int shift = 23 - M;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = bits & 0x7fffffffu;
    const std::uint32_t rounded = size + ((1u << (shift - 1)) - 1) + ((size >> shift) & 1u);
    const std::uint32_t normal = (rounded >> shift) - (std::uint32_t(127 - bias) << M);
    // 2^23 + n has n in its last bits, rounded to nearest even by the addition
    const float sum = std::bit_cast<float>(size) * subnormal_scale + 0x1p23F;
    const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(sum) & 0xffu;
    std::uint32_t r = size < std::uint32_t(128 - bias) << 23 ? subnormal : normal;
    const std::uint32_t limit = overflow == Fp8Overflow::saturate ? beyond_bits - 1 : special_bits;
    r = r >= beyond_bits ? limit : r;
    r = size > 0x7f800000u ? nan_bits : r;
    return std::uint8_t((bits >> 24 & 0x80u) | r);
  }

  /// The reciprocal of the smallest subnormal number.
  static constexpr float subnormal_scale = float(1u << (bias + M - 1));

  std::uint8_t bits_;
};

using e4m3 = Fp8<3>;
using e5m2 = Fp8<2>;

}  // namespace mct
