// Bytes in memory as lanes of 32-bit words, and back.
#pragma once

#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// lanes<V> bytes, each in the low part of a word.
template <class V>
MCT_ALWAYS_INLINE inline words_of<V> load_byte_words(const std::uint8_t* p) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#elif MCT_WITH_XSIMD && defined(__AVX2__)
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
#elif MCT_WITH_XSIMD && defined(__SSE2__)
  std::int32_t four = 0;
  std::memcpy(&four, p, sizeof(four));
  const __m128i zero = _mm_setzero_si128();
  return _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero), zero);
#else
  alignas(64) std::uint32_t wide[lanes<V>];
  for (std::size_t i = 0; i < lanes<V>; ++i) wide[i] = p[i];
  return load_words<V>(wide);
#endif
}

/// The same as signed numbers.
template <class V>
MCT_ALWAYS_INLINE inline words_of<V> load_signed_byte_words(const std::uint8_t* p) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  return _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#else
  return shifted_signed<24>(words_of<V>(load_byte_words<V>(p) << 24));
#endif
}

/// Stores the lowest bytes of words.
template <class V>
MCT_ALWAYS_INLINE inline void store_byte_words(const words_of<V>& x, std::uint8_t* p) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(x));
#elif MCT_WITH_XSIMD && defined(__SSE2__)
  const words_of<V> low = x & words_of<V>(0xffu);
#if defined(__AVX2__)
  const __m128i shorts =
      _mm_packs_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
#else
  const __m128i shorts = _mm_packs_epi32(low, low);
#endif
  const __m128i bytes = _mm_packus_epi16(shorts, shorts);
  std::memcpy(p, &bytes, lanes<V>);
#else
  alignas(64) std::uint32_t wide[lanes<V>];
  store_words<V>(x, wide);
  for (std::size_t i = 0; i < lanes<V>; ++i) p[i] = std::uint8_t(wide[i]);
#endif
}

template <class V, class W>
MCT_ALWAYS_INLINE inline void store_byte_words(const Twice<W>& x, std::uint8_t* p) {
  store_byte_words<V>(x.low, p);
  store_byte_words<V>(x.high, p + lanes<W>);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
