// Matrix products on a device, as the host sees them.
//
// Queue is where programs are sent: a stream of a device, or the simulator of the tests
// (tests/cuda/simulator/simulated_queue.hpp says what it has).
#pragma once

#include "cuda/base/grid.hpp"
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

/// c = a b of m x k and k x n matrices of N components by the vector units: error and special
/// values as those of mct::mm in floating point, with accumulate_bound<N>(k) for floats too.
template <class T, int N, class Queue>
void vector_product(Queue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
                    const MatrixView<const T>& a, const MatrixView<const T>& b,
                    const MatrixView<T>& c) {
  if (m == 0 || n == 0) return;
  using Factor = PackedFactor<const T, N>;
  auto packed_a = pack_factor<T, N>(queue, a, m, k);
  auto packed_b = pack_factor<T, N>(queue, b.transposed(), n, k);
  const auto slices = int(Factor::slices_of(k));
  const Factor left{packed_a.data(), slices};
  const Factor right{packed_b.data(), slices};
  queue.run(Gemm<T, N>{left, right, c, m, n, rows_are_aligned(c, n)},
            Grid{int(Factor::tiles(n)), int(Factor::tiles(m))});
  constexpr int threads = GuardedSums<T, N>::threads;
  queue.run(GuardedSums<T, N>{left, right, c, m, n, k}, Grid{int((m * n + threads - 1) / threads)});
}

}  // namespace mct::cuda
