// The kernels of dot products and matrix products, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstddef>

#include "src/linalg/matrix_view.hpp"

namespace mct::linalg_detail {

/// out[0..K) = the normalized sum of n products of expansions in contiguous planes, accumulated in
/// K doubles. Y is T, or double where y is in the format of the accumulation already.
template <class T, class Y>
using DotKernel = void (*)(std::size_t n, const T* const* x, const Y* const* y, double* out);
/// Packs columns of a matrix into panels of `width` columns: see pack_kernels.hpp.
template <class T, class S>
using PackKernel = void (*)(MatrixView<const T> x, std::int64_t depth, std::int64_t columns,
                            std::int64_t width, S* out);

/// A register tile of a matrix product in packed panels of S.
///
/// a: for each k the limbs of `rows` rows, [k][limb][row]; b: [k][limb][column], `columns` of them.
/// c: accumulator levels, [row][column / lanes][level][column % lanes], read and written.
template <class S>
struct TileKernel {
  int rows;
  int columns;
  int lanes;
  void (*multiply)(std::size_t k, const S* a, const S* b, S* c);
};

/// The tiles of one format: `many` for whole blocks, `single` for one row.
template <class S>
struct GemmTable {
  TileKernel<S> many;
  TileKernel<S> single;
  /// Normalizes `count` vectors of accumulator levels in place.
  void (*normalize)(std::size_t count, S* c);
};

}  // namespace mct::linalg_detail
