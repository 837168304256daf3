// The codes of 8-bit moments with scales for blocks of 16: Strategy::split8.
#pragma once

#include <algorithm>

#include "src/optim/block_scales.hpp"
#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// What the codes of split8's moments mean, for blocks of 16; optim/strategy.hpp says it.
struct BlockCodes {
  using Scales = detail::BlockScales;

  /// The moment with this code; its unit is unit_of_m of the scale.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V m_of(const words_of<V>& code, const V& unit) {
    // 128 more than the signed code, behind a leading bit of 2^23
    const V k = from_words<V>(code ^ words_of<V>(0x4b000080u)) - V(0x1p23F + 128);
    return (k * detail::magnitude(k)) * unit;
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V v_of(const words_of<V>& code, const V& unit) {
    const V k = from_words<V>(code | words_of<V>(0x4b000000u)) - V(0x1p23F);
    const V square = k * k;
    return (square * square) * unit;
  }
  MCT_HD MCT_ALWAYS_INLINE static float unit_of_m(int m_code) {
    return power_of_2(m_code - Scales::m_bias - 14);
  }
  MCT_HD MCT_ALWAYS_INLINE static float unit_of_v(int v_code) {
    return power_of_2(v_code - Scales::v_bias - 32);
  }

  /// The codes of the scales of a block, of its largest sizes.
  MCT_HD MCT_ALWAYS_INLINE static Scales scales_of(float largest_m, float largest_v) {
    return {code_of(largest_v, Scales::v_bias, Scales::largest_v_code),
            code_of(largest_m, Scales::m_bias, Scales::largest_m_code)};
  }
  MCT_HD MCT_ALWAYS_INLINE static float per_unit_of_m(int m_code) {
    return power_of_2(14 + Scales::m_bias - m_code);
  }
  MCT_HD MCT_ALWAYS_INLINE static float per_unit_of_v(int v_code) {
    return power_of_2(32 + Scales::v_bias - v_code);
  }
  /// The magnitude, at most what the largest scale holds.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V size_of(const V& x) {
    return lesser(detail::magnitude(x), V(limit));
  }
  /// 16 random bits as a number in (0, 1).
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V drawn(const words_of<V>& bits) {
    return from_words<V>((bits << 7) | words_of<V>(0x3f800000u)) - V(1.0F - 0x1p-17F);
  }

  /// From k^2 to (k + 1)^2 it is 2 k + 1: the mean of m is right.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> code_of_m(const V& x, const V& per_unit, const V& u) {
    const V squares = size_of(x) * per_unit;
    const V k = as_float<V>(integer_part<V>(detail::square_root(squares)));
    const V up = detail::blend(u * (k + (k + V(1.0F))) < squares - k * k, V(1.0F), V(0.0F));
    const words_of<V> sign = shifted_signed<31>(to_words(x));
    return (integer_part<V>(lesser(k + up, V(127.0F))) ^ sign) - sign;
  }
  /// The mean of the fourth root is right. What is not 0 does not become 0: a small m would be
  /// divided by eps.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> code_of_v(const V& x, const V& per_unit, const V& u) {
    const V v = size_of(x);
    const V code = lesser(fourth_root(v * per_unit) + u, V(255.0F));
    return integer_part<V>(detail::blend(v > V(0.0F), greater(code, V(1.0F)), code));
  }

  /// The fourth root of x, at least 0, within 6e-7 of it above 2^-60, the same bits on every
  /// processor; below that it is less than 2^-15.
  /// Source: three steps of Newton's method for x^(-1/4), from the exponent and the bits behind it.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V fourth_root(const V& x) {
    const V bounded = greater(x, V(0x1p-60F));
    const V quarter = V(0.25F) * bounded;
    V y = from_words<V>(words_of<V>(0x4f584000u) - (to_words(bounded) >> 2));
    for (int step = 0; step < 3; ++step) {
      const V square = y * y;
      y = V(1.25F) * y - (quarter * y) * (square * square);
    }
    return (x * y) * (y * y);
  }

 private:
  /// What the largest scale holds.
  static constexpr float limit = 0x1.f8p127F;

  /// The largest number of a block is at most a scale over this: 255^4 of 256^4 for v, 127^2 of
  /// 128^2 for m, rounded up.
  static constexpr float headroom = 0x1.041p0F;

  /// 2^e of a normal float.
  MCT_HD MCT_ALWAYS_INLINE static float power_of_2(int e) {
    return std::bit_cast<float>(std::uint32_t(e + 127) << 23);
  }
  MCT_HD MCT_ALWAYS_INLINE static int code_of(float largest, int bias, int largest_code) {
    const auto bits = std::bit_cast<std::uint32_t>(largest * headroom);
    return std::clamp(int(bits >> 23) - 126 + bias, 0, largest_code);  // below 2^(exponent + 1)
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
