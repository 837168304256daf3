// The product of two matrices of expansions by the vector units.
#pragma once

#include "cuda/linalg/packed_factor.hpp"
#include "mctensor/expansion/accumulator.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// C = A B of expansions of N components, of factors that PackFactor has packed: A with its rows, B
/// with its columns.
///
/// A block computes a tile of C, a thread `own` x `own` of its elements; while it multiplies one
/// slice of the factors, the next one is copied. Every element is the sum that Accumulator<T, N>
/// makes in the order of k, bit for bit what the host makes of it; its bound is
/// accumulate_bound<N>(k) u^N (|A| |B|). What is not finite may be NaN in place of an infinity:
/// GuardedSums comes after it.
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
  /// Whether neighbours of c may be written at once: rows lie together and are aligned.
  bool wide_stores;

  template <class Team>
  struct Shared {
    typename Team::template Array<T, stages * Factor::slice> a, b;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    // computed again in the loop: it has no register to keep them in
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

  /// The elements of a thread along an edge of a tile: `width` neighbours, the next ones `side`
  /// such packs further.
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

  /// Starts to copy slice number `step`; behind the last one an empty group.
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
        team.copy_async(shared.a, to + at, from_a + at, true);
        team.copy_async(shared.b, to + at, from_b + at, true);
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

  /// Neighbours of one step of a slice.
  template <class Array>
  MCT_BLOCK static void read(const Array& from, int place, X* values) {
    MCT_UNROLL
    for (int l = 0; l < N; ++l) {
      const auto limbs = from.template read<width>(place + l * Factor::depth * tile);
      MCT_UNROLL
      for (int j = 0; j < width; ++j) values[j].limb[l] = limbs[j];
    }
  }

  /// Neighbours of one row.
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
