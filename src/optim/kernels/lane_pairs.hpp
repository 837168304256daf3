// Two registers of neighbouring elements at a time. Of 16-bit words in memory, the even ones may go
// to one register and the odd ones to the other: a mask and a shift take the place of the slow
// instructions that widen and narrow neighbours.
#pragma once

#include <bit>

#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Which elements of 2 * lanes<V> neighbours a pair of registers holds: the first and the second
/// half of them, or the even and the odd ones (all arrays must be bfloat16 then).
enum class PairLayout { halves, even_odd };

/// The element, counted from the first of the pair, in lane l of register r.
template <PairLayout P, class V>
constexpr std::size_t element_of(std::size_t r, std::size_t l) {
  return P == PairLayout::even_odd ? 2 * l + r : r * lanes<V> + l;
}

static_assert(std::endian::native == std::endian::little, "even elements are the lower halves");

/// Register r of the pair that begins at p.
template <PairLayout P, class V, class T>
MCT_ALWAYS_INLINE inline V load_of_pair(const T* p, std::size_t r) {
  if constexpr (P == PairLayout::even_odd) {
    static_assert(std::is_same_v<T, bfloat16>);
    const auto words = load_words<V>(p);
    return from_words<V>(r == 0 ? words << 16 : words & words_of<V>(0xffff0000u));
  } else {
    return load_converted<V>(p + r * lanes<V>);
  }
}
template <PairLayout P, class V, class T>
MCT_ALWAYS_INLINE inline void load_pair(const T* p, V (&x)[2]) {
  for (std::size_t r = 0; r < 2; ++r) x[r] = load_of_pair<P, V>(p, r);
}

/// The pair of floats that begins at p, however the arrays beside them lie.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline void load_float_pair(const float* p, V (&x)[2]) {
  alignas(64) float parts[2][lanes<V>];
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t l = 0; l < lanes<V>; ++l) parts[r][l] = p[element_of<P, V>(r, l)];
    x[r] = load_converted<V>(static_cast<const float*>(parts[r]));
  }
}

/// Stores floats that T holds; with even_odd, what is beyond 16 bits is cut off.
template <PairLayout P, class V, class T>
MCT_ALWAYS_INLINE inline void store_pair(const V (&x)[2], T* p) {
  if constexpr (P == PairLayout::even_odd) {
    static_assert(std::is_same_v<T, bfloat16>);
    store_words<V>((to_words(x[0]) >> 16) | (to_words(x[1]) & words_of<V>(0xffff0000u)), p);
  } else {
    store_narrow(x[0], p);
    store_narrow(x[1], p + lanes<V>);
  }
}

/// Register r of the 16-bit words that begin at p, each in the low half of a 32-bit word.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline words_of<V> load_word_of_pair(const std::uint16_t* p, std::size_t r) {
  if constexpr (P == PairLayout::even_odd) {
    const auto words = load_words<V>(p);
    return r == 0 ? words & words_of<V>(0xffffu) : words >> 16;
  } else {
    const std::uint16_t* const from = p + r * lanes<V>;
#if MCT_WITH_XSIMD && defined(__AVX512F__)
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#elif MCT_WITH_XSIMD && defined(__AVX2__)
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#elif MCT_WITH_XSIMD && defined(__SSE2__)
    const __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return _mm_unpacklo_epi16(four, _mm_setzero_si128());
#else
    alignas(64) std::uint32_t wide[lanes<V>];
    for (std::size_t i = 0; i < lanes<V>; ++i) wide[i] = from[i];
    return load_words<V>(wide);
#endif
  }
}
/// The same as signed numbers.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline words_of<V> load_signed_of_pair(const std::uint16_t* p, std::size_t r) {
  if constexpr (P == PairLayout::even_odd) {
    const auto words = load_words<V>(p);
    return shifted_signed<16>(words_of<V>(r == 0 ? words << 16 : words));
  } else {
    return shifted_signed<16>(words_of<V>(load_word_of_pair<P, V>(p, r) << 16));
  }
}
/// Stores the low halves of 32-bit words, whose upper halves are 0.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline void store_word_pair(const words_of<V> (&x)[2], std::uint16_t* p) {
  if constexpr (P == PairLayout::even_odd) {
    store_words<V>(x[0] | (x[1] << 16), p);
  } else {
    alignas(64) std::uint32_t wide[2 * lanes<V>];
    store_words<V>(x[0], wide);
    store_words<V>(x[1], wide + lanes<V>);
    for (std::size_t i = 0; i < 2 * lanes<V>; ++i) p[i] = std::uint16_t(wide[i]);
  }
}

/// Both registers of them.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline void load_word_pair(const std::uint16_t* p, words_of<V> (&x)[2]) {
  for (std::size_t r = 0; r < 2; ++r) x[r] = load_word_of_pair<P, V>(p, r);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
