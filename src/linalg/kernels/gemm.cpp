// The register tiles of every format, compiled once per instruction set.
#include "src/linalg/kernels/bfloat16_matrix.hpp"
#include "src/linalg/kernels/gemm_kernels.hpp"
#include "src/linalg/kernels/registry.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

// Register tiles of products of bfloat16 by the processor's units for them (AVX512-BF16). Elsewhere
// the tables are empty.
//
// VDPBF16PS adds two products to a float, the upper ones of the two words first, each product and
// sum rounded once, to nearest (a product of two bfloat16s is a float): the operations of the float
// tile in the same order, if the upper word has the lower k. What differs: subnormal factors and
// sums count as zero, whatever the floating-point environment.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, VDPBF16PS.

#if defined(__AVX512F__)
template <std::ptrdiff_t Rows, std::ptrdiff_t Vectors>
__attribute__((target("avx512bf16"))) void multiply_bfloat16_tile(
    std::size_t k, const linalg_detail::Bfloat16Pair* a, const linalg_detail::Bfloat16Pair* b,
    float* c) {
  constexpr std::ptrdiff_t width = 16;
  __m512 sums[Rows][Vectors];
  for (std::ptrdiff_t i = 0; i < Rows; ++i)
    for (std::ptrdiff_t j = 0; j < Vectors; ++j)
      sums[i][j] = _mm512_loadu_ps(c + (i * Vectors + j) * width);
  for (; k > 0; --k, a += Rows, b += Vectors * width) {
    __m512bh y[Vectors];
    for (std::ptrdiff_t j = 0; j < Vectors; ++j) y[j] = __m512bh(_mm512_loadu_si512(b + j * width));
#pragma GCC unroll 8
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      int pair = 0;
      std::memcpy(&pair, a + i, sizeof(pair));
      const auto x = __m512bh(_mm512_set1_epi32(pair));
#pragma GCC unroll 4
      for (std::ptrdiff_t j = 0; j < Vectors; ++j)
        sums[i][j] = _mm512_dpbf16_ps(sums[i][j], x, y[j]);
    }
  }
  for (std::ptrdiff_t i = 0; i < Rows; ++i)
    for (std::ptrdiff_t j = 0; j < Vectors; ++j)
      _mm512_storeu_ps(c + (i * Vectors + j) * width, sums[i][j]);
}
#endif

constexpr linalg_detail::GemmTable<float, linalg_detail::Bfloat16Pair> make_bfloat16_table() {
#if defined(__AVX512F__)
  constexpr TileShape shape = tile_shape<1>();
  constexpr int single = single_vectors<1>;
  return {{shape.rows, shape.vectors * 16, 16, &multiply_bfloat16_tile<shape.rows, shape.vectors>},
          {1, single * 16, 16, &multiply_bfloat16_tile<1, single>},
          {shape.rows, 16, 16, &multiply_bfloat16_tile<shape.rows, 1>},
          &normalize_levels<widest_batch<float>, 1>};
#else
  return {};
#endif
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct::linalg_detail::MCT_KERNELS {

MCT_DEFINE_GEMM(float, 1, 1, 1)
MCT_DEFINE_GEMM(double, 1, 1, 1)
template <>
const GemmTable<float, Bfloat16Pair>& gemm_table<Bfloat16Pair, 1, 1, 1>() {
  static constexpr GemmTable<float, Bfloat16Pair> table = kernels::make_bfloat16_table();
  return table;
}
template <>
const GemmTableOf<Bfloat16Line>& gemm_table<Bfloat16Line, 1, 1, 1>() {
  static constexpr GemmTableOf<Bfloat16Line> table =
      kernels::make_bfloat16_matrix_table<kernels::AmxTiles>();
  return table;
}
MCT_DEFINE_GEMM(double, 2, 1, 1)
MCT_DEFINE_GEMM(double, 2, 2, 1)
MCT_DEFINE_GEMM(double, 2, 1, 2)
MCT_DEFINE_GEMM(double, 2, 2, 2)
MCT_DEFINE_GEMM(double, 3, 1, 1)
MCT_DEFINE_GEMM(double, 3, 3, 1)
MCT_DEFINE_GEMM(double, 3, 1, 3)
MCT_DEFINE_GEMM(double, 3, 3, 3)
MCT_DEFINE_GEMM(double, 4, 4, 1)
MCT_DEFINE_GEMM(double, 4, 1, 4)
MCT_DEFINE_GEMM(double, 4, 4, 4)

}  // namespace mct::linalg_detail::MCT_KERNELS
