// Two registers of neighbouring elements at a time. Of 16-bit words in memory, the even ones may go
// to one register and the odd ones to the other: a mask and a shift take the place of the slow
// instructions that widen and narrow neighbours.
#pragma once

#include <bit>

#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Which elements of 2 * lanes<V> neighbours a pair of registers holds: the first and the second
/// half of them, or the even and the odd ones (all arrays must be bfloat16 then).
enum class PairLayout { halves, even_odd };

/// The element, counted from the first of the pair, in lane l of register r.
template <PairLayout P, class V>
constexpr std::size_t element_of(std::size_t r, std::size_t l) {
  return P == PairLayout::even_odd ? 2 * l + r : r * lanes<V> + l;
}

/// W, one register or pairs of them: of(i, r) is register r of the pair that begins with element i.
template <class W, class Of>
MCT_ALWAYS_INLINE inline W of_registers(std::size_t i, std::size_t r, const Of& of) {
  if constexpr (!is_twice<W>) {
    return of(i, r);
  } else {
    using Half = decltype(W::low);
    const bool halves = is_twice<Half>;
    return {of_registers<Half>(i, 0, of),
            of_registers<Half>(halves ? i + lanes<Half> : i, halves ? 0 : 1, of)};
  }
}

/// The same where of(i) is the pair that begins with element i.
template <class W, class Of>
MCT_ALWAYS_INLINE inline W of_pairs(std::size_t i, const Of& of) {
  if constexpr (is_twice<decltype(W::low)>) {
    using Half = decltype(W::low);
    return {of_pairs<Half>(i, of), of_pairs<Half>(i + lanes<Half>, of)};
  } else {
    return of(i);
  }
}
/// Calls work(pair, its first element) for the pairs from element i on.
template <class V, class Work>
MCT_ALWAYS_INLINE inline void each_pair(const Twice<V>& x, std::size_t i, const Work& work) {
  if constexpr (is_twice<V>) {
    each_pair(x.low, i, work);
    each_pair(x.high, i + lanes<V>, work);
  } else {
    work(x, i);
  }
}

static_assert(std::endian::native == std::endian::little, "even elements are the lower halves");

/// Registers that are updated side by side. Each register is a long chain of operations that wait
/// for one another, and a processor sees only a few dozen waiting operations. Each operation
/// therefore stands beside the same operation on the other registers.
template <class V>
#if defined(__AVX512F__) || defined(__aarch64__)
using SideBySide = Twice<Twice<V>>;
#else
using SideBySide = Twice<V>;
#endif

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

/// The pair of floats that begins at p, for any order of the arrays beside them.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline void load_float_pair(const float* p, V (&x)[2]) {
  alignas(64) float parts[2][lanes<V>];
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t l = 0; l < lanes<V>; ++l) parts[r][l] = p[element_of<P, V>(r, l)];
    x[r] = load_converted<V>(static_cast<const float*>(parts[r]));
  }
}

/// Stores floats that T holds; with even_odd, bits beyond the first 16 are cut off.
template <PairLayout P, class V, class T>
MCT_ALWAYS_INLINE inline void store_pair(const Twice<V>& x, T* p) {
  if constexpr (is_twice<V>) {
    store_pair<P>(x.low, p);
    store_pair<P>(x.high, p + lanes<V>);
  } else if constexpr (P == PairLayout::even_odd) {
    static_assert(std::is_same_v<T, bfloat16>);
    store_words<V>((to_words(x.low) >> 16) | (to_words(x.high) & words_of<V>(0xffff0000u)), p);
  } else {
    store_narrow(x.low, p);
    store_narrow(x.high, p + lanes<V>);
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
/// The same words as signed numbers.
template <PairLayout P, class V>
MCT_ALWAYS_INLINE inline words_of<V> load_signed_of_pair(const std::uint16_t* p, std::size_t r) {
  if constexpr (P == PairLayout::even_odd) {
    const auto words = load_words<V>(p);
    return shifted_signed<16>(words_of<V>(r == 0 ? words << 16 : words));
  } else {
    return shifted_signed<16>(words_of<V>(load_word_of_pair<P, V>(p, r) << 16));
  }
}
/// Stores the low halves of 32-bit words, whose upper halves are 0. V: floats beside a register.
template <PairLayout P, class V, class W>
MCT_ALWAYS_INLINE inline void store_word_pair(const Twice<W>& x, std::uint16_t* p) {
  if constexpr (is_twice<W>) {
    store_word_pair<P, V>(x.low, p);
    store_word_pair<P, V>(x.high, p + lanes<W>);
  } else if constexpr (P == PairLayout::even_odd) {
    store_words<V>(x.low | (x.high << 16), p);
  } else {
    alignas(64) std::uint32_t wide[2 * lanes<V>];
    store_words<V>(x.low, wide);
    store_words<V>(x.high, wide + lanes<V>);
    for (std::size_t i = 0; i < 2 * lanes<V>; ++i) p[i] = std::uint16_t(wide[i]);
  }
}

/// The signs of 16-bit numbers, -1 or 0, added to others, or taken from them.
template <bool Added, class W>
MCT_ALWAYS_INLINE inline W with_signs(const W& x, const W& signs) {
#if MCT_WITH_XSIMD
  if constexpr (!std::is_same_v<W, std::uint32_t>) {
    using Shorts = xsimd::batch<std::int16_t, typename W::arch_type>;
    const auto from = std::bit_cast<Shorts>(x);
    const auto sign = std::bit_cast<Shorts>(signs) >> 15;
    return std::bit_cast<W>(Added ? from + sign : from - sign);
  } else
#endif
  {
    const std::uint32_t low = signs >> 15 & 1u;
    const std::uint32_t high = signs >> 31;
    return ((Added ? x - low : x + low) & 0xffffu) |
           ((x & 0xffff0000u) + ((Added ? -high : high) << 16));
  }
}

/// The pair of floats whose 16-bit parts (detail::SplitFloat) begin at these places, even and odd
/// ones.
template <class V>
MCT_ALWAYS_INLINE inline Twice<V> load_split_pair(const void* high, const void* low) {
  using W = words_of<V>;
  const W lower = load_words<V>(low);
  const W upper = with_signs<true>(load_words<V>(high), lower);
  return {from_words<V>((upper << 16) | (lower & W(0xffffu))),
          from_words<V>((upper & W(0xffff0000u)) | (lower >> 16))};
}
template <class V>
MCT_ALWAYS_INLINE inline void store_split_pair(const Twice<V>& x, void* high, void* low) {
  using W = words_of<V>;
  const W even = to_words(x.low);
  const W odd = to_words(x.high);
  const W lower = (even & W(0xffffu)) | (odd << 16);
  const W upper = (even >> 16) | (odd & W(0xffff0000u));
  store_words<V>(lower, low);
  store_words<V>(with_signs<false>(upper, lower), high);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
