// Attention along the edges of a graph. A warp has a query, or a key, and goes through its edges,
// four at a time; eight lanes share the coordinates of an edge. There are no atomics, and sums have
// the order of the edges, so that the bits are the same for any grid.
//
// Weights are computed as in the dense programs (WeightScale); vectors and sums are floats. For
// each edge, the forward program keeps one number in memory. The gradients keep two numbers and the
// numbers of the edge's key.
#pragma once

#include <limits>
#include <numbers>
#include <type_traits>

#include "cuda/attention/edge_operands.hpp"
#include "cuda/attention/weight.hpp"
#include "cuda/base/pack.hpp"
#include "mctensor/attention/scores.hpp"

namespace mct::cuda {

/// The edges of a warp's row.
template <class Team>
struct EdgeRow {
  static constexpr int lanes = 8, at_once = 4;  // lanes of an edge, edges at once

  Team& team;
  std::int64_t begin, end;

  MCT_BLOCK EdgeRow(Team& team_, const std::int64_t* starts)
      : team(team_),
        begin(team.template load<1>(starts + team.block_x())[0]),
        end(team.template load<1>(starts + team.block_x() + 1)[0]) {}

  template <class T>
  MCT_BLOCK T load(const T* p) const {
    return team.template load<1>(p)[0];
  }
  /// Calls f(edge, true) for every edge, by all lanes of the edge at once. Lanes without an edge
  /// call f(last edge, false).
  template <class F>
  MCT_BLOCK void for_each(const F& f) const {
    MCT_ROLL for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t e = first + team.rank() / lanes;
      f(e < end ? e : end - 1, e < end);
    }
  }
  /// The sum over i < count, where f(i, sum) adds term i to a sum. The lanes of an edge share the
  /// terms.
  template <class F>
  MCT_BLOCK float over_lanes(int count, const F& f) const {
    float sum = 0;
    MCT_ROLL for (int i = team.rank() % lanes; i < count; i += lanes) sum = f(i, sum);
    MCT_UNROLL
    for (int mask = 1; mask < lanes; mask *= 2) sum = sum + team.shuffle_xor(sum, mask);
    return sum;
  }
  MCT_BLOCK float over_edges(float sum) const {
    sum = sum + team.shuffle_xor(sum, lanes);
    return sum + team.shuffle_xor(sum, 2 * lanes);
  }
  /// For every column c: store(c, sum over the edges), where f(edge, c, sum) adds an edge's term.
  template <class F, class Store>
  MCT_BLOCK void sum_columns(int columns, const F& f, const Store& store) const {
    MCT_ROLL for (int first = 0; first < columns; first += lanes) {
      const int c = first + team.rank() % lanes;
      float sum = 0;
      if (c < columns) MCT_ROLL
      for (std::int64_t e = begin + team.rank() / lanes; e < end; e += at_once) sum = f(e, c, sum);
      sum = over_edges(sum);
      if (c < columns && team.rank() < lanes) store(c, sum);
    }
  }
  /// For every column, the sum of weight(edge) times the vector other(edge). For a score of the
  /// distance: twice the sum of weight(edge) times the difference of the vectors `own` and
  /// other(edge).
  template <bool FromDistance, class Weight, class Other>
  MCT_BLOCK void sum_vectors(float* to, int columns, const float* own, const Weight& weight,
                             const Other& other) const {
    sum_columns(
        columns,
        [&](std::int64_t e, int c, float sum) {
          const float there = load(other(e) + c);
          return detail::fused_multiply_add(weight(e), FromDistance ? load(own + c) - there : there,
                                            sum);
        },
        [&](int c, float sum) { put(to + c, FromDistance ? 2.0F * sum : sum); });
  }
  MCT_BLOCK void put(float* to, float x) const { team.template store<1>(to, {{x}}); }
};

/// The operands of the score of an edge. `query` and `key` are numbers over all groups.
template <class S>
struct EdgeScore {
  using V = std::conditional_t<S::in_double, double, float>;
  V t, a[S::queries + 1] = {}, b[S::keys + 1] = {};

  template <class Team>
  MCT_BLOCK EdgeScore(const EdgeRow<Team>& row, const EdgeOperands& of, std::int64_t query,
                      std::int64_t key)
      : t(row.over_lanes(of.depth, [&](int k, float sum) {
          const float x = row.load(of.x + query * of.depth + k);
          const float y = row.load(of.y + key * of.depth + k);
          if constexpr (!S::from_distance) return detail::fused_multiply_add(x, y, sum);
          return detail::fused_multiply_add(x - y, x - y, sum);
        })) {
    MCT_UNROLL
    for (int n = 0; n < S::queries; ++n) a[n] = V(row.load(of.a + query * S::queries + n));
    MCT_UNROLL
    for (int n = 0; n < S::keys; ++n) b[n] = V(row.load(of.b + key * S::keys + n));
  }
  MCT_BLOCK float value() const { return float(S::value(t, a, b)); }
};

/// The softmax of a query's edges times the values. Grid: (queries, groups).
template <class S>
struct AttendEdges {
  static constexpr int threads = 32, blocks_per_sm = 32;

  EdgeOperands of;
  float* weights;  // (groups, edges), scratch
  float* out;      // (groups, queries, width)
  float* log_sum;  // (groups, queries)

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const EdgeRow<Team> row(team, of.starts);
    const std::int64_t query = team.block_y() * of.queries + team.block_x();
    const std::int64_t first_key = team.block_y() * of.keys;
    float* const weight = weights + team.block_y() * of.edges;
    float top = -std::numeric_limits<float>::infinity();
    row.for_each([&](std::int64_t e, bool once) {
      const float score =
          EdgeScore<S>(row, of, query, first_key + row.load(of.columns + e)).value();
      top = larger_or_nan(top, score);
      if (once && team.rank() % row.lanes == 0) row.put(weight + e, score);
    });
    top = larger_or_nan(top, team.shuffle_xor(top, row.lanes));
    top = larger_or_nan(top, team.shuffle_xor(top, 2 * row.lanes));
    top = std::ceil(top * std::numbers::log2e_v<float>);  // an exponent of two
    const auto scale = WeightScale<false>::of(top);
    float sum = 0;
    team.barrier();
    MCT_ROLL for (std::int64_t e = row.begin + team.rank(); e < row.end; e += threads) {
      const float w = scale.weight(row.load(weight + e));
      row.put(weight + e, w);
      sum += w;
    }
    MCT_UNROLL
    for (int mask = 1; mask < threads; mask *= 2) sum = sum + team.shuffle_xor(sum, mask);
    team.barrier();
    const bool any = top != -std::numeric_limits<float>::infinity();
    row.sum_columns(
        of.width,
        [&](std::int64_t e, int c, float so_far) {
          const std::int64_t key = first_key + row.load(of.columns + e);
          return detail::fused_multiply_add(row.load(weight + e),
                                            row.load(of.v + key * of.width + c), so_far);
        },
        [&](int c, float total) { row.put(out + query * of.width + c, any ? total / sum : 0.0F); });
    // after a score of NaN or +infinity no weight is left: 0 / 0 is NaN
    if (team.rank() == 0)
      row.put(log_sum + query, any ? sum > 0 ? log_of_weights(top, sum) : sum / sum : top);
  }
};

/// Gradients by the queries. Stores what DeriveEdgesByKeys needs for every edge. Grid: (queries,
/// groups).
template <class S>
struct DeriveEdgesByQueries {
  static constexpr int threads = 32, blocks_per_sm = 32;

  EdgeOperands of;
  EdgeSlopes edge;
  const float *values, *log_sum, *gradient;  // results of AttendEdges; the gradient of the values
  float *to_x, *to_a;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const EdgeRow<Team> row(team, of.starts);
    const std::int64_t query = team.block_y() * of.queries + team.block_x();
    const std::int64_t first_key = team.block_y() * of.keys;
    const std::int64_t first_edge = team.block_y() * of.edges;
    const auto key_of = [&](std::int64_t e) { return first_key + row.load(of.columns + e); };
    const float* const given = gradient + query * of.width;
    const auto product = [&](const float* with) {
      return row.over_lanes(of.width, [&](int c, float sum) {
        return detail::fused_multiply_add(row.load(given + c), row.load(with + c), sum);
      });
    };
    const float mean = product(values + query * of.width);
    const auto scale =
        WeightScale<false>::of(row.load(log_sum + query) * std::numbers::log2e_v<float>);
    float by_query[S::queries + 1] = {};
    row.for_each([&](std::int64_t e, bool once) {
      const std::int64_t key = key_of(e);
      const EdgeScore<S> score(row, of, query, key);
      const float by_weight = product(of.v + key * of.width);
      if (!once) return;
      const float weight = scale.weight(score.value());
      const float by_score = weight * (by_weight - mean);
      const auto slopes = S::slopes(score.t, score.a, score.b);
      MCT_UNROLL
      for (int n = 0; n < S::queries; ++n)
        by_query[n] = detail::fused_multiply_add(by_score, float(slopes.query[n]), by_query[n]);
      if (team.rank() % row.lanes != 0) return;
      row.put(edge.weights + first_edge + e, weight);
      row.put(edge.slopes + first_edge + e, by_score * float(slopes.t));
      MCT_UNROLL
      for (int n = 0; n < S::keys; ++n)
        row.put(edge.by_numbers + (first_edge + e) * S::keys + n, by_score * float(slopes.key[n]));
    });
    MCT_UNROLL
    for (int n = 0; n < S::queries; ++n) {
      const float sum = row.over_edges(by_query[n]);
      if (team.rank() == 0) row.put(to_a + query * S::queries + n, sum);
    }
    team.barrier();
    row.template sum_vectors<S::from_distance>(
        to_x + query * of.depth, of.depth, of.x + query * of.depth,
        [&](std::int64_t e) { return row.load(edge.slopes + first_edge + e); },
        [&](std::int64_t e) { return of.y + key_of(e) * of.depth; });
  }
};

/// Gradients by the keys. Grid: (keys, groups).
template <bool FromDistance>
struct DeriveEdgesByKeys {
  static constexpr int threads = 32, blocks_per_sm = 32;

  EdgeOperands of;
  EdgeSlopes edge;
  EdgesOfKeys keys;
  int numbers;  // of a key
  const float* gradient;
  float *to_y, *to_b, *to_v;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const EdgeRow<Team> row(team, keys.starts);
    const std::int64_t key = team.block_y() * of.keys + team.block_x();
    const std::int64_t first_query = team.block_y() * of.queries;
    const std::int64_t first_edge = team.block_y() * of.edges;
    const auto query_of = [&](std::int64_t e) { return first_query + row.load(keys.queries + e); };
    const auto edge_of = [&](std::int64_t e) { return first_edge + row.load(keys.edges + e); };
    row.template sum_vectors<false>(
        to_v + key * of.width, of.width, nullptr,
        [&](std::int64_t e) { return row.load(edge.weights + edge_of(e)); },
        [&](std::int64_t e) { return gradient + query_of(e) * of.width; });
    row.template sum_vectors<FromDistance>(
        to_y + key * of.depth, of.depth, of.y + key * of.depth,
        [&](std::int64_t e) { return row.load(edge.slopes + edge_of(e)); },
        [&](std::int64_t e) { return of.x + query_of(e) * of.depth; });
    row.template sum_vectors<false>(
        to_b + key * numbers, numbers, nullptr, [](std::int64_t) { return 1.0F; },
        [&](std::int64_t e) { return edge.by_numbers + edge_of(e) * numbers; });
  }
};

}  // namespace mct::cuda
