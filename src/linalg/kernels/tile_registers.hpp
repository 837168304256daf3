// The tile registers of the matrix unit of x86 processors (AMX), and a model of them in plain C++,
// which runs on every processor. Tests compare both on a processor that has the unit.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Rows of 64 bytes in a tile register.
inline constexpr int tile_rows = 16;
inline constexpr int tile_bytes = 64;

/// Eight tile registers of 16 rows of 64 bytes, and the effect of the instructions on them. Source:
/// Intel 64 and IA-32 Architectures Software Developer's Manual, TILELOADD, TILEZERO, TILELOADDT1,
/// TDPBSSD, TDPBF16PS, TILESTORED.
class ModelTiles {
 public:
  /// Whether the contents of the registers outlive an object of this class.
  static constexpr bool are_registers = false;
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
  void load_once(const void* base, std::int64_t stride) {
    load<R>(base, stride);
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
  /// C += A B of pairs of bfloat16, in the order of the instruction.
  template <int C, int A, int B>
  void add_bfloat16_products() {
    constexpr std::int64_t words = tile_bytes / 4;
    for (int i = 0; i < tile_rows; ++i)
      for (std::int64_t j = 0; j < words; ++j) {
        float sum[2] = {};
        for (std::int64_t k = 0; k < words; ++k)
          for (std::int64_t g = 0; g < 2; ++g)
            sum[g] = flushed(std::fma(number<A>(i, 2 * k + g), number<B>(k, 2 * j + g), sum[g]));
        float all = 0;
        std::memcpy(&all, &tile_[C][i][4 * j], sizeof(all));
        all = flushed(flushed(all) + flushed(sum[0] + sum[1]));
        std::memcpy(&tile_[C][i][4 * j], &all, sizeof(all));
      }
  }

 private:
  static float flushed(float x) { return std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x; }
  template <int R>
  float number(std::int64_t row, std::int64_t place) const {
    std::uint16_t half = 0;
    std::memcpy(&half, &tile_[R][row][2 * place], sizeof(half));
    const std::uint32_t bits = std::uint32_t(half) << 16U;
    float x = 0;
    std::memcpy(&x, &bits, sizeof(x));
    return flushed(x);
  }

  std::int8_t tile_[8][tile_rows][tile_bytes];
};

#if defined(__AVX512F__)
/// The instructions as text. They then need no option of the compiler, and a register may be a
/// template argument.
class AmxTiles {
 public:
  static constexpr bool are_registers = true;
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
  /// For memory that is not read again soon: it takes no place in the first-level cache.
  template <int R>
  MCT_ALWAYS_INLINE void load_once(const void* base, std::int64_t stride) {
    asm volatile("tileloaddt1 (%0,%1,1), %%tmm%c2" : : "r"(base), "r"(stride), "i"(R) : "memory");
  }
  template <int R>
  MCT_ALWAYS_INLINE void store(void* base, std::int64_t stride) const {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(base), "r"(stride), "i"(R) : "memory");
  }
  template <int C, int A, int B>
  MCT_ALWAYS_INLINE void add_products() {
    // AT&T order: the last operand is the sum, the operand before it the first factor
    asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(C), "i"(A), "i"(B));
  }
  template <int C, int A, int B>
  MCT_ALWAYS_INLINE void add_bfloat16_products() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(C), "i"(A), "i"(B));
  }
};
#else
using AmxTiles = ModelTiles;
#endif

/// Instructions on tile registers: products of bytes, and of bfloat16.
struct ByteProducts {
  template <int C, int A, int B, class Tiles>
  MCT_ALWAYS_INLINE static void add(Tiles& tiles) {
    tiles.template add_products<C, A, B>();
  }
};
struct Bfloat16Products {
  template <int C, int A, int B, class Tiles>
  MCT_ALWAYS_INLINE static void add(Tiles& tiles) {
    tiles.template add_bfloat16_products<C, A, B>();
  }
};

/// Sums of 32 lines and 32 columns in registers 0 .. 3, and their rows in memory.
inline constexpr int tile_lines = 2 * tile_rows;
inline constexpr std::int64_t line_bytes = std::int64_t(tile_lines) * 4;

/// Adds the products of 64 bytes of each of 32 lines and of 32 columns: the lines one after the
/// other, of the columns four bytes of each beside the others. The columns stay in the first-level
/// cache for the lines to come.
template <class Products, class Tiles>
MCT_ALWAYS_INLINE inline void add_step(Tiles& tiles, const char* lines, const char* columns) {
  tiles.template load_once<4>(lines, tile_bytes);
  tiles.template load<6>(columns, line_bytes);
  tiles.template load_once<5>(lines + tile_rows * std::int64_t(tile_bytes), tile_bytes);
  tiles.template load<7>(columns + tile_bytes, line_bytes);
  Products::template add<0, 4, 6>(tiles);
  Products::template add<1, 4, 7>(tiles);
  Products::template add<2, 5, 6>(tiles);
  Products::template add<3, 5, 7>(tiles);
}

template <class Tiles>
MCT_ALWAYS_INLINE inline void store_sums(const Tiles& tiles, char* sums) {
  constexpr std::int64_t below = tile_rows * line_bytes;
  tiles.template store<0>(sums, line_bytes);
  tiles.template store<1>(sums + tile_bytes, line_bytes);
  tiles.template store<2>(sums + below, line_bytes);
  tiles.template store<3>(sums + below + tile_bytes, line_bytes);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
