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

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// c = c + a b of 32 lines and 32 columns.
template <class Tiles>
void multiply_bfloat16_lines(std::size_t pairs, const linalg_detail::Bfloat16Line* a,
                             const linalg_detail::Bfloat16Pair* b, float* c) {
  using linalg_detail::Bfloat16Pair;
  constexpr std::int64_t step = std::int64_t(tile_lines) * tile_rows;  // pairs
  constexpr std::int64_t below = tile_rows * line_bytes;
  auto* const sums = reinterpret_cast<char*>(c);
  Tiles tiles;
  tiles.configure();
  tiles.template load<0>(sums, line_bytes);
  tiles.template load<1>(sums + tile_bytes, line_bytes);
  tiles.template load<2>(sums + below, line_bytes);
  tiles.template load<3>(sums + below + tile_bytes, line_bytes);
  const auto add = [&](const Bfloat16Pair* columns) {
    add_step<Bfloat16Products>(tiles, reinterpret_cast<const char*>(a),
                               reinterpret_cast<const char*>(columns));
  };
  auto rest = std::int64_t(pairs);
  for (; rest >= tile_rows; rest -= tile_rows, a += step, b += step) add(b);
  if (rest > 0) {  // the left factor has zeros there
    Bfloat16Pair last[std::size_t(step)] = {};
    std::copy(b, b + rest * tile_lines, last);
    add(last);
  }
  store_sums(tiles, sums);
  tiles.release();
}

template <class Tiles>
constexpr linalg_detail::GemmTable<float, linalg_detail::Bfloat16Line, linalg_detail::Bfloat16Pair>
make_bfloat16_matrix_table() {
  constexpr auto lanes_of_row = int(lanes<widest_batch<float>>);
  constexpr auto multiply = &multiply_bfloat16_lines<Tiles>;
  return {{tile_lines, tile_lines, lanes_of_row, multiply},
          {tile_lines, tile_lines, lanes_of_row, multiply},
          {},
          &normalize_levels<widest_batch<float>, 1>};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
