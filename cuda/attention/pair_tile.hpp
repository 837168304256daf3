// Scores of the pairs that a warp computes at once.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "cuda/attention/tile.hpp"
#include "mctensor/attention/scores.hpp"

namespace mct::cuda {

/// The type in which score S is computed.
template <class S>
using ScoreValue = std::conditional_t<S::in_double, double, float>;

/// The numbers of a vector: its squared length, and those of the score.
template <int Count>
struct VectorNumbers {
  float of[Count + 1];
};

/// Pairs of a warp: 16 Strips rows and Columns columns; one side is the queries, the other the
/// keys. In every strip, lane l has rows l / 4 and l / 4 + 8; of every 8 columns it has 2 (l mod 4)
/// and the next. Elements 0 and 1 are of the upper row, 2 and 3 of the lower row. RowTile and
/// ColumnTile: how the vectors lie in shared memory.
template <class S, int D, int Parts, int Strips, int Columns, bool RowsAreQueries,
          class RowTile = TileRows<D>, class ColumnTile = TileRows<D>>
struct PairTile {
  static constexpr int tiles = Columns / 8;
  static constexpr int row_numbers = RowsAreQueries ? S::queries : S::keys;
  static constexpr int column_numbers = RowsAreQueries ? S::keys : S::queries;
  using Pairs = float[Strips][tiles][4];
  using RowNumbers = VectorNumbers<row_numbers>;
  using ColumnNumbers = VectorNumbers<column_numbers>;

  /// The first row of a warp, if warps have consecutive rows.
  template <class Team>
  static MCT_BLOCK int warp_row(Team& team) {
    return team.rank() / 32 * (16 * Strips);
  }
  /// Row number r < 2 Strips of this lane, counted from the first row of the warp.
  template <class Team>
  static MCT_BLOCK int lane_row(Team& team, int r) {
    return 8 * r + team.rank() % 32 / 4;
  }

  /// Inner products of the rows of one tile, from `row` on, with the vectors of another tile, from
  /// `to` on. The parts of a tile are row_plane or column_plane elements apart.
  template <class Team, class Rows, class Others>
  static MCT_BLOCK void multiply(Team& team, const Rows& rows, int row, int row_plane,
                                 const Others& columns, int to, int column_plane, Pairs& sums) {
    MCT_UNROLL
    for (int step = 0; step < D / 16; ++step) {
      std::uint32_t a[Parts][Strips][4];
      MCT_UNROLL
      for (int p = 0; p < Parts; ++p) MCT_UNROLL
      for (int s = 0; s < Strips; ++s)
        left_fragment<D>(team, rows, p * row_plane + row * D, 16 * s, step, a[p][s]);
      multiply_step(team, a, columns, to, column_plane, step, sums);
    }
  }
  template <class Team, class Others>
  static MCT_BLOCK void multiply_step(Team& team, const std::uint32_t (&a)[Parts][Strips][4],
                                      const Others& columns, int to, int column_plane, int step,
                                      Pairs& sums) {
    MCT_UNROLL
    for (int j = 0; j < tiles; j += 2) MCT_UNROLL
    for (int q = 0; q < Parts; ++q) {
      std::uint32_t b[4];
      right_fragments<D>(team, columns, to + q * column_plane, 8 * j, step, b);
      MCT_UNROLL
      for (int p = 0; p < Parts - q; ++p)  // the product of the lower parts is negligible
        MCT_UNROLL
      for (int s = 0; s < Strips; ++s) multiply_both(team, sums[s][j], sums[s][j + 1], a[p][s], b);
    }
  }

  /// sums += pairs times the columns' vectors: pairs are rounded to Parts bfloat16.
  template <class Team, class Others, int Tiles>
  static MCT_BLOCK void add_weighted(Team& team, const Pairs& pairs, const Others& columns, int to,
                                     int column_plane, float (&sums)[Strips][Tiles][4]) {
    float none[Strips][4];
    add_weighted<false>(team, pairs, columns, to, column_plane, sums, none);
  }
  /// The same. With Totals, it also adds the sums of the upper and the lower row of the rounded
  /// pairs to totals[0] and totals[2] of a strip, and sums include the products of the lower parts,
  /// because sums and totals may cancel.
  template <bool Totals, class Team, class Others, int Tiles>
  static MCT_BLOCK void add_weighted(Team& team, const Pairs& pairs, const Others& columns, int to,
                                     int column_plane, float (&sums)[Strips][Tiles][4],
                                     float (&totals)[Strips][4]) {
    MCT_UNROLL
    for (int k = 0; k < tiles; k += 2) {
      std::uint32_t a[Parts][Strips][4];
      MCT_UNROLL
      for (int s = 0; s < Strips; ++s) {
        to_left_fragment(pairs[s][k], pairs[s][k + 1], a[0][s]);
        if constexpr (Parts == 2)
          rest_of_left_fragment(pairs[s][k], pairs[s][k + 1], a[0][s], a[1][s]);
        if constexpr (Totals) {
          const std::uint32_t ones[2] = {0x3f803f80, 0x3f803f80};
          MCT_UNROLL
          for (int p = 0; p < Parts; ++p) team.multiply_bfloat16(totals[s], a[p][s], ones);
        }
      }
      MCT_UNROLL
      for (int j = 0; j < Tiles; j += 2) MCT_UNROLL
      for (int q = 0; q < Parts; ++q) {
        std::uint32_t b[4];
        right_fragments_of_rows<D>(team, columns, to + q * column_plane, 8 * k, j / 2, b);
        MCT_UNROLL
        for (int p = 0; p < (Totals ? Parts : Parts - q); ++p) MCT_UNROLL
        for (int s = 0; s < Strips; ++s)
          multiply_both(team, sums[s][j], sums[s][j + 1], a[p][s], b);
      }
    }
  }

  /// Turns inner products into squared distances. Returns true if too many digits may have
  /// cancelled for some pair of the warp. It tests a whole row at once: the row's least distance
  /// against its length and the largest length of the columns.
  template <class Team, class Array>
  static MCT_BLOCK bool to_distances(Team& team, const RowNumbers (&of_rows)[Strips][2],
                                     const Array& of_columns, int to, Pairs& t) {
    using Distance = attention::score_detail::DistanceOfProduct<float>;
    float nearest[Strips][2];
    float longest = 0;
    MCT_UNROLL
    for (int r = 0; r < 2 * Strips; ++r)
      nearest[r / 2][r % 2] = std::numeric_limits<float>::infinity();
    MCT_UNROLL
    for (int j = 0; j < tiles; ++j) {
      const auto lengths = of_columns.template read<2>(to + 8 * j + 2 * (team.rank() % 4));
      longest = std::fmax(longest, std::fmax(lengths[0], lengths[1]));
      MCT_UNROLL
      for (int s = 0; s < Strips; ++s) MCT_UNROLL
      for (int e = 0; e < 4; ++e) {
        t[s][j][e] = Distance(t[s][j][e], of_rows[s][e / 2].of[0], lengths[e % 2]).distance;
        nearest[s][e / 2] = std::fmin(nearest[s][e / 2], t[s][j][e]);
      }
    }
    longest = std::fmax(longest, team.shuffle_xor(longest, 1));
    longest = std::fmax(longest, team.shuffle_xor(longest, 2));
    bool close = false;
    MCT_UNROLL
    for (int r = 0; r < 2 * Strips; ++r)
      close |= nearest[r / 2][r % 2] < Distance::least(of_rows[r / 2][r % 2].of[0] + longest);
    return team.any(close);
  }

  /// Squared distances from differences of coordinates.
  template <class Team, class Rows, class Others>
  static MCT_BLOCK void find_distances(Team& team, const Rows& rows, int row, int row_plane,
                                       const Others& columns, int to, int column_plane, Pairs& t) {
    const int lane = team.rank() % 32;
    MCT_UNROLL
    for (int e = 0; e < Strips * tiles * 4; ++e) t[e / (4 * tiles)][e / 4 % tiles][e % 4] = 0;
    // a pair of coordinates at a time: the loop runs rarely, but its registers are always taken
    for (int c = 0; c < D; c += 2) {
      float x[Strips][2][2];
      MCT_UNROLL
      for (int r = 0; r < 2 * Strips; ++r)
        coordinates<RowTile>(rows, row + lane / 4 + 8 * r, row_plane, 0, c, x[r / 2][r % 2]);
      MCT_UNROLL
      for (int j = 0; j < 2 * tiles; ++j) {
        float y[2];
        coordinates<ColumnTile>(columns, 8 * (j / 2) + 2 * (lane % 4) + j % 2, column_plane, to, c,
                                y);
        MCT_UNROLL
        for (int r = 0; r < 2 * Strips; ++r) {
          float& sum = t[r / 2][j / 2][r % 2 * 2 + j % 2];
          MCT_UNROLL
          for (int k = 0; k < 2; ++k) {
            const float d = x[r / 2][r % 2][k] - y[k];
            sum = detail::fused_multiply_add(d, d, sum);
          }
        }
      }
    }
  }

  /// The numbers of the rows of this lane, from `row` on; planes are `plane` apart.
  template <class Team, class Array>
  static MCT_BLOCK void read_rows(Team& team, const Array& from, int row, int plane,
                                  RowNumbers (&numbers)[Strips][2]) {
    MCT_UNROLL
    for (int r = 0; r < 2 * Strips; ++r) MCT_UNROLL
    for (int n = 0; n <= row_numbers; ++n)
      numbers[r / 2][r % 2].of[n] = from.template read<1>(n * plane + row + lane_row(team, r))[0];
  }

  /// The numbers of columns 8 j + 2 (lane mod 4) + e; planes are `Plane` apart.
  template <int Plane, class Team, class Array>
  static MCT_BLOCK void read_columns(Team& team, const Array& from, int to, int j,
                                     ColumnNumbers (&numbers)[2]) {
    MCT_UNROLL
    for (int n = 1; n <= column_numbers; ++n) {
      const auto both = from.template read<2>(to + n * Plane + 8 * j + 2 * (team.rank() % 4));
      numbers[0].of[n] = both[0];
      numbers[1].of[n] = both[1];
    }
  }

  static MCT_BLOCK float score(float t, const RowNumbers& row, const ColumnNumbers& column) {
    using V = ScoreValue<S>;
    V a[S::queries + 1] = {}, b[S::keys + 1] = {};
    convert<S::queries>(RowsAreQueries ? row.of : column.of, a);
    convert<S::keys>(RowsAreQueries ? column.of : row.of, b);
    return float(S::value(V(t), a, b));
  }
  static MCT_BLOCK auto slopes(float t, const RowNumbers& row, const ColumnNumbers& column) {
    using V = ScoreValue<S>;
    V a[S::queries + 1] = {}, b[S::keys + 1] = {};
    convert<S::queries>(RowsAreQueries ? row.of : column.of, a);
    convert<S::keys>(RowsAreQueries ? column.of : row.of, b);
    return S::slopes(V(t), a, b);
  }

  /// Coordinates c and c + 1 of a vector in shared memory.
  template <class Tile, class Array>
  static MCT_BLOCK void coordinates(const Array& tile, int row, int plane, int to, int c,
                                    float (&x)[2]) {
    const int place = to + Tile::place(row, c / Tile::chunk) + c % 8;
    x[0] = x[1] = 0;
    MCT_UNROLL
    for (int p = 0; p < Parts; ++p) {
      const auto pair = tile.template read<2>(place + p * plane);
      x[0] = x[0] + float(pair[0]);
      x[1] = x[1] + float(pair[1]);
    }
  }

 private:
  template <int Count, class V>
  static MCT_BLOCK void convert(const float* from, V* to) {
    MCT_UNROLL
    for (int n = 0; n < Count; ++n) to[n] = V(from[n + 1]);
  }
};

}  // namespace mct::cuda
