// Register tiles of products of integers: two products of 16 bits and their sum in one instruction
// (PMADDWD), or four of 8 bits, added to the sum so far (VPDPBUSD, AVX512-VNNI and AVX-VNNI).
#pragma once

#include "mctensor/config.hpp"
#include "src/linalg/kernels/residue_reconstruct.hpp"
#include "src/linalg/kernels/residue_registers.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using linalg_detail::TileRun;

/// Sums of products of pairs, a register of them. (Functions, not a class with a register as
/// member: g++ 12 would keep an array of those in memory.)
struct PairLanes {
  static constexpr ResidueSize size = ResidueSize::pair;
#if defined(__AVX512BW__)
  static constexpr const char* unit = "PMADDWD (AVX-512)";
#elif defined(__AVX2__)
  static constexpr const char* unit = "PMADDWD (AVX2)";
#elif defined(__SSE2__)
  static constexpr const char* unit = "PMADDWD (SSE2)";
#else
  static constexpr const char* unit = "plain C++";
#endif
  MCT_ALWAYS_INLINE static Words add_products(Words sum, Words x, Words y) {
    return kernels::add_products(sum, x, y);
  }
};

/// Sums of products of four bytes; the bytes of the left factor have no sign. Without such an
/// instruction the sums are made in plain C++: slow, for tests.
struct ByteLanes {
  static constexpr ResidueSize size = ResidueSize::byte;
#if defined(__AVX512BW__)
  static constexpr const char* unit = "AVX512-VNNI";
  /// As text: the other kernels of this instruction set are compiled without VNNI.
  MCT_ALWAYS_INLINE static Words add_products(Words sum, Words x, Words y) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
    return sum;
  }
#elif defined(__AVX2__)
  static constexpr const char* unit = "AVX-VNNI";
  /// In the encoding of processors that have no AVX-512.
  MCT_ALWAYS_INLINE static Words add_products(Words sum, Words x, Words y) {
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(y));
    return sum;
  }
#else
  static constexpr const char* unit = "plain C++ of bytes";
  MCT_ALWAYS_INLINE static Words add_products(Words sum, Words x, Words y) {
    for (int bit = 0; bit < 32; bit += 8)
      sum += ((x >> bit) & 0xffU) * (Words)((SignedWords)(y << (24 - bit)) >> 24);
    return sum;
  }
#endif
};

/// Brings sums [rows][columns] of a tile, |sums| < 2^31, |sums| / p < 2^21, to residues, some at a
/// time: y = sums modulo p, or y + sums. Of pairs they are below 5 / 8 p, of bytes within a byte
/// and p / 2 + 2.
template <ResidueSize size, bool add>
class ResidueWriter {
 public:
  MCT_ALWAYS_INLINE explicit ResidueWriter(int modulus)
      : inverse_(ResidueLanes<float>::all(1.0F / float(modulus))),
        modulus_(ResidueLanes<std::int16_t>::all(std::int16_t(modulus))),
        short_inverse_(std::int16_t((0x8000 + modulus / 2) / modulus)) {}

  /// Word i of `words` of the tile, and its neighbours in a register.
  MCT_ALWAYS_INLINE void write(std::int64_t words, std::int64_t i, const std::int32_t* sums,
                               ResidueWord* y) const {
    Shorts residues;
    if constexpr (size == ResidueSize::pair) {
      residues = join<0, 1>(words, i, sums, y);
    } else {
      const auto even = within_byte(join<0, 2>(words, i, sums, y));
      const auto odd = within_byte(join<1, 3>(words, i, sums, y));
      residues = (even & ResidueLanes<std::int16_t>::all(0xff)) | (odd << 8);
    }
    std::memcpy(y + i, &residues, sizeof(residues));
  }

 private:
  using W = ResidueLanes<std::uint32_t>;
  static constexpr int bits = size == ResidueSize::pair ? 16 : 8;

  /// The sums of two places of words.
  template <int low, int high>
  MCT_ALWAYS_INLINE Shorts join(std::int64_t words, std::int64_t i, const std::int32_t* sums,
                                const ResidueWord* y) const {
    const auto sum = [&](int place) {
      Words s = W::load(sums + place * words + i);
      if constexpr (add)
        s += (Words)((SignedWords)(W::load(y + i) << (32 - bits - place * bits)) >> (32 - bits));
      return s;
    };
    return residues_of_sums(sum(low), sum(high), inverse_, modulus_);
  }
  /// Brings numbers below 5 / 8 p, p <= 256, into a byte.
  MCT_ALWAYS_INLINE Shorts within_byte(Shorts r) const {
    return r - multiply_high(r, short_inverse_) * modulus_;
  }

  Floats inverse_;
  Shorts modulus_;
  std::int16_t short_inverse_;
};

template <class Lanes, int Rows, int Vectors>
MCT_ALWAYS_INLINE inline void multiply_tile(std::int64_t words, const ResidueWord* a,
                                            const ResidueWord* b, std::int32_t* out) {
  using W = ResidueLanes<std::uint32_t>;
  Words sums[Rows][Vectors];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) sums[i][j] = W::all(0);
  for (; words > 0; --words, a += Rows, b += Vectors * word_lanes) {
    Words right[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) right[j] = W::load(b + j * word_lanes);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const Words left = W::all(std::uint32_t(a[i]));
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j)
        sums[i][j] = Lanes::add_products(sums[i][j], left, right[j]);
    }
  }
  std::memcpy(out, sums, sizeof(sums));
}

template <class Lanes, int Rows, int Vectors, bool add>
void multiply_words(const TileRun& run) {
  constexpr std::int64_t words = word_lanes * Rows * Vectors / group_of(Lanes::size);  // of results
  std::int32_t sums[std::size_t(word_lanes * Rows * Vectors)];
  const ResidueWriter<Lanes::size, add> writer(run.modulus);
  for (std::int64_t i = 0; i < run.tiles; ++i) {
    multiply_tile<Lanes, Rows, Vectors>(run.words, run.a + i * run.a_stride, run.b, sums);
    for (std::int64_t w = 0; w < words; w += word_lanes)
      writer.write(words, w, sums, run.y + i * words);
  }
}

/// Rows of a tile and registers in one of its rows.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int word_rows = 8;
#else
inline constexpr int word_rows = 4;
#endif
inline constexpr int word_vectors = 3;

/// Sums of 256 pairs of products and of 512 fours of them stay below 2^31.
template <class Lanes>
constexpr linalg_detail::ResidueTile register_tile() {
  constexpr bool bytes = Lanes::size == ResidueSize::byte;
  return {Lanes::unit,
          word_rows,
          int(word_vectors * word_lanes),
          bytes ? 512 : 256,
          576 * 256,  // twelve of the widest tiles, 1024 deep
          192 * 256,
          1,
          Lanes::size,
          linalg_detail::WordOrder::by_depth,
          bytes,
          {&multiply_words<Lanes, word_rows, word_vectors, false>,
           &multiply_words<Lanes, word_rows, word_vectors, true>},
          {&reconstruct<1>, &reconstruct<2>, &reconstruct<3>}};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
