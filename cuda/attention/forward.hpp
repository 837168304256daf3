// Forward attention on tensor cores, without a matrix of weights in memory.
#pragma once

#include <numbers>

#include "cuda/attention/by_warpgroups.hpp"
#include "cuda/attention/by_warps.hpp"
#include "cuda/attention/weight.hpp"

namespace mct::cuda {

/// The softmax of score S over the keys, times the values, and for each query the logarithm of the
/// sum of e^score (mct::attention::attend), for vectors of at most D coordinates.
///
/// T bfloat16: tensor cores compute products with sums in float. Weights are rounded to bfloat16
/// for the product with the values, and the result is divided by the sum of the rounded weights
/// (one more column of the product). The logarithm is that of the unrounded sum in float. T float:
/// vectors and weights are sums of two bfloat16, so that three products replace one.
///
/// A warp has 16 Strips queries and goes through the keys, some at a time, while the next ones are
/// copied. Weights are scaled by an integer power of two, so that earlier sums are rescaled without
/// error, and only where that power changes. If a score of a query is NaN or +infinity, the query's
/// results are NaN. A query that sees no key gets 0 and the logarithm -infinity.
///
/// Biased: with a bias of the scores. A score of -infinity has no weight.
///
/// Unit: the matrix instructions, ByWarps or ByWarpgroups, which also determine how many queries
/// and keys there are at a time. Results differ by the order of sums: scores are summed in the same
/// order, but the power of two depends on the blocks of keys, and weighted values are added block
/// by block.
///
/// Grid: (tiles of queries, groups).
template <class S, int D, class T, bool Biased = false,
          template <class, int, class> class Unit = ByWarps>
struct AttentionForward {
  using Products = Unit<S, D, T>;
  using Pair = typename Products::Pair;
  static constexpr int parts = parts_of<T>;
  static constexpr int threads = 32 * Products::warps;
  static constexpr int strips = Products::strips;
  static constexpr int blocks_per_sm = Products::blocks_per_sm;
  static constexpr int queries = Products::queries;
  static constexpr int keys = Products::keys;
  static constexpr int stages = 2;
  static constexpr bool quick = parts == 1;  // weights are rounded to bfloat16
  static constexpr int key_planes = S::from_distance ? 1 + S::keys : 0;
  static constexpr int query_planes = S::from_distance ? 1 + S::queries : 0;

  VectorsView x, y, v;
  NumbersView a, b;
  PairSizes sizes;
  T* out;          // (groups, queries, v.width)
  bfloat16* rest;  // rounding errors of out, for gradients: null if there are none, or T is float
  float* log_sum;  // (groups, queries)
  BiasView bias = {};

  template <class Team>
  struct Shared {
    template <int Count>
    using Vectors = typename Team::template Array<bfloat16, Count, Products::alignment>;

    Vectors<parts * queries * D> x;
    Vectors<stages * parts * keys * D> y;
    Vectors<stages * parts * keys * D + Products::more> v;
    typename Team::template Array<float, stages * key_planes * keys + 4> numbers;
    typename Team::template Array<float, query_planes * queries + 4> query_numbers;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    // tiles with the most keys first
    const int tile = sizes.causal ? team.blocks_x() - 1 - team.block_x() : team.block_x();
    const int first = tile * queries;
    const int last = (first + queries < sizes.queries ? first + queries : sizes.queries) - 1;
    const int key_blocks = blocks_of(last);
    MCT_UNROLL
    for (int p = 0; p < parts; ++p)
      fetch_rows<typename Products::QueryTile, queries, threads>(
          team, team.rank(), shared.x, p * queries * D, x.group(team.block_y()) + p * x.plane,
          first, x.count, x.width);
    if constexpr (S::from_distance)
      fetch_numbers<queries, query_planes, threads>(team, team.rank(), shared.query_numbers, 0, a,
                                                    first);
    fetch_keys(team, shared, 0, key_blocks);
    Rows rows;
    const int row = first + Pair::warp_row(team);
    // queries that see the same blocks of keys
    const int beginning = row / Products::together * Products::together;
    const int own_blocks = beginning > last ? 0 : blocks_of(beginning + Products::together - 1);
    if constexpr (Products::lags) {
      attend_in_turn(team, shared, row, key_blocks, own_blocks, rows);
    } else {
      fetch_values(team, shared, 0, key_blocks);
      team.commit();
      for (int block = 0; block < key_blocks; ++block) {
        team.template wait<0>();
        team.barrier();
        fetch_keys(team, shared, block + 1, key_blocks);
        fetch_values(team, shared, block + 1, key_blocks);
        team.commit();
        if (block < own_blocks) attend(team, shared, row, block, rows);
      }
    }
    store(team, row, rows);
  }

 private:
  /// The state of a warp's queries.
  struct Rows {
    typename Products::Sums sums;
    float top[strips][2], weight[strips][2];  // weight: the sum of this lane's weights

    MCT_BLOCK Rows() {
      MCT_UNROLL
      for (int r = 0; r < 2 * strips; ++r) {
        top[r / 2][r % 2] = -std::numeric_limits<float>::infinity();
        weight[r / 2][r % 2] = 0;
      }
    }
  };
  using Pairs = typename Pair::Pairs;
  using Fades = float[strips][2];  // factors by which sums are rescaled

  /// How many blocks of keys a query sees.
  MCT_BLOCK int blocks_of(int query) const { return (sizes.last_key(query) + keys) / keys; }

  /// The thread's rank for copies in the loop. Where registers are few it is read again, so that
  /// values that depend on it keep no registers in the loop.
  template <class Team>
  MCT_BLOCK static int copying_rank(Team& team) {
    return Products::lags ? team.rank_anew() : team.rank();
  }
  /// Start to copy a block of keys, or its values. They copy nothing after the last block.
  template <class Team>
  MCT_BLOCK void fetch_keys(Team& team, Shared<Team>& shared, int block, int blocks) const {
    if (block >= blocks) return;
    fetch_vectors(team, shared.y, y, block);
    if constexpr (S::from_distance)
      fetch_numbers<keys, key_planes, threads>(team, copying_rank(team), shared.numbers,
                                               block % stages * key_planes * keys, b, block * keys);
  }
  template <class Team>
  MCT_BLOCK void fetch_values(Team& team, Shared<Team>& shared, int block, int blocks) const {
    if (block < blocks) fetch_vectors(team, shared.v, v, block);
  }
  template <class Team, class Array>
  MCT_BLOCK static void fetch_vectors(Team& team, Array& to, const VectorsView& from, int block) {
    MCT_UNROLL
    for (int p = 0; p < parts; ++p)
      fetch_rows<typename Products::KeyTile, keys, threads>(
          team, copying_rank(team), to, (block % stages * parts + p) * keys * D,
          from.group(team.block_y()) + p * from.plane, block * keys, from.count, from.width);
  }

  /// Attends to a block of keys, with products that are complete when the call returns.
  template <class Team>
  MCT_BLOCK void attend(Team& team, const Shared<Team>& shared, int row, int block,
                        Rows& rows) const {
    Pairs scores = {};
    Products::multiply(team, shared.x, shared.y, block % stages, scores);
    finish_scores(team, shared, row, block, scores);
    Fades fades;
    if (soften(team, scores, rows, fades)) fade(fades, rows);
    Products::add_weighted(team, scores, shared.v, block % stages, rows.sums);
  }

  /// Attends to all blocks, with asynchronous products. Values are copied, and multiplied, one
  /// block later than keys.
  template <class Team>
  MCT_BLOCK void attend_in_turn(Team& team, Shared<Team>& shared, int row, int key_blocks,
                                int own_blocks, Rows& rows) const {
    const int warpgroup = team.shuffle(team.rank() / 128, 0);  // uniform for the compiler, too
    Products::write_ones(team, shared.v, ones);
    typename Products::Weights weights;
    const auto take = [&] {
      team.template wait<0>();
      team.publish();
      team.barrier();
    };
    const auto fetch = [&](int block) {
      fetch_keys(team, shared, block + 1, key_blocks);
      fetch_values(team, shared, block, key_blocks);
      team.commit();
    };
    team.commit();
    take();
    if (own_blocks > 0) {
      attend<true>(team, shared, warpgroup, row, 0, rows, weights, fetch);
    } else {
      fetch(0);
    }
    for (int block = 1; block <= key_blocks; ++block) {
      take();
      if (block < own_blocks) {
        attend<false>(team, shared, warpgroup, row, block, rows, weights, fetch);
        continue;
      }
      fetch(block);
      if (block == own_blocks) {
        team.fence_products();
        Products::start_sums(team, weights, shared.v, (block - 1) % stages, ones, rows.sums);
        finish_sums(team, rows);
      }
    }
  }
  template <class Team>
  MCT_BLOCK static void finish_sums(Team& team, Rows& rows) {
    team.template wait_for_products<0>();
    team.template take_sums<D / 8 + 1>(rows.sums.values[0]);
  }
  /// Computes the weights of a block of keys, and the sums of the block before it.
  template <bool first, class Team, class Weights, class Fetch>
  MCT_BLOCK void attend(Team& team, const Shared<Team>& shared, int warpgroup, int row, int block,
                        Rows& rows, Weights& weights, const Fetch& fetch) const {
    Pairs scores;
    team.fence_products();
    Products::start_scores(team, warpgroup, shared.x, shared.y, block % stages, scores);
    if constexpr (!first)
      Products::start_sums(team, weights, shared.v, (block - 1) % stages, ones, rows.sums);
    fetch(block);
    team.template wait_for_products<first ? 0 : 1>();
    team.template take_sums<keys / 8>(scores[0]);
    finish_scores(team, shared, row, block, scores);
    Fades fades = {{1, 1}};
    const bool fades_sums = soften(team, scores, rows, fades);
    if constexpr (!first) {
      // The branch depends on all weights; without it, ptxas waits before it computes them. (They
      // are 0 or more; if one is NaN, so are the row's results.)
      const bool weights_are_there = rows.weight[0][0] + rows.weight[0][1] >= 0;
      if (team.any(fades_sums || !weights_are_there)) {
        finish_sums(team, rows);
        fade(fades, rows);
      }
      finish_sums(team, rows);
    }
    weights.round(scores);
  }
  static constexpr int ones = stages * keys * D;

  /// Turns inner products into scores.
  template <class Team>
  MCT_BLOCK void finish_scores(Team& team, const Shared<Team>& shared, int row, int block,
                               Pairs& scores) const {
    if constexpr (S::from_distance) {
      const int numbers = block % stages * key_planes * keys;
      typename Pair::RowNumbers of_queries[strips][2];
      Pair::read_rows(team, shared.query_numbers, Pair::warp_row(team), queries, of_queries);
      if (Pair::to_distances(team, of_queries, shared.numbers, numbers, scores))
        Pair::find_distances(team, shared.x, Pair::warp_row(team), queries * D, shared.y,
                             block % stages * parts * keys * D, keys * D, scores);
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
  }

  template <class Team>
  MCT_BLOCK void add_bias(Team& team, int row, int block, Pairs& scores) const {
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
  /// Sets the scores of keys that a query does not see to -infinity.
  template <class Team>
  MCT_BLOCK void hide(Team& team, int row, int block, Pairs& scores) const {
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

  /// Turns scores into weights. Returns whether the power of two changes; `fades` then has the
  /// factors.
  template <class Team>
  MCT_BLOCK static bool soften(Team& team, Pairs& scores, Rows& rows, Fades& fades) {
    float top[strips][2];
    bool changes = false;
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) top[r / 2][r % 2] = scores[r / 2][0][r % 2 * 2];
    MCT_UNROLL
    for (int j = 1; j < keys / 4; ++j) MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r)
      top[r / 2][r % 2] = larger_or_nan(top[r / 2][r % 2], scores[r / 2][j / 2][r % 2 * 2 + j % 2]);
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      float best = top[r / 2][r % 2];
      best = larger_or_nan(best, team.shuffle_xor(best, 1));
      best = larger_or_nan(best, team.shuffle_xor(best, 2));
      // an exponent of two, rounded up
      const float before = rows.top[r / 2][r % 2];
      top[r / 2][r % 2] = larger_or_nan(before, std::ceil(best * std::numbers::log2e_v<float>));
      changes |= top[r / 2][r % 2] != before;
    }
    changes = team.any(changes);
    if (changes) MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      fades[r / 2][r % 2] = power_of_negative(rows.top[r / 2][r % 2] - top[r / 2][r % 2]);
      rows.top[r / 2][r % 2] = top[r / 2][r % 2];
      rows.weight[r / 2][r % 2] *= fades[r / 2][r % 2];
    }
    WeightScale<quick> scales[strips][2];
    float sums[strips][2] = {};
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r)
      scales[r / 2][r % 2] = WeightScale<quick>::of(rows.top[r / 2][r % 2]);
    MCT_UNROLL
    for (int j = 0; j < keys / 4; ++j) MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      float& score = scores[r / 2][j / 2][r % 2 * 2 + j % 2];
      score = scales[r / 2][r % 2].weight(score);
      sums[r / 2][r % 2] += score;
    }
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) rows.weight[r / 2][r % 2] += sums[r / 2][r % 2];
    return changes;
  }

  MCT_BLOCK static void fade(const Fades& fades, Rows& rows) {
    MCT_UNROLL
    for (int r = 0; r < 2 * strips; ++r) {
      rows.sums.weights(r / 2)[r % 2 * 2] *= fades[r / 2][r % 2];
      MCT_UNROLL
      for (int j = 0; j < D / 4; ++j)
        rows.sums.values[r / 2][j / 2][r % 2 * 2 + j % 2] *= fades[r / 2][r % 2];
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
      const float total = parts == 1 && defined ? rows.sums.weights(s)[2 * h] : sum;
      const float inverse = sum == 0 ? 0.0F : reciprocal(total);
      const std::int64_t at = std::int64_t(team.block_y()) * sizes.queries + query;
      T* const to = out + at * v.width + 2 * (team.rank() % 4);
      MCT_UNROLL
      for (int j = 0; j < D / 8; ++j)
        if (8 * j < v.width) {
          const float r[2] = {rows.sums.values[s][j][2 * h] * inverse,
                              rows.sums.values[s][j][2 * h + 1] * inverse};
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
