// Stores of lanes of double as neighbouring numbers of a shorter format, each rounded once.
#pragma once

#include "mctensor/eft/representation.hpp"
#include "src/tensor/kernels/widening_loads.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

#if MCT_HAVE_WIDENING_LOADS
/// A number that rounds to T as y does, and that float holds or rounds without a change of that
/// result: y with 24 bits, the last of them odd if anything is cut off; below the normal numbers of
/// T, y rounded to T.
template <class T, class V>
MCT_ALWAYS_INLINE inline V within_float(const V& y) {
  using R = Representation<V>;
  using Bits = typename R::Bits;
  constexpr std::uint64_t last = std::uint64_t(1) << 29;
  const Bits bits = R::bits(y);
  const Bits cut = bits & Bits(last - 1);
  // a carry into the last bit unless nothing is cut off
  const Bits odd = (cut + Bits(last - 1)) & Bits(last);
  const V sticky = R::value((bits & ~Bits(last - 1)) | odd);
  constexpr double least_normal = pow2<double>(FloatTraits<T>::emin + FloatTraits<T>::p - 1);
  const V size = detail::magnitude(y);
  if (detail::all_lanes(size >= V(least_normal))) return sticky;
  const auto tiny = size < V(least_normal);
  const V shift(1.5 * pow2<double>(FloatTraits<T>::emin) * 0x1p52);
  const V rounded = (y + shift) - shift;
  const Bits sign(std::uint64_t(1) << 63);
  const V signed_zero = R::value(R::bits(rounded) | (bits & sign));
  return detail::blend(tiny, signed_zero, sticky);
}

MCT_ALWAYS_INLINE inline void store_rounded(const DoubleLanes& y, float* p) {
#if defined(__AVX512F__)
  _mm256_storeu_ps(p, _mm512_cvtpd_ps(y));
#else
  _mm_storeu_ps(p, _mm256_cvtpd_ps(y));
#endif
}
MCT_ALWAYS_INLINE inline void store_rounded(const DoubleLanes& y, half* p) {
  const DoubleLanes exact = within_float<half>(y);
#if defined(__AVX512F__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                   _mm256_cvtps_ph(_mm512_cvtpd_ps(exact), _MM_FROUND_TO_NEAREST_INT));
#else
  _mm_storel_epi64(reinterpret_cast<__m128i*>(p),
                   _mm_cvtps_ph(_mm256_cvtpd_ps(exact), _MM_FROUND_TO_NEAREST_INT));
#endif
}
MCT_ALWAYS_INLINE inline void store_rounded(const DoubleLanes& y, bfloat16* p) {
  const DoubleLanes exact = within_float<bfloat16>(y);
  // the upper half of a float, its last bit settled by adding almost half of it, or half if odd
#if defined(__AVX512F__)
  const __m256i bits = _mm256_castps_si256(_mm512_cvtpd_ps(exact));
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i sum = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                   _mm256_cvtepi32_epi16(_mm256_srli_epi32(sum, 16)));
#else
  const __m128i bits = _mm_castps_si128(_mm256_cvtpd_ps(exact));
  const __m128i odd = _mm_and_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(1));
  const __m128i sum = _mm_add_epi32(bits, _mm_add_epi32(odd, _mm_set1_epi32(0x7fff)));
  const __m128i upper = _mm_srli_epi32(sum, 16);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi32(upper, upper));
#endif
}
#endif

/// p[0 ...] = y rounded to T, y in lanes of double.
template <class V, class T>
MCT_ALWAYS_INLINE inline void store_converted(const V& y, T* p) {
  if constexpr (std::is_same_v<T, scalar_t<V>>) {
    store_lanes(y, p);
  } else {
#if MCT_HAVE_WIDENING_LOADS
    store_rounded(y, p);
#else
    double buffer[lanes<V>];
    store_lanes(y, buffer);
    for (std::size_t i = 0; i < lanes<V>; ++i) p[i] = T(buffer[i]);
#endif
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
