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
    const words_of<V> sign = code >> 7;
    const V k = as_number<V>(((code ^ (words_of<V>(0u) - sign)) + sign) & words_of<V>(0xffu));
    const V signed_unit = from_words<V>(to_words(unit) | (sign << 31));
    return (k * k) * signed_unit;
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V v_of(const words_of<V>& code, const V& root_unit) {
    const V root = as_number<V>(code) * root_unit;
    const V square = root * root;
    return square * square;
  }
  MCT_HD MCT_ALWAYS_INLINE static float unit_of_m(int m_code) {
    return power_of_2(m_code - Scales::m_bias - 14);
  }
  MCT_HD MCT_ALWAYS_INLINE static float root_unit_of_v(int v_code) {
    return root_scale(v_code) * 0x1p-8F;
  }

  /// The codes of the scales of a block, of its largest sizes.
  MCT_HD MCT_ALWAYS_INLINE static Scales scales_of(float largest_m, float largest_v) {
    return {code_of(largest_v, Scales::v_bias, Scales::largest_v_code),
            code_of(largest_m, Scales::m_bias, Scales::largest_m_code)};
  }
  MCT_HD MCT_ALWAYS_INLINE static float per_unit_of_m(int m_code) {
    return power_of_2(14 + Scales::m_bias - m_code);
  }
  MCT_HD MCT_ALWAYS_INLINE static float per_root_unit_of_v(int v_code) {
    return inverse_root_scale(v_code) * 0x1p8F;
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
    const V k = whole_part(detail::square_root(squares));
    const V up = detail::blend(u * (k + (k + V(1.0F))) < squares - k * k, V(1.0F), V(0.0F));
    const words_of<V> code = as_byte(lesser(k + up, V(127.0F)));
    const words_of<V> sign = to_words(x) >> 31;
    return (code ^ (words_of<V>(0u) - sign)) + sign;
  }
  /// The mean of the fourth root is right. What is not 0 does not become 0: a small m would be
  /// divided by eps.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> code_of_v(const V& x, const V& per_root_unit,
                                                        const V& u) {
    const V v = size_of(x);
    const V root = detail::square_root(detail::square_root(v)) * per_root_unit;
    const V code = lesser(whole_part(root + u), V(255.0F));
    return as_byte(detail::blend(v > V(0.0F), greater(code, V(1.0F)), code));
  }

 private:
  /// What the largest scale holds.
  static constexpr float limit = 0x1.f8p127F;

  /// The largest number of a block is at most a scale over this: 255^4 of 256^4 for v, 127^2 of
  /// 128^2 for m, rounded up.
  static constexpr float headroom = 0x1.041p0F;

  /// Number i of four; in a thread of a GPU a table would lie in its memory.
  MCT_HD MCT_ALWAYS_INLINE static float choose(const int i, float x0, float x1, float x2,
                                               float x3) {
#if defined(__CUDA_ARCH__)
    const float even = i < 2 ? x0 : x2;
    const float odd = i < 2 ? x1 : x3;
    return i % 2 == 0 ? even : odd;
#else
    const float all[4] = {x0, x1, x2, x3};
    return all[i];
#endif
  }

  /// 2^e of a normal float.
  MCT_HD MCT_ALWAYS_INLINE static float power_of_2(int e) {
    return std::bit_cast<float>(std::uint32_t(e + 127) << 23);
  }
  /// The fourth root of the scale with this code, and its inverse.
  MCT_HD MCT_ALWAYS_INLINE static float root_scale(int code) {
    // the fourth roots of 1, 2, 4, 8, rounded
    const float root = choose((code + 2) % 4, 1, 0x1.306fe0p+0F, 0x1.6a09e6p+0F, 0x1.ae89fap+0F);
    return root * power_of_2((code + 2) / 4 - 24);  // 2 - 4 * 24 = -94
  }
  MCT_HD MCT_ALWAYS_INLINE static float inverse_root_scale(int code) {
    const float root = choose((code + 2) % 4, 1, 0x1.ae89fap-1F, 0x1.6a09e6p-1F, 0x1.306fe0p-1F);
    return root * power_of_2(24 - (code + 2) / 4);
  }
  static_assert(Scales::v_bias == 4 * 24 - 2);

  MCT_HD MCT_ALWAYS_INLINE static int code_of(float largest, int bias, int largest_code) {
    const auto bits = std::bit_cast<std::uint32_t>(largest * headroom);
    return std::clamp(int(bits >> 23) - 126 + bias, 0, largest_code);  // below 2^(exponent + 1)
  }

  /// 0 ... 255 as a float.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V as_number(const words_of<V>& x) {
    return from_words<V>(x | words_of<V>(0x4b000000u)) - V(0x1p23F);
  }
  /// The largest integer at most x, for x from 0 to 256.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V whole_part(const V& x) {
    const V rounded = (x + V(0x1p23F)) - V(0x1p23F);
    return detail::blend(rounded > x, rounded - V(1.0F), rounded);
  }
  /// The integer as a byte.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> as_byte(const V& x) {
    return to_words(x + V(0x1p23F)) & words_of<V>(0xffu);
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
