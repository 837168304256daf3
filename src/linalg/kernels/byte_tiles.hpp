// Tiles of products of 8-bit integers by the matrix unit of the processor (AMX-INT8), and the same
// loop on a model of that unit in plain C++, which runs everywhere: tests compare both where both
// are.
#pragma once

#include <cstring>

#include "src/linalg/kernels/residue_tiles.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Rows of 64 bytes in a tile register.
inline constexpr int tile_rows = 16;
inline constexpr int tile_bytes = 64;

/// Eight tile registers of 16 rows of 64 bytes, and what the instructions do to them.
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, TILELOADD, TILEZERO,
/// TDPBSSD, TILESTORED.
class ModelTiles {
 public:
  void configure() {}
  void release() {}
  template <int R>
  void zero() {
    std::memset(tile_[R], 0, sizeof(tile_[R]));
  }
  template <int R>
  void load(const void* base, std::int64_t stride) {
    for (int row = 0; row < tile_rows; ++row)
      std::memcpy(tile_[R][row], static_cast<const char*>(base) + row * stride, tile_bytes);
  }
  template <int R>
  void store(void* base, std::int64_t stride) const {
    for (int row = 0; row < tile_rows; ++row)
      std::memcpy(static_cast<char*>(base) + row * stride, tile_[R][row], tile_bytes);
  }
  /// C += A B: A has 16 rows of 16 groups of four bytes, B 16 rows of depth, in each four depths of
  /// 16 columns.
  template <int C, int A, int B>
  void add_products() {
    for (int i = 0; i < tile_rows; ++i) {
      std::int32_t sums[tile_bytes / 4];
      std::memcpy(sums, tile_[C][i], sizeof(sums));
      for (int k = 0; k < tile_bytes / 4; ++k)
        for (int j = 0; j < tile_bytes / 4; ++j)
          for (int g = 0; g < 4; ++g)
            sums[j] += std::int32_t(tile_[A][i][4 * k + g]) * tile_[B][k][4 * j + g];
      std::memcpy(tile_[C][i], sums, sizeof(sums));
    }
  }

 private:
  std::int8_t tile_[8][tile_rows][tile_bytes];
};

/// A panel of 32 lines by one of 32 columns: four tiles of sums, two of each factor.
template <class Tiles>
MCT_ALWAYS_INLINE inline void multiply_byte_words(std::int64_t words, const ResidueWord* a,
                                                  const ResidueWord* b, int modulus,
                                                  std::int16_t* y) {
  constexpr int lines = 2 * tile_rows;
  constexpr std::int64_t left_step = std::int64_t(tile_rows) * tile_bytes;
  constexpr std::int64_t right_stride = std::int64_t(lines) * 4;
  std::int32_t sums[lines * lines];
  Tiles tiles;
  tiles.configure();
  tiles.template zero<0>();
  tiles.template zero<1>();
  tiles.template zero<2>();
  tiles.template zero<3>();
  const auto* left = reinterpret_cast<const char*>(a);
  const auto* right = reinterpret_cast<const char*>(b);
  for (; words > 0; words -= tile_rows, left += 2 * left_step, right += tile_rows * right_stride) {
    tiles.template load<4>(left, tile_bytes);
    tiles.template load<6>(right, right_stride);
    tiles.template load<5>(left + left_step, tile_bytes);
    tiles.template load<7>(right + tile_bytes, right_stride);
    tiles.template add_products<0, 4, 6>();
    tiles.template add_products<1, 4, 7>();
    tiles.template add_products<2, 5, 6>();
    tiles.template add_products<3, 5, 7>();
  }
  constexpr std::int64_t row_bytes = std::int64_t(lines) * 4;
  auto* out = reinterpret_cast<char*>(sums);
  tiles.template store<0>(out, row_bytes);
  tiles.template store<1>(out + tile_bytes, row_bytes);
  tiles.template store<2>(out + tile_rows * row_bytes, row_bytes);
  tiles.template store<3>(out + tile_rows * row_bytes + tile_bytes, row_bytes);
  tiles.release();
  add_residues(lines * lines, sums, modulus, y);
}

constexpr linalg_detail::ResidueTile byte_tile(const char* unit,
                                               decltype(linalg_detail::ResidueTile::multiply) f) {
  return {unit,
          2 * tile_rows,
          2 * tile_rows,
          512,
          tile_rows,
          linalg_detail::ResidueSize::byte,
          linalg_detail::WordOrder::by_line,
          false,
          f};
}

inline void multiply_bytes_model(std::int64_t words, const ResidueWord* a, const ResidueWord* b,
                                 int modulus, std::int16_t* y) {
  multiply_byte_words<ModelTiles>(words, a, b, modulus, y);
}

#if defined(__AVX512F__)
/// The instructions, as text: so they need no option of the compiler, and a register may be a
/// template argument.
class AmxTiles {
 public:
  MCT_ALWAYS_INLINE void configure() {
    struct alignas(64) {
      std::uint8_t palette = 1;
      std::uint8_t start_row = 0;
      std::uint8_t reserved[14] = {};
      std::uint16_t row_bytes[16] = {};
      std::uint8_t rows[16] = {};
    } config;
    for (int r = 0; r < 8; ++r) {
      config.row_bytes[r] = tile_bytes;
      config.rows[r] = tile_rows;
    }
    asm volatile("ldtilecfg %0" : : "m"(config));
  }
  MCT_ALWAYS_INLINE void release() { asm volatile("tilerelease" : : :); }
  template <int R>
  MCT_ALWAYS_INLINE void zero() {
    asm volatile("tilezero %%tmm%c0" : : "i"(R));
  }
  template <int R>
  MCT_ALWAYS_INLINE void load(const void* base, std::int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(base), "r"(stride), "i"(R) : "memory");
  }
  template <int R>
  MCT_ALWAYS_INLINE void store(void* base, std::int64_t stride) const {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(base), "r"(stride), "i"(R) : "memory");
  }
  template <int C, int A, int B>
  MCT_ALWAYS_INLINE void add_products() {
    // AT&T order: the last operand is the sum, the one before it the first factor
    asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(C), "i"(A), "i"(B));
  }
};

inline void multiply_bytes(std::int64_t words, const ResidueWord* a, const ResidueWord* b,
                           int modulus, std::int16_t* y) {
  multiply_byte_words<AmxTiles>(words, a, b, modulus, y);
}
#else
inline void multiply_bytes(std::int64_t words, const ResidueWord* a, const ResidueWord* b,
                           int modulus, std::int16_t* y) {
  multiply_bytes_model(words, a, b, modulus, y);
}
#endif

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
