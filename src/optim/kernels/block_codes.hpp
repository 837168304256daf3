// The codes of 8-bit moments with scales for blocks of 16: Strategy::split8.
#pragma once

#include <algorithm>

#include "src/optim/block_scales.hpp"
#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// What the codes of split8's moments mean, for blocks of 16; optim/strategy.hpp says it.
struct BlockCodes {
  using Scales = detail::BlockScales;

  /// The moment with this code; its unit is unit_of_m of the scale.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V m_of(const words_of<V>& code, const V& unit) {
    // 128 more than the signed code, after a leading bit of 2^23
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
  /// The lower 16 bits of a random word as a number in (0, 1).
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V drawn(const words_of<V>& word) {
    using W = words_of<V>;
    return from_words<V>((word & W(0xffffu)) | W(0x43000000u)) - V(0x1p7F - 0x1p-17F);
  }

  /// From k^2 to (k + 1)^2 it is 2 k + 1: the mean of m is right. Only the lowest 8 bits of a word
  /// are a code. It is at most 127: squares are below 127^2.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> code_of_m(const V& x, const V& per_unit, const V& u) {
    const V squares = size_of(x) * per_unit;
    // a root that is a number k may become k - 1, which always goes up
    const V sum = (detail::square_root(squares) - V(0.5F)) + V(to_integer);
    const V k = sum - V(to_integer);
    const auto up = u * twice_and_one(k) < squares - k * k;
    const words_of<V> size = one_more<V>(up, sum);
    const words_of<V> sign = shifted_signed<31>(to_words(x));
    return (size ^ sign) - sign;
  }
  /// The code is k if (k - 1 + u)^4 <= v < (k + u)^4: the mean of the fourth root is right, and no
  /// error of a root adds up over many steps. What is not 0 does not become 0: a small m would be
  /// divided by eps. Only the lowest 8 bits of a word are a code. It is at most 255: v is below
  /// 254.996^4.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> code_of_v(const V& x, const V& per_unit, const V& u) {
    const V v = size_of(x);
    const V powers = v * per_unit;
    // k or k - 1, because the error of the root is less than 1/2
    const V smallest = detail::blend(v > V(0.0F), V(to_integer + 1), V(to_integer));
    const V sum = greater((near_fourth_root(powers) - u) + V(to_integer), smallest);
    const V next = (sum - V(to_integer)) + u;
    const V square = next * next;
    return one_more<V>(square * square <= powers, sum);
  }

  template <class V>
  MCT_ALWAYS_INLINE static Twice<V> near_fourth_root(const Twice<V>& x) {
    return {near_fourth_root(x.low), near_fourth_root(x.high)};
  }
  /// The fourth root of x, at least 0, within 6e-4 of it for normal x; for subnormal ones less than
  /// 2^-30. The bits depend on the processor, those of codes do not.
  /// Source: the processor's 1 / sqrt, within 1.5 2^-12, twice. Elsewhere y is near x^(-1/4), from
  /// the exponent and the bits after it, t = x y^4 is from 0.78 to 0.99, and x^(1/4) is
  /// (x y^3) t^(-3/4); the polynomial is the best one of its degree there.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V near_fourth_root(const V& x) {
#if MCT_WITH_XSIMD && defined(__SSE2__)
    if constexpr (lanes < V >> 1) {
#if defined(__AVX512F__)
      return _mm512_rsqrt14_ps(_mm512_rsqrt14_ps(x));
#elif defined(__AVX2__)
      return _mm256_rsqrt_ps(_mm256_rsqrt_ps(x));
#else
      return _mm_rsqrt_ps(_mm_rsqrt_ps(x));
#endif
    }
#endif
    const V y = from_words<V>(words_of<V>(0x4f520000u) - (to_words(x) >> 2));
    const V near = (x * y) * (y * y);
    const V t = near * y;
    return near * ((V(0.92658486F) * t - V(2.5766277F)) * t + V(2.6505428F));
  }

 private:
  /// What the largest scale holds.
  static constexpr float limit = 0x1.f8p127F;

  /// The largest number of a block is at most a scale over this: 255^4 of 256^4 for v, 127^2 of
  /// 128^2 for m, rounded up.
  static constexpr float headroom = 0x1.041p0F;

  /// Added to a number that is much smaller, it leaves the nearest integer in the lowest bits.
  static constexpr float to_integer = 0x1.8p23F;

  /// 2 k + 1, which is exact: the bits do not depend on how.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V twice_and_one(const V& k) {
#if MCT_HAS_FMA
    return detail::fused_multiply_add(k, V(2.0F), V(1.0F));
#else
    return k * V(2.0F) + V(1.0F);
#endif
  }

  /// The bits of x, and 1 more where the mask is set.
  template <class V, class M>
  MCT_HD MCT_ALWAYS_INLINE static words_of<V> one_more(const M& mask, const V& x) {
    using W = words_of<V>;
    return to_words(detail::blend(mask, from_words<V>(to_words(x) + W(1u)), x));
  }

  /// 2^e of a normal float.
  MCT_HD MCT_ALWAYS_INLINE static float power_of_2(int e) {
    return std::bit_cast<float>(std::uint32_t(e + 127) << 23);
  }
  MCT_HD MCT_ALWAYS_INLINE static int code_of(float largest, int bias, int largest_code) {
    const auto bits = std::bit_cast<std::uint32_t>(largest * headroom);
    return std::clamp(int(bits >> 23) - 126 + bias, 0, largest_code);  // below 2^(exponent + 1)
  }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
