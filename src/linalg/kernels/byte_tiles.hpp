// Tiles of products of 8-bit integers by the matrix unit of the processor (AMX-INT8), and the same
// loop on a model of that unit in plain C++, which runs everywhere: tests compare both where both
// are.
#pragma once

#include <algorithm>

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

/// Tiles of 32 lines by 32 columns: four tile registers of sums, two of each factor. The matrix
/// unit works by itself: meanwhile the sums of the tile before become residues, a share in every
/// step of the depth.
template <class Tiles, bool add>
class ByteTiles {
 public:
  static constexpr int lines = 2 * tile_rows;
  static constexpr std::int64_t results = std::int64_t(lines) * lines / 2;  // words

  explicit ByteTiles(const TileRun& run)
      : run_(run), writer_(run.modulus), steps_(run.words / tile_rows) {}

  void multiply() {
    tiles_.configure();
    for (std::int64_t i = 0; i < run_.tiles; ++i) multiply_tile(i);
    tiles_.release();
    const std::int64_t last = run_.tiles - 1;
    for (std::int64_t w = 0; w < results; w += word_lanes)
      writer_.write(results, w, sums_[last % 2], run_.y + last * results);
  }

 private:
  static constexpr std::int64_t row_bytes = std::int64_t(lines) * 4;
  static constexpr std::int64_t step_bytes = std::int64_t(tile_rows) * row_bytes;

  /// Every other tile goes through the depth backwards: what it begins with of the right factor is
  /// still in the first-level cache.
  MCT_ALWAYS_INLINE void multiply_tile(std::int64_t i) {
    tiles_.template zero<0>();
    tiles_.template zero<1>();
    tiles_.template zero<2>();
    tiles_.template zero<3>();
    const bool back = i % 2 != 0;
    const std::int64_t first = back ? (steps_ - 1) * step_bytes : 0;
    const std::int64_t next = back ? -step_bytes : step_bytes;
    const auto* left = reinterpret_cast<const char*>(run_.a + i * run_.a_stride) + first;
    const auto* right = reinterpret_cast<const char*>(run_.b) + first;
    const std::int32_t* const before = sums_[(i + 1) % 2];
    ResidueWord* const y = run_.y + (i - 1) * results;
    const std::int64_t share = (results / word_lanes + steps_ - 1) / steps_ * word_lanes;
    const std::int64_t all = i > 0 ? results : 0;
    std::int64_t written = 0;
    for (std::int64_t s = 0; s < steps_; ++s, left += next, right += next) {
      tiles_.template load<4>(left, tile_bytes);
      tiles_.template load<6>(right, row_bytes);
      tiles_.template load<5>(left + step_bytes / 2, tile_bytes);
      tiles_.template load<7>(right + tile_bytes, row_bytes);
      tiles_.template add_products<0, 4, 6>();
      tiles_.template add_products<1, 4, 7>();
      tiles_.template add_products<2, 5, 6>();
      tiles_.template add_products<3, 5, 7>();
      for (const std::int64_t to = std::min(written + share, all); written < to;
           written += word_lanes)
        writer_.write(results, written, before, y);
    }
    auto* out = reinterpret_cast<char*>(sums_[i % 2]);
    tiles_.template store<0>(out, row_bytes);
    tiles_.template store<1>(out + tile_bytes, row_bytes);
    tiles_.template store<2>(out + step_bytes, row_bytes);
    tiles_.template store<3>(out + step_bytes + tile_bytes, row_bytes);
  }

  const TileRun& run_;
  ResidueWriter<add> writer_;
  std::int64_t steps_;
  Tiles tiles_;
  alignas(64) std::int32_t sums_[2][std::size_t(2 * results)];
};

template <class Tiles, bool add>
void multiply_byte_words(const TileRun& run) {
  ByteTiles<Tiles, add>(run).multiply();
}

template <class Tiles>
constexpr linalg_detail::ResidueTile byte_tile(const char* unit) {
  return {unit,
          2 * tile_rows,
          2 * tile_rows,
          512,
          tile_rows,
          linalg_detail::ResidueSize::byte,
          linalg_detail::WordOrder::by_line,
          false,
          {&multiply_byte_words<Tiles, false>, &multiply_byte_words<Tiles, true>}};
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
#else
using AmxTiles = ModelTiles;
#endif

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
