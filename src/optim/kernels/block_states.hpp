// 8-bit moments with scales for blocks of 16, as floats: a group at a time. Strategy::split8.
#pragma once

#include <algorithm>
#include <cstring>

#include "src/optim/block_scales.hpp"
#include "src/optim/kernels/adamw_table.hpp"
#include "src/optim/kernels/byte_lanes.hpp"
#include "src/optim/kernels/lane_pairs.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using optim_detail::group_length;

/// The moments of one group; optim/strategy.hpp says what their codes are. Functions of their own:
/// every kernel with such states calls the same ones.
struct BlockStates {
  static constexpr auto block = std::size_t(optim::scale_block);
  using Scales = detail::BlockScales;

  alignas(64) float m[group_length];
  alignas(64) float v[group_length];

  [[gnu::noinline]] void open(const std::uint8_t* m8, const std::uint8_t* v8,
                              const std::uint8_t* low) {
    using V = widest_batch<float>;
    for (std::size_t b = 0; b < group_length; b += block) {
      const Scales scales = detail::scales_of_block(low + b);
      const V unit(power_of_2(scales.m_code - Scales::m_bias - 14));
      const V root_unit(root_scale(scales.v_code) * 0x1p-8F);
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        const words_of<V> code = load_byte_words<V>(m8 + i);
        const words_of<V> sign = code >> 7;
        const V k = as_number<V>(((code ^ (words_of<V>(0u) - sign)) + sign) & words_of<V>(0xffu));
        const V signed_unit = from_words<V>(to_words(unit) | (sign << 31));
        store_lanes((k * k) * signed_unit, m + i);
        const V root = as_number<V>(load_byte_words<V>(v8 + i)) * root_unit;
        const V square = root * root;
        store_lanes(square * square, v + i);
      }
    }
  }

  /// The lowest bits of the bytes of low are 0. random_m, random_v: 16 random bits for each.
  [[gnu::noinline]] void close(std::uint8_t* m8, std::uint8_t* v8, std::uint8_t* low,
                               const std::uint16_t* random_m, const std::uint16_t* random_v) const {
    using V = widest_batch<float>;
    for (std::size_t b = 0; b < group_length; b += block) {
      V largest_m(0.0F);
      V largest_v(0.0F);
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        largest_m = greater(size_of(load_lanes<V>(m + i)), largest_m);
        largest_v = greater(size_of(load_lanes<V>(v + i)), largest_v);
      }
      const Scales scales{code_of(largest_lane(largest_v), Scales::v_bias, Scales::largest_v_code),
                          code_of(largest_lane(largest_m), Scales::m_bias, Scales::largest_m_code)};
      detail::set_scales(scales, low + b);
      const V per_unit(power_of_2(14 + Scales::m_bias - scales.m_code));
      const V per_root_unit(inverse_root_scale(scales.v_code) * 0x1p8F);
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        store_byte_words<V>(code_of_m(load_lanes<V>(m + i), per_unit, drawn<V>(random_m + i)),
                            m8 + i);
        store_byte_words<V>(code_of_v(load_lanes<V>(v + i), per_root_unit, drawn<V>(random_v + i)),
                            v8 + i);
      }
    }
  }

 private:
  /// What the largest scale holds.
  static constexpr float limit = 0x1.f8p127F;

  /// The largest number of a block is at most a scale over this: 255^4 of 256^4 for v, 127^2 of
  /// 128^2 for m, rounded up.
  static constexpr float headroom = 0x1.041p0F;

  /// The fourth roots of 1, 2, 4, 8, and their inverses, rounded.
  static constexpr float root_of_power[4] = {1, 0x1.306fe0p+0F, 0x1.6a09e6p+0F, 0x1.ae89fap+0F};
  static constexpr float inverse_root_of_power[4] = {1, 0x1.ae89fap-1F, 0x1.6a09e6p-1F,
                                                     0x1.306fe0p-1F};

  /// 2^e of a normal float.
  MCT_ALWAYS_INLINE static float power_of_2(int e) {
    return std::bit_cast<float>(std::uint32_t(e + 127) << 23);
  }
  /// The fourth root of the scale with this code, and its inverse.
  MCT_ALWAYS_INLINE static float root_scale(int code) {
    return root_of_power[(code + 2) % 4] * power_of_2((code + 2) / 4 - 24);  // 2 - 4 * 24 = -94
  }
  MCT_ALWAYS_INLINE static float inverse_root_scale(int code) {
    return inverse_root_of_power[(code + 2) % 4] * power_of_2(24 - (code + 2) / 4);
  }
  static_assert(Scales::v_bias == 4 * 24 - 2);

  MCT_ALWAYS_INLINE static int code_of(float largest, int bias, int largest_code) {
    const auto bits = std::bit_cast<std::uint32_t>(largest * headroom);
    return std::clamp(int(bits >> 23) - 126 + bias, 0, largest_code);  // below 2^(exponent + 1)
  }

  template <class V>
  MCT_ALWAYS_INLINE static V size_of(const V& x) {
    return lesser(detail::magnitude(x), V(limit));
  }
  /// 0 ... 255 as a float.
  template <class V>
  MCT_ALWAYS_INLINE static V as_number(const words_of<V>& x) {
    return from_words<V>(x | words_of<V>(0x4b000000u)) - V(0x1p23F);
  }
  /// The largest integer at most x, for x from 0 to 256.
  template <class V>
  MCT_ALWAYS_INLINE static V whole_part(const V& x) {
    const V rounded = (x + V(0x1p23F)) - V(0x1p23F);
    return detail::blend(rounded > x, rounded - V(1.0F), rounded);
  }
  /// The integer as a byte.
  template <class V>
  MCT_ALWAYS_INLINE static words_of<V> as_byte(const V& x) {
    return to_words(x + V(0x1p23F)) & words_of<V>(0xffu);
  }
  /// 16 random bits as a number in (0, 1).
  template <class V>
  MCT_ALWAYS_INLINE static V drawn(const std::uint16_t* random) {
    const words_of<V> bits = load_word_of_pair<PairLayout::halves, V>(random, 0);
    return from_words<V>((bits << 7) | words_of<V>(0x3f800000u)) - V(1.0F - 0x1p-17F);
  }

  /// From k^2 to (k + 1)^2 it is 2 k + 1: the mean of m is right.
  template <class V>
  MCT_ALWAYS_INLINE static words_of<V> code_of_m(const V& x, const V& per_unit, const V& u) {
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
  MCT_ALWAYS_INLINE static words_of<V> code_of_v(const V& x, const V& per_root_unit, const V& u) {
    const V v = size_of(x);
    const V root = detail::square_root(detail::square_root(v)) * per_root_unit;
    const V code = lesser(whole_part(root + u), V(255.0F));
    return as_byte(detail::blend(v > V(0.0F), greater(code, V(1.0F)), code));
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
