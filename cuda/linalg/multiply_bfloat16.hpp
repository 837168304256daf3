// Products of matrices of expansions of bfloat16 by the tensor cores.
#pragma once

#include "cuda/linalg/line_tiles.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/expansion/convert.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// c = a b of expansions of N bfloat16, summed in float, as floats (Result float) or rounded to N
/// bfloat16 again.
///
/// The products of limbs i and j with i + j < N, 3 of N = 2 and 6 of N = 3, of 16 depths are
/// gathered by matrix instructions, the smallest first, and added to the sum of the depths before.
/// Error of an element, against the sum of the products' magnitudes: K u^N is what the dropped
/// products leave, K = 3 for N = 2 and 4 for N = 3 (u = 2^-8); floats add (k / 16 + 20 N (N + 1))
/// 2^-24: a rounding for every 16 depths, and N (N + 1) / 2 instructions which each cut off up to
/// 17 terms at 2^-24 of the largest, or less (tensor_core.hpp of the simulator). So N = 3 is as
/// accurate as a product of floats.
///
/// A block makes a tile of 128 x 128, a warp 32 x 64 of it, while two slices are on their way.
/// Grid: (tiles of b, tiles of a).
template <int N, class Result>
struct MultiplyBfloat16 {
  static constexpr int threads = 256, blocks_per_sm = 1;
  static constexpr int stages = N == 2 ? 4 : 3;
  static constexpr int rows = 2;     // of 16, of a warp
  static constexpr int columns = 8;  // of 8
  static constexpr int limbs = std::is_same_v<Result, float> ? 1 : N;
  using Factor = LineTiles<const bfloat16>;

  Factor a, b;
  MatrixView<Result> c;
  std::int64_t m, n;

  template <class Team>
  struct Shared {
    typename Team::template Array<bfloat16, stages * N * Factor::slice> a, b;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    float sum[rows][columns][4] = {};
    for (int s = 0; s < stages - 1; ++s) fetch(team, shared, s);
    for (int s = 0; s < a.slices; ++s) {
      team.template wait<stages - 2>();
      team.barrier();  // what the others have copied is there, and they have read the slice before
      fetch(team, shared, s + stages - 1);
      multiply(team, shared, s % stages * N * Factor::slice, sum);
    }
    MCT_UNROLL
    for (int e = 0; e < rows * columns * 4; ++e)
      store(team, e / (4 * columns), e / 4 % columns, e % 4,
            sum[e / (4 * columns)][e / 4 % columns][e % 4]);
  }

 private:
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, int s) const {
    if (s < a.slices) {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        const bfloat16* const from_a = a.data + a.begin(l, team.block_y(), s);
        const bfloat16* const from_b = b.data + b.begin(l, team.block_x(), s);
        const int to = (s % stages * N + l) * Factor::slice;
        MCT_UNROLL
        for (int i = 0; i < Factor::slice; i += threads * widest<bfloat16>) {
          const int at = i + team.rank() * widest<bfloat16>;
          team.copy_async(shared.a, to + at, from_a + at, true);
          team.copy_async(shared.b, to + at, from_b + at, true);
        }
      }
    }
    team.commit();
  }

  template <class Team>
  MCT_BLOCK static int first_row(Team& team) {
    return team.rank() / 64 * (16 * rows);
  }
  template <class Team>
  MCT_BLOCK static int first_column(Team& team) {
    return team.rank() / 32 % 2 * (8 * columns);
  }

  template <class Team>
  MCT_BLOCK void multiply(Team& team, const Shared<Team>& shared, int from,
                          float (&sum)[rows][columns][4]) const {
    // the lines that this lane names to matrix loads: of a 16 rows by two pieces, of b 8 columns by
    // two pieces twice
    const int lane = team.rank() % 32;
    const int row = first_row(team) + lane % 16;
    const int column = first_column(team) + lane % 8 + lane / 16 * 8;
    MCT_UNROLL
    for (int step = 0; step < Factor::depth / 16; ++step) {
      std::uint32_t left[N][rows][4];
      MCT_UNROLL
      for (int e = 0; e < N * rows; ++e) {
        const int place = Factor::piece(row + 16 * (e % rows), 2 * step + lane / 16);
        team.load_matrix(shared.a, from + e / rows * Factor::slice + place,
                         left[e / rows][e % rows]);
      }
      MCT_UNROLL
      for (int j = 0; j < columns; j += 2) {
        std::uint32_t right[N][4];
        const int place = Factor::piece(column + 8 * j, 2 * step + lane / 8 % 2);
        MCT_UNROLL
        for (int l = 0; l < N; ++l)
          team.load_matrix(shared.b, from + l * Factor::slice + place, right[l]);
        MCT_UNROLL
        for (int e = 0; e < 2 * rows; ++e)
          add_products(team, left, e / 2, right, e % 2, sum[e / 2][j + e % 2]);
      }
    }
  }

  /// Adds the products of all limbs that count, gathered apart from the sum, the smallest first.
  template <class Team>
  MCT_BLOCK static void add_products(Team& team, const std::uint32_t (&left)[N][rows][4], int i,
                                     const std::uint32_t (&right)[N][4], int j, float (&sum)[4]) {
    float part[4] = {};
    MCT_UNROLL
    for (int order = N - 1; order >= 0; --order) {
      MCT_UNROLL
      for (int l = 0; l <= order; ++l) {
        const std::uint32_t b_of[2] = {right[order - l][2 * j], right[order - l][2 * j + 1]};
        team.multiply_bfloat16(part, left[l][i], b_of);
      }
    }
    MCT_UNROLL
    for (int e = 0; e < 4; ++e) sum[e] = sum[e] + part[e];
  }

  template <class Team>
  MCT_BLOCK void store(Team& team, int i, int j, int e, float value) const {
    const int lane = team.rank() % 32;
    const std::int64_t row = std::int64_t(team.block_y()) * Factor::tile + first_row(team) +
                             16 * i + lane / 4 + e / 2 * 8;
    const std::int64_t column = std::int64_t(team.block_x()) * Factor::tile + first_column(team) +
                                8 * j + lane % 4 * 2 + e % 2;
    if (row >= m || column >= n) return;
    Result* const to = c.data + row * c.row_stride + column * c.column_stride;
    if constexpr (limbs == 1) {
      team.template store<1>(to, {{value}});
    } else {
      const Expansion<bfloat16, N> x(value);
      MCT_UNROLL
      for (int l = 0; l < N; ++l) team.template store<1>(to + l * c.plane, {{x.limb[l]}});
    }
  }
};

}  // namespace mct::cuda
