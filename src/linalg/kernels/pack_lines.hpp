// Packing for the matrix unit of bfloat16: a line has 16 pairs of neighbouring depths beside each
// other.
#pragma once

#include "src/linalg/kernels/pack_plain.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::Bfloat16Line;

/// The columns of x, `depth` numbers each, as panels of `width` lines [panel][pair / 16][line]
/// [pair % 16], with zeros behind the last column and the last depth.
inline void pack_lines(MatrixView<const bfloat16> x, std::int64_t depth, std::int64_t columns,
                       std::int64_t width, Bfloat16Line* out) {
  using From = Packed<Bfloat16Pair>;
  using V = From::Lanes;
  constexpr std::int64_t pairs_of_line = linalg_detail::pairs_of_line;
  for (std::int64_t first = 0; first < columns; first += width)
    for (std::int64_t from = 0; from < depth; from += 2 * pairs_of_line)
      for (std::int64_t j = first; j < first + width; ++j, out += pairs_of_line) {
        const bfloat16* line = x.data + j * x.column_stride + from * x.row_stride;
        if (j < columns && x.row_stride == 1 && from + 2 * pairs_of_line <= depth) {
          for (std::int64_t p = 0; p < pairs_of_line; p += std::int64_t(lanes<V>))
            store_lanes(From::along(line + 2 * p), reinterpret_cast<float*>(out + p));
          continue;
        }
        for (std::int64_t p = 0; p < pairs_of_line; ++p) {
          const std::int64_t left = j < columns ? depth - from - 2 * p : 0;
          static_cast<Bfloat16Pair&>(out[p]) =
              left > 0 ? From::one(line + 2 * p * x.row_stride, x.row_stride, left)
                       : Bfloat16Pair{};
        }
      }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
