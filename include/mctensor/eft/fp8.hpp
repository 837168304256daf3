// The 8-bit storage format e4m3: conversion from and to float and double, no arithmetic.
//
// Error: to e4m3 rounded once, back exactly.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <type_traits>

#include "mctensor/eft/short_format.hpp"

namespace mct {

/// An 8-bit number of 4 exponent and 3 fraction bits ("fn", finite only): one NaN per sign, the
/// bits of all ones, and no infinity; largest value 448, smallest normal 2^-6, smallest subnormal
/// 2^-9. Conversions round once to nearest even and keep subnormals; what is larger than 448
/// becomes 448, infinities too, as in training codes; NaN stays NaN. Source: Micikevicius et al.
/// 2022; OCP 8-bit floating point specification (OFP8) 1.0, 2023.
class e4m3 {
  static constexpr int fraction_bits = 3;
  static constexpr int bias = 7;
  static constexpr std::uint32_t nan_bits = 0x7f;
  static constexpr std::uint32_t largest_bits = 0x7e;

 public:
  /// Zero where value-initialized, else nothing: as float.
  e4m3() = default;

  /// The nearest value, rounded once; ties to even. Of float without branches.
  template <class S>
  requires(std::is_same_v<S, float> || std::is_same_v<S, double>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit e4m3(S value)
      : bits_(round(value)) {}

  MCT_HD MCT_ALWAYS_INLINE static constexpr e4m3 from_bits(std::uint8_t bits) {
    e4m3 r;
    r.bits_ = bits;
    return r;
  }
  MCT_HD MCT_ALWAYS_INLINE constexpr std::uint8_t bits() const { return bits_; }

  static constexpr e4m3 max() { return from_bits(std::uint8_t(largest_bits)); }
  static constexpr e4m3 denorm_min() { return from_bits(1); }
  static constexpr e4m3 quiet_NaN() { return from_bits(std::uint8_t(nan_bits)); }

  /// Exact.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator double() const { return float(*this); }
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator float() const {
    const std::uint32_t magnitude = bits_ & 0x7fu;
    const auto normal = std::bit_cast<float>((magnitude << (23 - fraction_bits)) +
                                             (std::uint32_t(127 - bias) << 23));
    const float subnormal = float(std::int32_t(magnitude)) / subnormal_scale;
    float r = magnitude >> fraction_bits == 0 ? subnormal : normal;
    r = magnitude > largest_bits ? std::bit_cast<float>(0x7fc00000u) : r;
    return (bits_ & 0x80) != 0 ? -r : r;
  }

  /// As floats compare: NaN is unequal to itself, -0 equal to 0.
  MCT_HD MCT_ALWAYS_INLINE friend constexpr bool operator==(e4m3 a, e4m3 b) {
    return float(a) == float(b);
  }
  MCT_HD MCT_ALWAYS_INLINE friend constexpr std::partial_ordering operator<=>(e4m3 a, e4m3 b) {
    return float(a) <=> float(b);
  }

 private:
  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint8_t round(double value) {
    const auto sign = std::uint32_t(std::bit_cast<std::uint64_t>(value) >> 56 & 0x80);
    if (value != value) return std::uint8_t(sign | nan_bits);
    const std::uint32_t r = detail::round_to_short(value, fraction_bits, bias);
    return std::uint8_t(sign | (r > largest_bits ? largest_bits : r));
  }

  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint8_t round(float value) {
    constexpr int shift = 23 - fraction_bits;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = bits & 0x7fffffffu;
    const std::uint32_t rounded = size + ((1u << (shift - 1)) - 1) + ((size >> shift) & 1u);
    const std::uint32_t normal = (rounded >> shift) - (std::uint32_t(127 - bias) << fraction_bits);
    // 2^23 + n has n in its last bits, rounded to nearest even by the addition
    const float sum = std::bit_cast<float>(size) * subnormal_scale + 0x1p23F;
    const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(sum) & 0xffu;
    std::uint32_t r = size < std::uint32_t(128 - bias) << 23 ? subnormal : normal;
    r = r > largest_bits ? largest_bits : r;
    r = size > 0x7f800000u ? nan_bits : r;
    return std::uint8_t((bits >> 24 & 0x80u) | r);
  }

  /// The reciprocal of the smallest subnormal number.
  static constexpr float subnormal_scale = float(1u << (bias + fraction_bits - 1));

  std::uint8_t bits_;
};

}  // namespace mct
