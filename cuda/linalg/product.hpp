// Matrix products by the vector units of a device, as the host sees them.
#pragma once

#include <algorithm>

#include "cuda/device/stream_queue.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/packed_factor.hpp"
#include "mctensor/expansion/accumulator.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// C = A B for expansions of N components. PackFactor has packed the factors, A by its rows, B by
/// its columns.
///
/// A block computes a tile of C, and a thread `own` x `own` of its elements. While the block
/// multiplies one slice of the factors, the next one is copied. Every element is the sum of
/// Accumulator<T, N> in the order of k, with the bits of the host; its bound is
/// accumulate_bound<N>(k) u^N (|A| |B|). A result that is not finite may be NaN in place of an
/// infinity, so GuardedSums comes after this program.
///
/// Grid: (tiles of columns, tiles of rows).
template <class T, int N>
struct Gemm {
  using Factor = PackedFactor<const T, N>;
  static constexpr int threads = 256, blocks_per_sm = N == 2 ? 2 : 1;
  static constexpr int tile = Factor::tile;
  static constexpr int side = 16;  // threads along an edge of the tile
  static constexpr int own = tile / side;
  static constexpr int width = widest<T>;  // neighbours of a thread
  static constexpr int stages = 2;
  static_assert(Factor::depth % Accumulator<T, N>::period == 0 && own % width == 0);

  Factor a, b;
  MatrixView<T> c;
  std::int64_t rows, columns;
  /// Whether neighbours of c may be written at once: rows are contiguous and aligned.
  bool wide_stores;

  template <class Team>
  struct Shared {
    typename Team::template Array<T, stages * Factor::slice> a, b;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    // computed again in the loop, which has no registers to keep them
    const int x = first_column(team);
    const int y = first_row(team);
    Accumulator<T, N> sum[own][own];
    fetch(team, shared, 0);
    for (int step = 0; step < a.slices; ++step) {
      fetch(team, shared, step + 1);
      team.template wait<1>();
      team.barrier();
      multiply<Team>(shared, step % stages, first_column(team), first_row(team), sum);
      team.barrier();
    }
    const std::int64_t block_row = std::int64_t(team.block_y()) * tile;
    const std::int64_t block_column = std::int64_t(team.block_x()) * tile;
    MCT_UNROLL
    for (int e = 0; e < own * own; e += width)
      store(team, block_row + place(y, e / own), block_column + place(x, e % own),
            sum[e / own] + e % own);
  }

 private:
  using X = Expansion<T, N>;

  /// The place of element i of a thread along an edge of a tile. After `width` neighbours, the next
  /// ones are `side` such packs further.
  MCT_HD static constexpr int place(int first, int i) {
    return i / width * side * width + first + i % width;
  }
  template <class Team>
  MCT_BLOCK static int first_row(Team& team) {
    return team.rank() / side * width;
  }
  template <class Team>
  MCT_BLOCK static int first_column(Team& team) {
    return team.rank() % side * width;
  }

  /// Starts to copy slice number `step`. After the last slice it ends an empty group of copies.
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, int step) const {
    if (step < a.slices) {
      const T* const from_a =
          a.data + (std::int64_t(team.block_y()) * a.slices + step) * Factor::slice;
      const T* const from_b =
          b.data + (std::int64_t(team.block_x()) * b.slices + step) * Factor::slice;
      const int to = step % stages * Factor::slice;
      MCT_UNROLL
      for (int i = 0; i < Factor::slice; i += threads * width) {
        const int at = i + team.rank() * width;
        if (Factor::slice % (threads * width) != 0 && at >= Factor::slice) break;
        team.copy_async(shared.a, to + at, from_a + at);
        team.copy_async(shared.b, to + at, from_b + at);
      }
    }
    team.commit();
  }

  template <class Team>
  MCT_BLOCK void multiply(const Shared<Team>& shared, int stage, int x, int y,
                          Accumulator<T, N> (&sum)[own][own]) const {
    MCT_UNROLL
    for (int k = 0; k < Factor::depth; ++k) {
      const int line = stage * Factor::slice + k * tile;
      X left[own];
      MCT_UNROLL
      for (int i = 0; i < own; i += width) read(shared.a, line + place(y, i), left + i);
      MCT_UNROLL
      for (int j = 0; j < own; j += width) {
        X right[width];
        read(shared.b, line + place(x, j), right);
        MCT_UNROLL
        for (int e = 0; e < own * width; ++e) {
          Accumulator<T, N>& of = sum[e / width][j + e % width];
          of.add_product(left[e / width], right[e % width]);
          if ((k + 1) % Accumulator<T, N>::period == 0) of.carry();
        }
      }
    }
  }

  /// Reads neighbours of one step of a slice.
  template <class Array>
  MCT_BLOCK static void read(const Array& from, int place, X* values) {
    MCT_UNROLL
    for (int l = 0; l < N; ++l) {
      const auto limbs = from.template read<width>(place + l * Factor::depth * tile);
      MCT_UNROLL
      for (int j = 0; j < width; ++j) values[j].limb[l] = limbs[j];
    }
  }

  /// Stores neighbours of one row.
  template <class Team>
  MCT_BLOCK void store(Team& team, std::int64_t row, std::int64_t column,
                       const Accumulator<T, N>* sums) const {
    if (row >= rows) return;
    X values[width];
    MCT_UNROLL
    for (int j = 0; j < width; ++j) values[j] = sums[j].result();
    T* const to = c.data + row * c.row_stride + column * c.column_stride;
    if (wide_stores && column + width <= columns) {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        Pack<T, width> limbs;
        MCT_UNROLL
        for (int j = 0; j < width; ++j) limbs[j] = values[j].limb[l];
        team.store(to + l * c.plane, limbs);
      }
      return;
    }
    MCT_UNROLL
    for (int j = 0; j < width; ++j)
      if (column + j < columns)
        for (int l = 0; l < N; ++l)
          team.template store<1>(to + l * c.plane + j * c.column_stride, {{values[j].limb[l]}});
  }
};

}  // namespace mct::cuda

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

/// The largest inner dimension of vector_product: a grid has no more blocks to pack it.
template <class T, int N>
inline constexpr std::int64_t deepest_vector_product =
    std::int64_t(Grid::max_y) * PackFactor<T, N>::side;

/// c = a b of m x k and k x n matrices of N components by the vector units. Error and special
/// values are those of mct::mm in floating point, with accumulate_bound<N>(k) for floats, too.
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

/// The list of programs of vector_product, for the source that compiles them.
#define MCT_VECTOR_PRODUCT_PROGRAMS(DO, T, N) \
  DO(PackFactor<T, N>)                        \
  DO(Gemm<T, N>)                              \
  DO(GuardedSums<T, N>)
#define MCT_FOR_EACH_VECTOR_PRODUCT(DO)      \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, double, 2) \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, double, 3) \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, float, 2)  \
  MCT_VECTOR_PRODUCT_PROGRAMS(DO, float, 3)
