// Attention without its matrix of weights, forward, on tensor cores.
#pragma once

#include "cuda/attention/pair_tile.hpp"
#include "cuda/attention/weight.hpp"

namespace mct::cuda {

/// Softmax of score S over the keys times the values, and the logarithm of the sum of e^score of
/// each query (mct::attention::attend), for vectors of at most D coordinates.
///
/// T bfloat16: products by tensor cores with sums in float, weights rounded to bfloat16 for the
/// product with the values, which is divided by the sum of the rounded ones (one more column of the
/// product); the logarithm is that of the sum in float. T float: vectors and weights as
/// sums of two bfloat16, three products for one.
///
/// A warp has 16 Strips queries and goes through the keys, 64 or 32 at a time, while the next ones
/// are copied. The shift of the exponents is an integer power of two, so that what has been summed
/// is scaled without error, and only where it changes. NaN and +infinity among a query's scores
/// make its results NaN; a query that sees no key gets 0, its logarithm -infinity.
///
/// Biased: with a bias of the scores. A score of -infinity has no weight.
///
/// Grid: (tiles of queries, groups).
template <class S, int D, class T, bool Biased = false>
struct AttentionForward {
  static constexpr int parts = parts_of<T>;
  static constexpr int warps = 4, threads = 32 * warps;
  static constexpr int strips = parts == 1 ? 2 : 1;
  static constexpr int blocks_per_sm = 2;
  static constexpr int queries = 16 * strips * warps;
  static constexpr int keys = D * parts > 64 ? 32 : 64;
  static constexpr int stages = 2;
  static constexpr bool quick = parts == 1;  // weights are rounded to bfloat16
  static constexpr int key_planes = S::from_distance ? 1 + S::keys : 0;
  static constexpr int query_planes = S::from_distance ? 1 + S::queries : 0;

  VectorsView x, y, v;
  NumbersView a, b;
  PairSizes sizes;
  T* out;  // (groups, queries, v.width)
  bfloat16*
      rest;  // what rounding left of them, for gradients: null if there are none, or T is float
  float* log_sum;  // (groups, queries)
  BiasView bias = {};

  template <class Team>
  struct Shared {
    typename Team::template Array<bfloat16, parts * queries * D> x;
    typename Team::template Array<bfloat16, stages * parts * keys * D> y, v;
    typename Team::template Array<float, stages * key_planes * keys + 4> numbers;
    typename Team::template Array<float, query_planes * queries + 4> query_numbers;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    // the longest first, if some are longer
    const int tile = sizes.causal ? team.blocks_x() - 1 - team.block_x() : team.block_x();
    const int first = tile * queries;
    const int last = (first + queries < sizes.queries ? first + queries : sizes.queries) - 1;
    const int key_blocks = (sizes.last_key(last) + keys) / keys;
    MCT_UNROLL
    for (int p = 0; p < parts; ++p)
      fetch_rows<D, queries, threads>(team, shared.x, p * queries * D,
                                      x.group(team.block_y()) + p * x.plane, first, x.count,
                                      x.width);
    if constexpr (S::from_distance)
      fetch_numbers<queries, query_planes, threads>(team, shared.query_numbers, 0, a, first);
    fetch(team, shared, 0, key_blocks);
    Rows rows;
    const int row = first + Pair::warp_row(team);
    for (int block = 0; block < key_blocks; ++block) {
      team.template wait<0>();
      team.barrier();
      fetch(team, shared, block + 1, key_blocks);
      if (row <= last && block * keys <= sizes.last_key(row + 16 * strips - 1))
        attend(team, shared, row, block, rows);
    }
    store(team, row, rows);
  }

 private:
  using Pair = PairTile<S, D, parts, strips, keys, true>;

  /// What a warp knows of its queries.
  struct Rows {
    float sums[strips][D / 8][4] = {};
    float top[strips][2], weight[strips][2];  // weight: what this lane has added
    float rounded[strips][4] = {};            // elements 0 and 2: sums of the rounded weights

    MCT_BLOCK Rows() {
      MCT_UNROLL
      for (int r = 0; r < 2 * strips; ++r) {
        top[r / 2][r % 2] = -std::numeric_limits<float>::infinity();
        weight[r / 2][r % 2] = 0;
      }
    }
  };

  /// Starts to copy a block of keys; behind the last one an empty group.
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, int block, int blocks) const {
    if (block < blocks) {
      const int stage = block % stages;
      MCT_UNROLL
      for (int p = 0; p < parts; ++p) {
        const int to = (stage * parts + p) * keys * D;
        fetch_rows<D, keys, threads>(team, shared.y, to, y.group(team.block_y()) + p * y.plane,
                                     block * keys, y.count, y.width);
        fetch_rows<D, keys, threads>(team, shared.v, to, v.group(team.block_y()) + p * v.plane,
                                     block * keys, v.count, v.width);
      }
      if constexpr (S::from_distance)
        fetch_numbers<keys, key_planes, threads>(team, shared.numbers, stage * key_planes * keys, b,
                                                 block * keys);
    }
    team.commit();
  }

  template <class Team>
  MCT_BLOCK void attend(Team& team, const Shared<Team>& shared, int row, int block,
                        Rows& rows) const {
    const int to = block % stages * parts * keys * D;
    float scores[strips][keys / 8][4] = {};
    Pair::multiply(team, shared.x, Pair::warp_row(team), queries * D, shared.y, to, keys * D,
                   scores);
    if constexpr (S::from_distance) {
      const int numbers = block % stages * key_planes * keys;
      typename Pair::RowNumbers of_queries[strips][2];
      Pair::read_rows(team, shared.query_numbers, Pair::warp_row(team), queries, of_queries);
      if (Pair::to_distances(team, of_queries, shared.numbers, numbers, scores))
        Pair::find_distances(team, shared.x, Pair::warp_row(team), queries * D, shared.y, to,
                             keys * D, scores);
      MCT_UNROLL
      for (int j = 0; j < keys / 8; ++j) {
        typename Pair::ColumnNumbers of_keys[2];
        Pair::template read_columns<keys>(team, shared.numbers, numbers, j, of_keys);
        MCT_UNROLL
        for (int e = 0; e < 4 * strips; ++e) {
          float& t = scores[e / 4][j][e % 4];
          t = Pair::score(t, of_queries[e / 4][e / 2 % 2], of_keys[e % 2]);
        }
      }
    }
    if constexpr (Biased) add_bias(team, row, block, scores);
    if (block * keys + keys - 1 > sizes.last_key(row)) hide(team, row, block, scores);
    soften(team, scores, rows);
    Pair::template add_weighted<parts == 1>(team, scores, shared.v, to, keys * D, rows.sums,
                                            rows.rounded);
  }

  template <class Team>
  MCT_BLOCK void add_bias(Team& team, int row, int block,
                          float (&scores)[strips][keys / 8][4]) const {
    const GroupBias<Team, true> of_pairs(team, bias, sizes);
    const int key = block * keys + 2 * (team.rank() % 4);
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      const int query = row + Pair::lane_row(team, r);
      MCT_UNROLL
      for (int j = 0; j < keys / 4; ++j)
        scores[r / 2][j / 2][r % 2 * 2 + j % 2] += of_pairs.of(query, key + 8 * (j / 2) + j % 2);
    }
  }
  /// -infinity for keys that a query does not see.
  template <class Team>
  MCT_BLOCK void hide(Team& team, int row, int block, float (&scores)[strips][keys / 8][4]) const {
    const int key = block * keys + 2 * (team.rank() % 4);
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      const int last = sizes.last_key(row + Pair::lane_row(team, r));
      MCT_UNROLL
      for (int j = 0; j < keys / 4; ++j) {
        float& score = scores[r / 2][j / 2][r % 2 * 2 + j % 2];
        if (key + 8 * (j / 2) + j % 2 > last) score = -std::numeric_limits<float>::infinity();
      }
    }
  }

  /// Scores to weights; the sums so far follow if the shift changes.
  template <class Team>
  MCT_BLOCK static void soften(Team& team, float (&scores)[strips][keys / 8][4], Rows& rows) {
    float top[strips][2];
    bool changes = false;
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      float best = scores[r / 2][0][r % 2 * 2];
      MCT_UNROLL
      for (int j = 1; j < keys / 4; ++j)
        best = larger_or_nan(best, scores[r / 2][j / 2][r % 2 * 2 + j % 2]);
      best = larger_or_nan(best, team.shuffle_xor(best, 1));
      best = larger_or_nan(best, team.shuffle_xor(best, 2));
      // in units of the exponent, rounded up
      const float before = rows.top[r / 2][r % 2];
      top[r / 2][r % 2] = larger_or_nan(before, std::ceil(best * float(1.4426950408889634)));
      changes |= top[r / 2][r % 2] != before;
    }
    if (team.any(changes)) rescale(top, rows);
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      const auto scale = WeightScale::of(rows.top[r / 2][r % 2]);
      float sum = 0;
      MCT_UNROLL
      for (int j = 0; j < keys / 4; ++j) {
        float& score = scores[r / 2][j / 2][r % 2 * 2 + j % 2];
        score = scale.template weight<quick>(score);
        sum += score;
      }
      rows.weight[r / 2][r % 2] += sum;
    }
  }

  MCT_BLOCK static void rescale(const float (&top)[strips][2], Rows& rows) {
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      const float fade = power_of_negative(rows.top[r / 2][r % 2] - top[r / 2][r % 2]);
      rows.top[r / 2][r % 2] = top[r / 2][r % 2];
      rows.weight[r / 2][r % 2] *= fade;
      rows.rounded[r / 2][r % 2 * 2] *= fade;
      MCT_UNROLL
      for (int j = 0; j < D / 4; ++j) rows.sums[r / 2][j / 2][r % 2 * 2 + j % 2] *= fade;
    }
  }

  template <class Team>
  MCT_BLOCK void store(Team& team, int row, Rows& rows) const {
    MCT_UNROLL
    for (int s = 0; s < strips; ++s) MCT_UNROLL
    for (int h = 0; h < 2; ++h) {
      float sum = rows.weight[s][h];
      sum += team.shuffle_xor(sum, 1);
      sum += team.shuffle_xor(sum, 2);
      const int query = row + Pair::lane_row(team, 2 * s + h);
      if (query >= sizes.queries) continue;
      const float top = rows.top[s][h];
      constexpr float infinity = std::numeric_limits<float>::infinity();
      const bool defined = top < infinity;
      if (!defined) sum = std::numeric_limits<float>::quiet_NaN();
      const float total = parts == 1 && defined ? rows.rounded[s][2 * h] : sum;
      const float inverse = sum == 0 ? 0.0F : reciprocal(total);
      const std::int64_t at = std::int64_t(team.block_y()) * sizes.queries + query;
      T* const to = out + at * v.width + 2 * (team.rank() % 4);
      MCT_UNROLL
      for (int j = 0; j < D / 8; ++j)
        if (8 * j < v.width) {
          const float r[2] = {rows.sums[s][j][2 * h] * inverse,
                              rows.sums[s][j][2 * h + 1] * inverse};
          store_pair(team, to + 8 * j, r[0], r[1]);
          if (parts == 1 && rest != nullptr) {
            const std::uint32_t pair = round_to_pair(r[0], r[1]);
            store_pair(team, rest + (to - out) + 8 * j, r[0] - low_of_pair(pair),
                       r[1] - high_of_pair(pair));
          }
        }
      float log = defined ? log_of_weights(top, sum) : sum;
      if (sum == 0) log = -infinity;
      if (team.rank() % 4 == 0) team.template store<1>(log_sum + at, {{log}});
    }
  }
};

}  // namespace mct::cuda
