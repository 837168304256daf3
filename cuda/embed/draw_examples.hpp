// The examples of a batch: edges in the order of the epoch, and negatives.
#pragma once

#include "cuda/embed/training_state.hpp"
#include "src/embed/negative_draws.hpp"

namespace mct::cuda {

/// A graph's edges, and the tables from which negatives are drawn.
struct DeviceGraph {
  const std::int32_t *sources, *targets;  // of edges
  const double* weights;                  // null: all are 1
  // edges by source: entries[begin[v]] to entries[begin[v + 1]], sorted
  const std::uint64_t* begin;
  const std::int32_t* entries;
  // an alias table (AliasTable)
  const std::uint64_t* keep;
  const std::int32_t* other;
  std::int64_t nodes;
};

/// The rows and shares of a batch, as in embed::Negatives. A warp has an example, and its lanes
/// make one try each at a time. A try finds a node if no earlier try drew it and it is neither the
/// source nor one of the source's targets. Found nodes come in the order of their tries. Places
/// after the last example have no rows and no share.
///
/// Grid: (examples).
struct DrawExamples {
  static constexpr int threads = 32, blocks_per_sm = 32;

  const TrainingState* state;
  DeviceGraph graph;
  const std::uint32_t* order;  // the epoch's edges in order
  int negatives;
  std::int32_t* rows;  // [examples][2 + negatives]
  double* shares;      // [examples]

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const auto now = load_record(team, state);
    const std::int64_t e = team.block_x();
    const int width = 2 + negatives;
    std::int32_t* const to = rows + e * width;
    if (e >= now.examples()) {
      for (int i = team.rank(); i < width; i += threads) team.template store<1>(to + i, {{-1}});
      if (team.rank() == 0) team.template store<1>(shares + e, {{0}});
      return;
    }
    const std::int64_t place = now.number * now.batch + e;
    const std::int64_t edge = one(team, order + place);
    const std::int32_t source = one(team, graph.sources + edge);
    if (team.rank() == 0) {
      const double weight = graph.weights == nullptr ? 1 : one(team, graph.weights + edge);
      team.template store<1>(shares + e, {{weight / double(now.examples())}});
      team.template store<1>(to, {{source}});
      team.template store<1>(to + 1, {{one(team, graph.targets + edge)}});
    }
    draw_negatives(team, now, std::uint64_t(place), source, to + 2);
  }

 private:
  template <class Team, class T>
  MCT_BLOCK static T one(Team& team, const T* p) {
    return team.template load<1>(p)[0];
  }
  template <class Team>
  MCT_BLOCK void draw_negatives(Team& team, const TrainingState& now, std::uint64_t place,
                                std::int32_t source, std::int32_t* to) const {
    const int lane = team.rank();
    const int tries = embed_detail::tries_of_negative * negatives;
    int found = 0;
    for (int first = 0; first < tries && found < negatives; first += threads) {
      std::int32_t node = first + lane < tries ? drawn(team, now, place, first + lane) : -1;
      if (node == source || is_target(team, source, node) || is_among(team, to, found, node))
        node = -1;
      // if several lanes have one node, the first of them keeps it
      bool is_new = node >= 0;
      MCT_UNROLL
      for (int j = 0; j + 1 < threads; ++j) {
        const std::int32_t other_node = team.shuffle(node, j);
        is_new = is_new && !(j < lane && other_node == node);
      }
      int count = int(is_new);  // of new nodes up to this lane
      MCT_UNROLL
      for (int step = 1; step < threads; step *= 2) {
        const int before = team.shuffle(count, (lane - step) & (threads - 1));
        if (lane >= step) count += before;
      }
      const int at = found + count - 1;
      if (is_new && at < negatives) team.template store<1>(to + at, {{node}});
      found += team.shuffle(count, threads - 1);
      team.barrier();  // the next round reads the stored nodes
    }
    for (int i = found + lane; i < negatives; i += threads)
      team.template store<1>(to + i, {{found > 0 ? one(team, to + i % found) : -1}});
  }
  /// The node of a try.
  template <class Team>
  MCT_BLOCK std::int32_t drawn(Team& team, const TrainingState& now, std::uint64_t place,
                               int number) const {
    const auto word = std::uint32_t(now.by_count != 0 ? 2 * number : number);
    const auto counter = embed_detail::negative_counter(place, now.epoch);
    const auto four = philox4x32({counter[0], counter[1], counter[2], word / 4},
                                 embed_detail::negative_key(now.seed));
    const std::int32_t node = embed_detail::node_of(four[word % 4], std::uint64_t(graph.nodes));
    if (now.by_count == 0) return node;
    return embed_detail::node_or_alias(node, four[word % 4 + 1], one(team, graph.keep + node),
                                       one(team, graph.other + node));
  }
  template <class Team>
  MCT_BLOCK bool is_target(Team& team, std::int32_t source, std::int32_t node) const {
    std::uint64_t low = one(team, graph.begin + source);
    const std::uint64_t end = one(team, graph.begin + source + 1);
    for (std::uint64_t high = end; low < high;) {
      const std::uint64_t middle = (low + high) / 2;
      const bool is_below = one(team, graph.entries + middle) < node;
      low = is_below ? middle + 1 : low;
      high = is_below ? high : middle;
    }
    return low < end && one(team, graph.entries + low) == node;
  }
  template <class Team>
  MCT_BLOCK static bool is_among(Team& team, const std::int32_t* nodes, int count,
                                 std::int32_t node) {
    bool found = false;
    for (int i = 0; i < count; ++i) found |= one(team, nodes + i) == node;  // no branch
    return found;
  }
};

}  // namespace mct::cuda
