// Pairs of nodes to test a classifier: edges, and similar pairs that are not edges.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// Pairs of an ancestor and a descendant, and similar pairs that are not related. Edges lead from
/// descendants to ancestors.
struct LabelledPairs {
  std::vector<std::int32_t> ancestors;
  std::vector<std::int32_t> descendants;
  std::vector<std::uint8_t> related;
};

/// Every edge of `positives`, and `negatives` negative pairs for each edge. In a negative pair one
/// node of the edge is replaced at random: the descendant in the first half of these pairs, the
/// ancestor in the second half. A negative pair consists of two different nodes without an edge in
/// `closure`. If a node is related to all other nodes, there are fewer pairs. Throws ShapeError
/// unless both graphs have the same nodes.
LabelledPairs labelled_pairs(const Graph& positives, const Graph& closure, int negatives,
                             std::uint64_t seed);

}  // namespace mct::embed
