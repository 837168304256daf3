// The gradients of attention, from the logarithms of the sums that the forward program stored.
#pragma once

#include "cuda/attention/pair_tile.hpp"
#include "cuda/attention/weight.hpp"

namespace mct::cuda {

/// Gradients of mct::attention::attend for score S and vectors and values of at most D coordinates:
/// those of the queries' operands (RowsAreQueries), or those of the keys' operands.
///
/// A warp has 16 Strips queries (or keys) and goes through all keys (queries). It computes their
/// weights again, so that every sum has one order and one owner; the price is that both programs
/// compute two of the seven products. Weights and the gradients of t are rounded to Parts bfloat16
/// for the products with vectors. For a score of the distance, the gradient of a vector is 2 (sum
/// of those gradients times it - sum of their products with the others). Both sums use the same
/// rounded numbers, so that they cancel for near vectors.
///
/// The numbers of the queries include the planes of GatherSoftmax. Errors are as in the forward
/// program, for every gradient relative to the sum of its terms' magnitudes.
///
/// Grid: (tiles of rows, groups).
template <class S, int D, class T, bool RowsAreQueries, bool Biased = false>
struct AttentionBackward {
  static constexpr int parts = parts_of<T>;
  static constexpr int warps = 4, threads = 32 * warps;
  // as many as the registers allow
  static constexpr int strips = parts == 1 && (D == 64 ? RowsAreQueries || !S::from_distance
                                                       : RowsAreQueries && !S::from_distance)
                                    ? 2
                                    : 1;
  static constexpr int blocks_per_sm = D * parts > 128 ? 1 : 2;
  static constexpr int rows = 16 * strips * warps;
  static constexpr int columns = strips * D > 128 || (S::from_distance && strips * D == 128) ? 16
                                                                                             : 32;
  static constexpr int stages = 2;
  static constexpr bool quick = parts == 1;  // weights are rounded to bfloat16
  static constexpr int query_planes = 3 + S::queries, key_planes = 1 + S::keys;
  static constexpr int row_planes = RowsAreQueries ? query_planes : key_planes;
  static constexpr int column_planes = RowsAreQueries ? key_planes : query_planes;

  AttentionSide queries, keys;
  PairSizes sizes;
  T* to_vectors;      // of the rows: (groups, rows, width of the vectors)
  float* to_numbers;  // (groups, rows, numbers of the score)
  T* to_values;       // of keys only: (groups, keys, width of the values)
  BiasView bias = {};

  template <class Team>
  struct Shared {
    typename Team::template Array<bfloat16, parts * rows * D> row_vectors, row_values;
    typename Team::template Array<bfloat16, stages * parts * columns * D> vectors, values;
    typename Team::template Array<float, row_planes * rows> row_numbers;
    typename Team::template Array<float, stages * column_planes * columns> numbers;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const int tile =
        RowsAreQueries && sizes.causal ? team.blocks_x() - 1 - team.block_x() : team.block_x();
    const int first = tile * rows;
    const int count = RowsAreQueries ? sizes.queries : sizes.keys;
    const int last = (first + rows < count ? first + rows : count) - 1;
    const int begin = RowsAreQueries ? 0 : sizes.first_query(first) / columns;
    const int end =
        ((RowsAreQueries ? sizes.last_key(last) : sizes.queries - 1) + columns) / columns;
    fetch_side<rows, row_planes>(team, side(RowsAreQueries), shared.row_vectors, shared.row_values,
                                 shared.row_numbers, 0, first);
    fetch(team, shared, begin, end);
    Sums sums;
    const int row = first + Pair::warp_row(team);
    for (int block = begin; block < end; ++block) {
      team.template wait<0>();
      team.barrier();
      fetch(team, shared, block + 1, end);
      if (row <= last && sees_any(row, block)) add(team, shared, row, block, sums);
    }
    if (begin >= end) {  // the rows are read below
      team.template wait<0>();
      team.barrier();
    }
    store(team, shared, row, count, sums);
  }

 private:
  using Pair = PairTile<S, D, parts, strips, columns, RowsAreQueries>;
  using Pairs = typename Pair::Pairs;
  static constexpr int numbers = Pair::row_numbers;
  static constexpr int offset_plane = 1 + S::queries, mean_plane = offset_plane + 1;

  /// The sums of a warp for its rows.
  struct Sums {
    float vectors[strips][D / 8][4] = {};
    float values[RowsAreQueries ? 1 : strips][D / 8][4] = {};
    float totals[strips][4] = {};
    float numbers[strips][2][Pair::row_numbers + 1] = {};  // this lane's part
  };
  /// The results of the softmax for a query.
  struct Left {
    float offset, mean;
  };

  MCT_BLOCK const AttentionSide& side(bool of_queries) const { return of_queries ? queries : keys; }

  template <int Count, int Planes, class Team, class Vectors, class Numbers>
  MCT_BLOCK static void fetch_side(Team& team, const AttentionSide& from, Vectors& vectors,
                                   Vectors& values, Numbers& of_side, int stage, int first) {
    const auto group = [&](const VectorsView& of, int part) {
      return of.group(team.block_y()) + part * of.plane;
    };
    MCT_UNROLL
    for (int p = 0; p < parts; ++p) {
      const int to = (stage * parts + p) * Count * D;
      fetch_rows<TileRows<D>, Count, threads>(team, team.rank(), vectors, to,
                                              group(from.vectors, p), first, from.vectors.count,
                                              from.vectors.width);
      fetch_rows<TileRows<D>, Count, threads>(team, team.rank(), values, to, group(from.values, p),
                                              first, from.values.count, from.values.width);
    }
    fetch_numbers<Count, Planes, threads>(team, team.rank(), of_side, stage * Planes * Count,
                                          from.numbers, first);
  }
  /// Starts to copy a block of columns. After the last block it ends an empty group of copies.
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, int block, int end) const {
    if (block < end)
      fetch_side<columns, column_planes>(team, side(!RowsAreQueries), shared.vectors, shared.values,
                                         shared.numbers, block % stages, block * columns);
    team.commit();
  }

  /// Whether some row of a warp belongs to a pair with some column of a block.
  MCT_BLOCK bool sees_any(int row, int block) const {
    const int last_column = block * columns + columns - 1;
    if constexpr (RowsAreQueries) return block * columns <= sizes.last_key(row + 16 * strips - 1);
    return row <= sizes.last_key(last_column);
  }
  MCT_BLOCK bool sees_all(int row, int block) const {
    const int last_column = block * columns + columns - 1;
    if constexpr (RowsAreQueries) return last_column <= sizes.last_key(row);
    return last_column < sizes.queries && row + 16 * strips - 1 <= sizes.last_key(block * columns);
  }

  template <class Team>
  MCT_BLOCK void add(Team& team, const Shared<Team>& shared, int row, int block, Sums& sums) const {
    const int to = block % stages * parts * columns * D;
    const int to_numbers_of = block % stages * column_planes * columns;
    const int top = Pair::warp_row(team);
    Pairs t = {}, weights = {};
    Pair::multiply(team, shared.row_vectors, top, rows * D, shared.vectors, to, columns * D, t);
    Pair::multiply(team, shared.row_values, top, rows * D, shared.values, to, columns * D, weights);
    typename Pair::RowNumbers of_rows[strips][2];
    Pair::read_rows(team, shared.row_numbers, top, rows, of_rows);
    if constexpr (S::from_distance)
      if (Pair::to_distances(team, of_rows, shared.numbers, to_numbers_of, t))
        Pair::find_distances(team, shared.row_vectors, top, rows * D, shared.vectors, to,
                             columns * D, t);
    Left left[strips][2];
    if constexpr (RowsAreQueries) {
      MCT_UNROLL
      for (int r = 0; r < 2 * strips; ++r) {
        const int at = top + Pair::lane_row(team, r);
        left[r / 2][r % 2] = {shared.row_numbers.template read<1>(offset_plane * rows + at)[0],
                              shared.row_numbers.template read<1>(mean_plane * rows + at)[0]};
      }
    }
    const bool all = sees_all(row, block);
    if (!all) {  // a weight whose gradient is the mean gives its score no gradient
      hide(
          team, row, block,
          [&](int r, int j) {
            if constexpr (RowsAreQueries) {
              return left[r / 2][r % 2].mean;
            } else {
              return shared.numbers.template read<1>(to_numbers_of + mean_plane * columns +
                                                     8 * (j / 2) + 2 * (team.rank() % 4) +
                                                     j % 2)[0];
            }
          },
          weights);
    }
    [[maybe_unused]] const GroupBias<Team, Biased> of_pairs(team, bias, sizes);
    MCT_UNROLL
    for (int j = 0; j < columns / 8; ++j) {
      typename Pair::ColumnNumbers of_columns[2];
      Pair::template read_columns<columns>(team, shared.numbers, to_numbers_of, j, of_columns);
      Pack<float, 2> offsets = {}, means = {};
      const int column = 8 * j + 2 * (team.rank() % 4);
      if constexpr (!RowsAreQueries) {
        offsets = shared.numbers.template read<2>(to_numbers_of + offset_plane * columns + column);
        means = shared.numbers.template read<2>(to_numbers_of + mean_plane * columns + column);
      }
      MCT_UNROLL
      for (int e = 0; e < 4 * strips; ++e) {
        const int s = e / 4;
        const int h = e / 2 % 2;
        const Left of = RowsAreQueries ? left[s][h] : Left{offsets[e % 2], means[e % 2]};
        float score = Pair::score(t[s][j][e % 4], of_rows[s][h], of_columns[e % 2]);
        if constexpr (Biased) {
          const int r = row + Pair::lane_row(team, e / 2);
          const int c = block * columns + column + e % 2;
          score += RowsAreQueries ? of_pairs.of(r, c) : of_pairs.of(c, r);
        }
        through_score(of, score, of_rows[s][h], of_columns[e % 2], t[s][j][e % 4],
                      weights[s][j][e % 4], sums.numbers[s][h]);
      }
    }
    Pair::template add_weighted<S::from_distance>(team, t, shared.vectors, to, columns * D,
                                                  sums.vectors, sums.totals);
    if constexpr (!RowsAreQueries) {
      if (!all)
        hide(
            team, row, block, [](int, int) { return 0.0F; }, weights);
      Pair::add_weighted(team, weights, shared.values, to, columns * D, sums.values);
    }
  }

  /// Puts with(r, j) in the place of pairs whose query does not see the key. r: row of this lane,
  /// j: column.
  template <class Team, class With>
  MCT_BLOCK void hide(Team& team, int row, int block, const With& with, Pairs& pairs) const {
    const int column = block * columns + 2 * (team.rank() % 4);
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      const int at = row + Pair::lane_row(team, r);
      const int low = RowsAreQueries ? 0 : sizes.first_query(at);
      const int high = RowsAreQueries ? sizes.last_key(at) : sizes.queries - 1;
      MCT_UNROLL
      for (int j = 0; j < columns / 4; ++j) {
        const int c = column + 8 * (j / 2) + j % 2;
        if (c < low || c > high) pairs[r / 2][j / 2][r % 2 * 2 + j % 2] = with(r, j);
      }
    }
  }

  /// Replaces t by its gradient and the weight's gradient by the weight. Adds to the gradients of
  /// the row's numbers.
  MCT_BLOCK static void through_score(const Left& of, float score,
                                      const typename Pair::RowNumbers& row,
                                      const typename Pair::ColumnNumbers& column, float& t,
                                      float& weight, float (&sums)[numbers + 1]) {
    const float w = WeightScale<quick>{of.offset}.weight(score);
    const float by_score = w * (weight - of.mean);
    weight = w;
    const auto slopes = Pair::slopes(t, row, column);
    t = by_score * float(slopes.t);
    MCT_UNROLL
    for (int n = 0; n < numbers; ++n)
      sums[n] = detail::fused_multiply_add(
          by_score, float(RowsAreQueries ? slopes.query[n] : slopes.key[n]), sums[n]);
  }

  template <class Team>
  MCT_BLOCK void store(Team& team, const Shared<Team>& shared, int row, int count,
                       Sums& sums) const {
    const AttentionSide& of = side(RowsAreQueries);
    MCT_UNROLL
    for (int s = 0; s < strips; ++s) MCT_UNROLL
    for (int h = 0; h < 2; ++h) {
      MCT_UNROLL
      for (int n = 0; n < numbers; ++n) {
        float& sum = sums.numbers[s][h][n];
        sum = sum + team.shuffle_xor(sum, 1);
        sum = sum + team.shuffle_xor(sum, 2);
      }
      const int at = row + Pair::lane_row(team, 2 * s + h);
      if (at >= count) continue;
      const int c = 2 * (team.rank() % 4);
      const std::int64_t vector = std::int64_t(team.block_y()) * count + at;
      MCT_UNROLL
      for (int j = 0; j < D / 8; ++j) {
        float x[2] = {sums.vectors[s][j][2 * h], sums.vectors[s][j][2 * h + 1]};
        if constexpr (S::from_distance) {
          float own[2];
          Pair::template coordinates<TileRows<D>>(
              shared.row_vectors, Pair::warp_row(team) + Pair::lane_row(team, 2 * s + h), rows * D,
              0, 8 * j + c, own);
          MCT_UNROLL
          for (int k = 0; k < 2; ++k)
            x[k] = 2.0F * detail::fused_multiply_add(sums.totals[s][2 * h], own[k], -x[k]);
        }
        if (8 * j < of.vectors.width)
          store_pair(team, to_vectors + vector * of.vectors.width + 8 * j + c, x[0], x[1]);
        if constexpr (!RowsAreQueries)
          if (8 * j < of.values.width)
            store_pair(team, to_values + vector * of.values.width + 8 * j + c,
                       sums.values[s][j][2 * h], sums.values[s][j][2 * h + 1]);
      }
      if (c == 0) MCT_UNROLL
      for (int n = 0; n < numbers; ++n)
        team.template store<1>(to_numbers + vector * numbers + n, {{sums.numbers[s][h][n]}});
    }
  }
};

}  // namespace mct::cuda
