// Matrix products on a device, as the host sees them.
//
// Queue is where programs are sent: a stream of a device, or the simulator of the tests
// (cuda/device/stream_queue.hpp says what it has).
#pragma once

#include <algorithm>

#include "cuda/base/launch.hpp"
#include "cuda/linalg/gemm.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/pack.hpp"

namespace mct::cuda {

/// Whether neighbours of every row may be written by stores of 16 bytes.
template <class T>
bool rows_are_aligned(const MatrixView<T>& c, std::int64_t columns) {
  constexpr std::int64_t width = widest<T>;
  return c.column_stride == 1 && columns % width == 0 && c.row_stride % width == 0 &&
         c.plane % width == 0 && reinterpret_cast<std::uintptr_t>(c.data) % 16 == 0;
}

/// The packed rows of a matrix.
template <class T, int N, class Queue>
auto pack_factor(Queue& queue, const MatrixView<const T>& from, std::int64_t rows,
                 std::int64_t depth) {
  using Factor = PackedFactor<T, N>;
  const std::int64_t tiles = Factor::tiles(rows);
  const std::int64_t slices = Factor::slices_of(depth);
  auto buffer = queue.template allocate<T>(tiles * slices * Factor::slice);
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
template <class T, int N, class Queue>
void vector_product(Queue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
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
    constexpr int threads = GuardedSums<T, N>::threads;
    queue.run(GuardedSums<T, N>{left, right, to, rows, n, k},
              Grid{int((rows * n + threads - 1) / threads)});
  }
}

}  // namespace mct::cuda
