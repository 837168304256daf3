// Loads of neighbouring narrow floats into the lanes of a wider type, exactly.
#pragma once

#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

#if MCT_WITH_XSIMD && defined(__AVX512F__) && defined(__AVX512VL__) && defined(__F16C__)
#define MCT_HAVE_WIDENING_LOADS 1
using DoubleLanes = xsimd::batch<double>;
using FloatLanes = xsimd::batch<float>;
static_assert(lanes<DoubleLanes> == 8 && lanes<FloatLanes> == 16);

MCT_ALWAYS_INLINE inline void widen(const float* p, DoubleLanes& out) {
  out = _mm512_cvtps_pd(_mm256_loadu_ps(p));
}
MCT_ALWAYS_INLINE inline void widen(const half* p, DoubleLanes& out) {
  out = _mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
MCT_ALWAYS_INLINE inline void widen(const bfloat16* p, DoubleLanes& out) {
  const __m256i bits = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  out = _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(bits, 16)));
}
MCT_ALWAYS_INLINE inline void widen(const half* p, FloatLanes& out) {
  out = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
MCT_ALWAYS_INLINE inline void widen(const bfloat16* p, FloatLanes& out) {
  const __m512i bits =
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  out = _mm512_castsi512_ps(_mm512_slli_epi32(bits, 16));
}
#elif MCT_WITH_XSIMD && defined(__AVX2__) && defined(__F16C__)
#define MCT_HAVE_WIDENING_LOADS 1
using DoubleLanes = xsimd::batch<double>;
using FloatLanes = xsimd::batch<float>;
static_assert(lanes<DoubleLanes> == 4 && lanes<FloatLanes> == 8);

MCT_ALWAYS_INLINE inline void widen(const float* p, DoubleLanes& out) {
  out = _mm256_cvtps_pd(_mm_loadu_ps(p));
}
MCT_ALWAYS_INLINE inline void widen(const half* p, DoubleLanes& out) {
  out = _mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
MCT_ALWAYS_INLINE inline void widen(const bfloat16* p, DoubleLanes& out) {
  const __m128i bits = _mm_cvtepu16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  out = _mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(bits, 16)));
}
MCT_ALWAYS_INLINE inline void widen(const half* p, FloatLanes& out) {
  out = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
MCT_ALWAYS_INLINE inline void widen(const bfloat16* p, FloatLanes& out) {
  const __m256i bits = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  out = _mm256_castsi256_ps(_mm256_slli_epi32(bits, 16));
}
#else
#define MCT_HAVE_WIDENING_LOADS 0
#endif

/// Neighbouring values of T as lanes of V.
template <class V, class T>
MCT_ALWAYS_INLINE inline V load_converted(const T* p) {
  using S = scalar_t<V>;
  if constexpr (std::is_same_v<T, S>) {
    return load_lanes<V>(p);
  } else {
#if MCT_HAVE_WIDENING_LOADS
    V v;
    widen(p, v);
    return v;
#else
    S buffer[lanes<V>];
    for (std::size_t i = 0; i < lanes<V>; ++i) buffer[i] = S(p[i]);
    return load_lanes<V>(buffer);
#endif
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
