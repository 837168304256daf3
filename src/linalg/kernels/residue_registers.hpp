// Registers of 32-bit and 16-bit integers, in the form that the compilers of GNU and LLVM have on
// every processor, and the instructions for which these compilers have no operators.
#pragma once

#include <cstdint>
#include <cstring>

#include "src/linalg/kernels/residue_table.hpp"
#include "src/tensor/kernels/lanes.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using linalg_detail::ResidueWord;

/// Integers in lanes of doubles: the part that the cutting to residues and the putting together
/// share.
using DoubleLanes = widest_batch<double>;
inline constexpr auto double_lanes = std::int64_t(lanes<DoubleLanes>);

/// Bytes of a register.
#if defined(__AVX512BW__)
inline constexpr std::int64_t lane_bytes = 64;
#elif defined(__AVX2__)
inline constexpr std::int64_t lane_bytes = 32;
#else
inline constexpr std::int64_t lane_bytes = 16;
#endif
inline constexpr std::int64_t word_lanes = lane_bytes / 4;

/// A register of numbers. (A loop over single numbers is not made of registers of bytes: its sums
/// are ints.)
template <class I>
struct ResidueLanes {
  using Register [[gnu::vector_size(lane_bytes)]] = I;

  MCT_ALWAYS_INLINE static Register load(const void* p) {
    Register x;
    std::memcpy(&x, p, sizeof(x));
    return x;
  }
  MCT_ALWAYS_INLINE static Register all(I x) { return Register{} + x; }
};
using Words = ResidueLanes<std::uint32_t>::Register;
using SignedWords = ResidueLanes<std::int32_t>::Register;
using Shorts = ResidueLanes<std::int16_t>::Register;
using Floats = ResidueLanes<float>::Register;

/// sum + x y of 16-bit numbers: both products of every 32-bit word, modulo 2^32.
MCT_ALWAYS_INLINE inline Words add_products(Words sum, Words x, Words y) {
#if defined(__AVX512BW__)
  return sum + (Words)_mm512_madd_epi16((__m512i)x, (__m512i)y);
#elif defined(__AVX2__)
  return sum + (Words)_mm256_madd_epi16((__m256i)x, (__m256i)y);
#elif defined(__SSE2__)
  return sum + (Words)_mm_madd_epi16((__m128i)x, (__m128i)y);
#else
  const auto low = [](Words w) { return (SignedWords)(w << 16) >> 16; };
  const auto high = [](Words w) { return (SignedWords)w >> 16; };
  return sum + (Words)(low(x) * low(y) + high(x) * high(y));
#endif
}

/// (2 x y + 2^15) / 2^16, rounded down.
MCT_ALWAYS_INLINE inline Shorts multiply_high(Shorts x, std::int16_t y) {
#if defined(__AVX512BW__)
  return (Shorts)_mm512_mulhrs_epi16((__m512i)x, _mm512_set1_epi16(y));
#elif defined(__AVX2__)
  return (Shorts)_mm256_mulhrs_epi16((__m256i)x, _mm256_set1_epi16(y));
#else
  Shorts high;
  for (std::int64_t i = 0; i < lane_bytes / 2; ++i)
    high[i] = std::int16_t((int(x[i]) * y + (1 << 14)) >> 15);
  return high;
#endif
}

MCT_ALWAYS_INLINE inline Shorts shift_right(Shorts x, int bits) {
#if defined(__AVX512BW__)
  return (Shorts)_mm512_sra_epi16((__m512i)x, _mm_cvtsi32_si128(bits));
#elif defined(__AVX2__)
  return (Shorts)_mm256_sra_epi16((__m256i)x, _mm_cvtsi32_si128(bits));
#elif defined(__SSE2__)
  return (Shorts)_mm_sra_epi16((__m128i)x, _mm_cvtsi32_si128(bits));
#else
  return x >> Shorts(ResidueLanes<std::int16_t>::all(std::int16_t(bits)));
#endif
}

/// Words made of the lower halves of two words; the half of `low` becomes the lower half.
MCT_ALWAYS_INLINE inline Words join_halves(Words low, Words high) {
  return (low & ResidueLanes<std::uint32_t>::all(0xffffU)) | (high << 16);
}

/// The integers next to sums over P, |sum| / P < 2^22, in the lower bits of a word: the bits of the
/// float that is the quotient plus 3 2^22.
MCT_ALWAYS_INLINE inline Words quotients(Words sums, Floats inverse) {
  const auto x = __builtin_convertvector((SignedWords)sums, Floats);
  return (Words)(x * inverse + ResidueLanes<float>::all(0x1.8p23F));
}

/// Sums modulo P, of two registers in the lower and the upper halves of words. The quotients are
/// rounded in float: off by less than 2^-3 beyond the half.
MCT_ALWAYS_INLINE inline Shorts residues_of_sums(Words low, Words high, Floats inverse, Shorts p) {
  return (Shorts)join_halves(low, high) -
         (Shorts)join_halves(quotients(low, inverse), quotients(high, inverse)) * p;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
