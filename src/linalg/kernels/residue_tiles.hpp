// Register tiles of products of integers: two products of 16 bits and their sum in one instruction
// (PMADDWD), or four of 8 bits, added to what was before (VPDPBUSD, AVX512-VNNI and AVX-VNNI).
#pragma once

#include <cstring>

#include "mctensor/config.hpp"
#include "src/linalg/kernels/residue_table.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::ResidueWord;

/// Four words in a register as the compilers of GNU and LLVM have it on every processor.
struct FourWords {
  using Register [[gnu::vector_size(16)]] = ResidueWord;
  MCT_ALWAYS_INLINE static Register load(const ResidueWord* p) {
    Register words;
    std::memcpy(&words, p, sizeof(words));
    return words;
  }
  MCT_ALWAYS_INLINE static Register all(ResidueWord x) { return Register{x, x, x, x}; }
};

/// Sums of products of pairs, a register of them. (Functions, not a class with a register as
/// member: g++ 12 would keep an array of those in memory.)
#if defined(__AVX512BW__)
struct WideWords {
  using Register = __m512i;
  MCT_ALWAYS_INLINE static Register load(const ResidueWord* p) { return _mm512_loadu_si512(p); }
  MCT_ALWAYS_INLINE static Register all(ResidueWord x) { return _mm512_set1_epi32(x); }
};
struct PairLanes : WideWords {
  static constexpr const char* unit = "PMADDWD (AVX-512)";
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    return _mm512_add_epi32(sum, _mm512_madd_epi16(x, y));
  }
};
#elif defined(__AVX2__)
struct WideWords {
  using Register = __m256i;
  MCT_ALWAYS_INLINE static Register load(const ResidueWord* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  MCT_ALWAYS_INLINE static Register all(ResidueWord x) { return _mm256_set1_epi32(x); }
};
struct PairLanes : WideWords {
  static constexpr const char* unit = "PMADDWD (AVX2)";
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(x, y));
  }
};
#elif defined(__SSE2__)
struct PairLanes {
  static constexpr const char* unit = "PMADDWD (SSE2)";
  using Register = __m128i;
  MCT_ALWAYS_INLINE static Register load(const ResidueWord* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }
  MCT_ALWAYS_INLINE static Register all(ResidueWord x) { return _mm_set1_epi32(x); }
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    return _mm_add_epi32(sum, _mm_madd_epi16(x, y));
  }
};
#else
struct PairLanes : FourWords {
  static constexpr const char* unit = "plain C++";
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    return sum + ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16);
  }
};
#endif

/// Sums of products of four bytes, those of the left factor without sign. Where there is no such
/// instruction, in plain C++: slow, for tests.
#if defined(__AVX512BW__)
struct ByteLanes : WideWords {
  static constexpr const char* unit = "AVX512-VNNI";
  /// As text: the other kernels of this instruction set are compiled without VNNI.
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
    return sum;
  }
};
#elif defined(__AVX2__)
struct ByteLanes : WideWords {
  static constexpr const char* unit = "AVX-VNNI";
  /// In the encoding of processors that have no AVX-512.
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(y));
    return sum;
  }
};
#else
struct ByteLanes : FourWords {
  static constexpr const char* unit = "plain C++ of bytes";
  MCT_ALWAYS_INLINE static Register add_products(Register sum, Register x, Register y) {
    for (int bit = 0; bit < 32; bit += 8) sum += ((x >> bit) & 0xff) * ((y << (24 - bit)) >> 24);
    return sum;
  }
};
#endif

template <class Lanes>
inline constexpr int word_width = int(sizeof(typename Lanes::Register) / sizeof(ResidueWord));

/// y = (y + sums) modulo p. The quotient is rounded in float: it is off by less than 2^-3, and the
/// residue below 5 / 8 p. |sums| / p < 2^21, so that adding 3 2^22 rounds to an integer.
MCT_ALWAYS_INLINE inline void add_residues(int count, const std::int32_t* sums, int modulus,
                                           std::int16_t* y) {
  const float inverse = 1.0F / float(modulus);
  for (int i = 0; i < count; ++i) {
    const std::int32_t sum = sums[i] + y[i];
    const float quotient = float(sum) * inverse + 0x1.8p23F;
    std::int32_t bits = 0;
    std::memcpy(&bits, &quotient, sizeof(bits));
    y[i] = std::int16_t(sum - (bits - 0x4b400000) * modulus);
  }
}

template <class Lanes, int Rows, int Vectors>
void multiply_words(std::int64_t words, const ResidueWord* a, const ResidueWord* b, int modulus,
                    std::int16_t* y) {
  using Register = typename Lanes::Register;
  constexpr int width = word_width<Lanes>;
  Register sums[Rows][Vectors];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) sums[i][j] = Lanes::all(0);
  for (; words > 0; --words, a += Rows, b += std::ptrdiff_t(Vectors) * width) {
    Register right[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) right[j] = Lanes::load(b + std::ptrdiff_t(j) * width);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const Register left = Lanes::all(a[i]);
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j)
        sums[i][j] = Lanes::add_products(sums[i][j], left, right[j]);
    }
  }
  std::int32_t stored[Rows * Vectors * width];
  std::memcpy(stored, sums, sizeof(stored));
  add_residues(Rows * Vectors * width, stored, modulus, y);
}

/// Rows of a tile and registers in one of its rows.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int word_rows = 8;
#else
inline constexpr int word_rows = 4;
#endif
inline constexpr int word_vectors = 3;

/// Sums of 256 pairs of products and of 512 fours of them stay below 2^31.
constexpr linalg_detail::ResidueTile pair_tile() {
  return {PairLanes::unit,
          word_rows,
          word_vectors * word_width<PairLanes>,
          256,
          1,
          linalg_detail::ResidueSize::pair,
          linalg_detail::WordOrder::by_depth,
          false,
          &multiply_words<PairLanes, word_rows, word_vectors>};
}
constexpr linalg_detail::ResidueTile fused_byte_tile() {
  return {ByteLanes::unit,
          word_rows,
          word_vectors * word_width<ByteLanes>,
          512,
          1,
          linalg_detail::ResidueSize::byte,
          linalg_detail::WordOrder::by_depth,
          true,
          &multiply_words<ByteLanes, word_rows, word_vectors>};
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
