// Float lanes as 16-bit numbers: rounding to a format without leaving the lanes, loads and stores.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "mctensor/eft/two_sum.hpp"
#include "src/tensor/kernels/short_words.hpp"
#include "src/tensor/kernels/twice.hpp"
#include "src/tensor/kernels/widening_loads.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The 32-bit words beside lanes of float.
template <class V>
struct BitsOfLanes {
  using Words = std::uint32_t;
  MCT_HD MCT_ALWAYS_INLINE static Words words(float x) { return std::bit_cast<Words>(x); }
  MCT_HD MCT_ALWAYS_INLINE static float value(Words x) { return std::bit_cast<float>(x); }
};
#if MCT_WITH_XSIMD
template <class A>
struct BitsOfLanes<xsimd::batch<float, A>> {
  using V = xsimd::batch<float, A>;
  using Words = xsimd::batch<std::uint32_t, A>;
  MCT_ALWAYS_INLINE static Words words(const V& x) { return std::bit_cast<Words>(x); }
  MCT_ALWAYS_INLINE static V value(const Words& x) { return std::bit_cast<V>(x); }
};
#endif
template <class V>
using words_of = typename BitsOfLanes<V>::Words;

template <class V>
MCT_HD MCT_ALWAYS_INLINE inline words_of<V> to_words(const V& x) {
  return BitsOfLanes<V>::words(x);
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V from_words(const words_of<V>& x) {
  return BitsOfLanes<V>::value(x);
}
/// Words as signed numbers, shifted to the right: their sign fills what becomes free.
template <int bits, class W>
MCT_HD MCT_ALWAYS_INLINE inline W shifted_signed(const W& x) {
#if MCT_WITH_XSIMD
  if constexpr (!std::is_same_v<W, std::uint32_t>) {
    using Signed = xsimd::batch<std::int32_t, typename W::arch_type>;
    return std::bit_cast<W>(std::bit_cast<Signed>(x) >> bits);
  } else
#endif
    return W(std::int32_t(x) >> bits);
}
template <class V>
MCT_ALWAYS_INLINE inline words_of<V> load_words(const void* p) {
  if constexpr (lanes<V> == 1) {
    std::uint32_t word = 0;
    std::memcpy(&word, p, sizeof(word));
    return word;
  } else {
    return words_of<V>::load_unaligned(static_cast<const std::uint32_t*>(p));
  }
}
template <class V>
MCT_ALWAYS_INLINE inline void store_words(const words_of<V>& x, void* p) {
  if constexpr (lanes<V> == 1) {
    std::memcpy(p, &x, sizeof(x));
  } else {
    x.store_unaligned(static_cast<std::uint32_t*>(p));
  }
}

/// x < y ? x : y: of NaN, y.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V lesser(const V& x, const V& y) {
#if MCT_WITH_XSIMD && defined(__SSE2__)
  if constexpr (lanes < V >> 1) return xsimd::min(x, y);  // minps is defined so
#endif
  return detail::blend(x < y, x, y);
}
/// x > y ? x : y: of NaN, y.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V greater(const V& x, const V& y) {
#if MCT_WITH_XSIMD && defined(__SSE2__)
  if constexpr (lanes < V >> 1) return xsimd::max(x, y);  // maxps is defined so
#endif
  return detail::blend(x > y, x, y);
}

// What is said of registers above, of two of them.
template <class V>
struct BitsOfLanes<Twice<V>> {
  using Words = Twice<words_of<V>>;
  MCT_ALWAYS_INLINE static Words words(const Twice<V>& x) {
    return {to_words(x.low), to_words(x.high)};
  }
  MCT_ALWAYS_INLINE static Twice<V> value(const Words& x) {
    return {from_words<V>(x.low), from_words<V>(x.high)};
  }
};
template <int bits, class W>
MCT_ALWAYS_INLINE inline Twice<W> shifted_signed(const Twice<W>& x) {
  return {shifted_signed<bits>(x.low), shifted_signed<bits>(x.high)};
}
template <class V>
MCT_ALWAYS_INLINE inline Twice<V> lesser(const Twice<V>& x, const Twice<V>& y) {
  return {lesser(x.low, y.low), lesser(x.high, y.high)};
}
template <class V>
MCT_ALWAYS_INLINE inline Twice<V> greater(const Twice<V>& x, const Twice<V>& y) {
  return {greater(x.low, y.low), greater(x.high, y.high)};
}

/// The largest of lanes that are at least 0.
template <class V>
MCT_ALWAYS_INLINE inline float largest_lane(const V& x) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  return _mm512_reduce_max_ps(x);
#elif MCT_WITH_XSIMD && defined(__SSE2__)
#if defined(__AVX2__)
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
#else
  const __m128 four = x;
#endif
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
#else
  alignas(64) float values[lanes<V>];
  store_lanes(x, values);
  float largest = 0;
  for (const float value : values) largest = value > largest ? value : largest;
  return largest;
#endif
}

/// Words to whose upper halves the lower ones are rounded, to nearest even; the lower ones then
/// mean nothing.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline W round_to_upper(const W& bits) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  if constexpr (sizeof(W) == 64) {
    const __m512i down = _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff));
    const __mmask16 odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x10000));
    return _mm512_mask_add_epi32(down, odd, down, _mm512_set1_epi32(1));
  }
#endif
  return bits + W(0x7fffu) + ((bits >> 16) & W(1u));
}
template <class W>
MCT_ALWAYS_INLINE inline Twice<W> round_to_upper(const Twice<W>& bits) {
  return {round_to_upper(bits.low), round_to_upper(bits.high)};
}

/// How float lanes are rounded to a format T, to nearest even or stochastically with 16 random
/// bits in each word. Results are floats that T holds, infinities included; NaN stays NaN.
///
/// A result of to_store may have bits beyond T's, which a store cuts off and which `cut` clears. On
/// a GPU to_store leaves the rounding to the store, which does two at once, and to `cut`.
template <class T, class V>
struct RoundLanes;

template <class V>
struct RoundLanes<float, V> {
  using W = words_of<V>;

  MCT_HD MCT_ALWAYS_INLINE static V nearest(const V& x) { return x; }
  MCT_HD MCT_ALWAYS_INLINE static V cut(const V& x) { return x; }
  /// x + y, rounded to one of the two floats around it, to the farther one with the probability
  /// that makes the mean exact but for 2^-23 of their distance, with the upper 23 of the random
  /// bits.
  MCT_HD MCT_ALWAYS_INLINE static V stochastic_sum(const V& x, const V& y, const W& random) {
    return sum_by(x, y, random >> 9);
  }
  /// The same with floats of 23 bits, the lower 9 of which are 0: what float cannot hold of the sum
  /// is rounded with the lower 23 of the random bits, the rest with the upper 9.
  MCT_HD MCT_ALWAYS_INLINE static V stochastic_short_sum(const V& x, const V& y, const W& random) {
    const V sum = sum_by(x, y, random & W(0x7fffffu));
    const W rounded = (to_words(sum) + (random >> 23)) & W(0xfffffe00u);
    return detail::blend(detail::is_finite_mask(sum), from_words<V>(rounded), sum);
  }

 private:
  /// stochastic_sum with 23 random bits.
  MCT_HD MCT_ALWAYS_INLINE static V sum_by(const V& x, const V& y, const W& bits) {
    const auto [sum, error] = two_sum(x, y);
    // the float beyond the exact sum: one more or one less in magnitude
    const W outward = shifted_signed<31>(W(to_words(sum) ^ to_words(error))) | W(1u);
    const V beyond = from_words<V>(to_words(sum) + outward);
    const V drawn = from_words<V>(bits | W(0x3f800000u)) - V(1.0F - 0x1p-24F);
    const V bound = drawn * (beyond - sum);  // with the sign of the error
    return detail::blend(detail::magnitude(error) > detail::magnitude(bound), beyond, sum);
  }
};

template <class V>
struct RoundLanes<bfloat16, V> {
  using W = words_of<V>;

  MCT_HD MCT_ALWAYS_INLINE static V nearest(const V& x) {
#if defined(__CUDA_ARCH__)
    return cut(x);
#else
    return detail::blend(x == x, nearest_number(x), x);
#endif
  }
  /// The same if a NaN in x comes from 16-bit numbers: only one with a longer payload is lost.
  MCT_HD MCT_ALWAYS_INLINE static V nearest_number(const V& x) { return cut(to_store(x)); }
  MCT_HD MCT_ALWAYS_INLINE static V to_store(const V& x) {
#if defined(__CUDA_ARCH__)
    return x;
#else
    return from_words<V>(round_to_upper(to_words(x)));
#endif
  }
  MCT_HD MCT_ALWAYS_INLINE static V cut(const V& x) {
#if defined(__CUDA_ARCH__)
    return ShortWords<bfloat16>::rounded(x);
#else
    return from_words<V>(to_words(x) & W(0xffff0000u));
#endif
  }
  MCT_HD MCT_ALWAYS_INLINE static V stochastic(const V& x, const W& random) {
    const W rounded = (to_words(x) + random) & W(0xffff0000u);
    return detail::blend(x == x, from_words<V>(rounded), x);  // an infinity has no bits to round
  }
  /// The same, to be stored, of numbers as nearest_number takes them.
  MCT_HD MCT_ALWAYS_INLINE static V stochastic_to_store(const V& x, const W& random) {
#if defined(__CUDA_ARCH__)
    return stochastic(x, random);
#else
    return from_words<V>(to_words(x) + random);
#endif
  }
};

template <class V>
struct RoundLanes<half, V> {
  using W = words_of<V>;
  static constexpr float smallest_normal = 0x1p-14F;
  static constexpr float overflow = 65520;  // halfway beyond the largest half
  static constexpr float infinity = FloatTraits<float>::infinity;

  MCT_HD MCT_ALWAYS_INLINE static V nearest_number(const V& x) { return nearest(x); }
#if defined(__CUDA_ARCH__)
  MCT_HD MCT_ALWAYS_INLINE static V to_store(const V& x) { return x; }
  MCT_HD MCT_ALWAYS_INLINE static V cut(const V& x) { return nearest(x); }
  MCT_HD MCT_ALWAYS_INLINE static V nearest(const V& x) { return ShortWords<half>::rounded(x); }
#else
  MCT_HD MCT_ALWAYS_INLINE static V to_store(const V& x) { return nearest(x); }
  MCT_HD MCT_ALWAYS_INLINE static V cut(const V& x) { return x; }
  MCT_HD MCT_ALWAYS_INLINE static V nearest(const V& x) {
    const W bits = to_words(x);
    const W rounded = (bits + W(0xfffu) + ((bits >> 13) & W(1u))) & W(0xffffe000u);
    return finish(x, from_words<V>(rounded), (detail::magnitude(x) + V(0.5F)) - V(0.5F));
  }
#endif
  MCT_HD MCT_ALWAYS_INLINE static V stochastic(const V& x, const W& random) {
    const W rounded = (to_words(x) + (random >> 3)) & W(0xffffe000u);
    // subnormals are multiples of 2^-24: a random part of one is added, the rest cut off
    const V part = fraction(random >> 3);
    const V scaled = detail::magnitude(x) * V(0x1p24F) + part;
    const V cut = (scaled + V(0x1p23F)) - V(0x1p23F);
    const V down = detail::blend(cut > scaled, cut - V(1.0F), cut);
    return finish(x, from_words<V>(rounded), down * V(0x1p-24F));
  }
  MCT_HD MCT_ALWAYS_INLINE static V stochastic_to_store(const V& x, const W& random) {
    return stochastic(x, random);
  }

 private:
  /// 13 random bits as a number in [0, 1).
  MCT_HD MCT_ALWAYS_INLINE static V fraction(const W& random) {
    return from_words<V>((random << 10) | W(0x3f800000u)) - V(1.0F);
  }
  MCT_HD MCT_ALWAYS_INLINE static V finish(const V& x, const V& normal, const V& small_magnitude) {
    const V size = detail::magnitude(x);
    const V sign = from_words<V>((to_words(x) & W(0x80000000u)) | W(0x3f800000u));
    V r = detail::blend(size < V(smallest_normal), small_magnitude * sign, normal);
    r = detail::blend(detail::magnitude(r) >= V(overflow), V(infinity) * sign, r);
    return detail::blend(x == x, r, x);
  }
};

/// Stores floats that T holds; of bfloat16, what is beyond 16 bits is cut off.
template <class V>
MCT_ALWAYS_INLINE inline void store_narrow(const V& x, float* p) {
  store_lanes(x, p);
}
template <class V, class T>
MCT_ALWAYS_INLINE inline void store_narrow(const V& x, T* p) {
#if MCT_HAVE_WIDENING_LOADS && defined(__AVX512F__)
  const __m256i bits = [&] {
    if constexpr (std::is_same_v<T, half>) {
      return _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
    } else {
      return _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_castps_si512(x), 16));
    }
  }();
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), bits);
#elif MCT_HAVE_WIDENING_LOADS
  if constexpr (std::is_same_v<T, half>) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
  } else {
    const __m256i words = _mm256_srli_epi32(_mm256_castps_si256(x), 16);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(words, words), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
  }
#else
  float buffer[lanes<V>];
  store_lanes(x, buffer);
  for (std::size_t i = 0; i < lanes<V>; ++i) {
    if constexpr (std::is_same_v<T, bfloat16>) {
      p[i] = T::from_bits(std::uint16_t(std::bit_cast<std::uint32_t>(buffer[i]) >> 16));
    } else {
      p[i] = T(buffer[i]);
    }
  }
#endif
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
