// Tiles of products of bfloat16 by the matrix unit of the processor (AMX-BF16), and the same loop
// on a model of that unit in plain C++ (tile_registers.hpp).
//
// TDPBF16PS makes two sums of 16 products each, over the second and over the first numbers of 16
// pairs, each product added by one rounding to nearest, adds the two and then their sum to what was
// there. Subnormal factors and sums count as zero, whatever the floating-point environment.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, TDPBF16PS.
#pragma once

#include <algorithm>

#include "src/linalg/kernels/gemm_kernels.hpp"
#include "src/linalg/kernels/tile_registers.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// c = c + a b of 32 lines and 32 columns.
template <class Tiles>
void multiply_bfloat16_lines(std::size_t pairs, const linalg_detail::Bfloat16Line* a,
                             const linalg_detail::Bfloat16Pair* b, float* c) {
  using linalg_detail::Bfloat16Pair;
  constexpr std::int64_t lines = std::int64_t(2) * tile_rows;
  constexpr std::int64_t row_bytes = lines * 4;  // of sums, and of pairs of 32 columns
  constexpr std::int64_t half = std::int64_t(tile_rows) * row_bytes;
  auto* const sums = reinterpret_cast<char*>(c);
  Tiles tiles;
  tiles.configure();
  tiles.template load<0>(sums, row_bytes);
  tiles.template load<1>(sums + tile_bytes, row_bytes);
  tiles.template load<2>(sums + half, row_bytes);
  tiles.template load<3>(sums + half + tile_bytes, row_bytes);
  const auto multiply = [&](const void* left, const void* right) {
    const auto* x = static_cast<const char*>(left);
    const auto* y = static_cast<const char*>(right);
    tiles.template load<4>(x, tile_bytes);
    tiles.template load<6>(y, row_bytes);
    tiles.template load<5>(x + half / 2, tile_bytes);
    tiles.template load<7>(y + tile_bytes, row_bytes);
    tiles.template add_bfloat16_products<0, 4, 6>();
    tiles.template add_bfloat16_products<1, 4, 7>();
    tiles.template add_bfloat16_products<2, 5, 6>();
    tiles.template add_bfloat16_products<3, 5, 7>();
  };
  auto rest = std::int64_t(pairs);
  for (; rest >= tile_rows; rest -= tile_rows, a += lines * tile_rows, b += lines * tile_rows)
    multiply(a, b);
  if (rest > 0) {  // the left factor has zeros there
    Bfloat16Pair last[std::size_t(lines * tile_rows)] = {};
    std::copy(b, b + rest * lines, last);
    multiply(a, last);
  }
  tiles.template store<0>(sums, row_bytes);
  tiles.template store<1>(sums + tile_bytes, row_bytes);
  tiles.template store<2>(sums + half, row_bytes);
  tiles.template store<3>(sums + half + tile_bytes, row_bytes);
  tiles.release();
}

template <class Tiles>
constexpr linalg_detail::GemmTable<float, linalg_detail::Bfloat16Line, linalg_detail::Bfloat16Pair>
make_bfloat16_matrix_table() {
  constexpr int lines = 2 * tile_rows;
  constexpr auto lanes_of_row = int(lanes<widest_batch<float>>);
  constexpr auto multiply = &multiply_bfloat16_lines<Tiles>;
  return {{lines, lines, lanes_of_row, multiply},
          {lines, lines, lanes_of_row, multiply},
          {},
          &normalize_levels<widest_batch<float>, 1>};
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
