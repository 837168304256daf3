// Matrix products by the vector units of a device, as the host sees them.
#pragma once

#include <algorithm>

#include "cuda/device/stream_queue.hpp"
#include "cuda/linalg/gemm.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/packed_factor.hpp"

namespace mct::cuda {

/// Whether neighbours of every row may be written by stores of 16 bytes.
template <class T>
bool rows_are_aligned(const MatrixView<T>& c, std::int64_t columns) {
  constexpr std::int64_t width = widest<T>;
  return c.column_stride == 1 && columns % width == 0 && c.row_stride % width == 0 &&
         c.plane % width == 0 && reinterpret_cast<std::uintptr_t>(c.data) % 16 == 0;
}

/// The packed rows of a matrix.
template <class T, int N>
auto pack_factor(const StreamQueue& queue, const MatrixView<const T>& from, std::int64_t rows,
                 std::int64_t depth) {
  using Factor = PackedFactor<T, N>;
  const std::int64_t tiles = Factor::tiles(rows);
  const std::int64_t slices = Factor::slices_of(depth);
  auto buffer = queue.allocate<T>(tiles * slices * Factor::slice);
  constexpr int steps = PackFactor<T, N>::side / Factor::depth;
  queue.run(
      PackFactor<T, N>{from, rows, depth, Factor{buffer.data(), int(slices)}},
      Grid{int(tiles * Factor::tile / PackFactor<T, N>::side), int((slices + steps - 1) / steps)});
  return buffer;
}

/// The deepest product of vector_product: its packing has no more blocks in that direction.
template <class T, int N>
inline constexpr std::int64_t deepest_vector_product =
    std::int64_t(Grid::max_y) * PackFactor<T, N>::side;

/// c = a b of m x k and k x n matrices of N components by the vector units: error and special
/// values as those of mct::mm in floating point, with accumulate_bound<N>(k) for floats too.
template <class T, int N>
void vector_product(const StreamQueue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
                    const MatrixView<const T>& a, const MatrixView<const T>& b,
                    const MatrixView<T>& c) {
  if (m == 0 || n == 0) return;
  using Factor = PackedFactor<const T, N>;
  const auto slices = int(Factor::slices_of(k));
  auto packed_b = pack_factor<T, N>(queue, b.transposed(), n, k);
  const Factor right{packed_b.data(), slices};
  // rows of a launch: its grid has no more blocks in that direction
  constexpr std::int64_t step = std::int64_t(Grid::max_y) * Factor::tile;
  for (std::int64_t first = 0; first < m; first += step) {
    const std::int64_t rows = std::min(m - first, step);
    auto packed_a = pack_factor<T, N>(queue, a.at(first * a.row_stride), rows, k);
    const Factor left{packed_a.data(), slices};
    const MatrixView<T> to = c.at(first * c.row_stride);
    queue.run(Gemm<T, N>{left, right, to, rows, n, rows_are_aligned(to, n)},
              Grid{int(Factor::tiles(n)), int(Factor::tiles(rows))});
    using Guarded = GuardedSums<T, N>;
    queue.run(Guarded{left, right, to, rows, n, k}, blocks_for(rows * n, Guarded::threads));
  }
}

}  // namespace mct::cuda

/// The programs of vector_product, for who compiles them.
#define MCT_VECTOR_PRODUCT_PROGRAMS(DO, T, N) \
  DO(PackFactor<T, N>)                        \
  DO(Gemm<T, N>)                              \
  DO(GuardedSums<T, N>)
#define MCT_FOR_EACH_VECTOR_PRODUCT(DO)      \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, double, 2) \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, double, 3) \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, float, 2)  \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, float, 3)
