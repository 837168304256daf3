// Pairs of nodes to test a classifier with: edges, and pairs that look like them and are none.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// Pairs of an ancestor and a descendant, and pairs that look like them and are none. Edges lead
/// from descendants to ancestors.
struct LabelledPairs {
  std::vector<std::int32_t> ancestors;
  std::vector<std::int32_t> descendants;
  std::vector<std::uint8_t> related;
};

/// Every edge of `positives`, and for each `negatives` pairs in which one of its nodes is replaced
/// at random: the descendant in the first half of them, the ancestor in the others. A pair of nodes
/// that has an edge in `closure` and one of a node with itself are none of them; where a node is
/// related to all others there are fewer. Throws ShapeError for graphs with other nodes.
LabelledPairs labelled_pairs(const Graph& positives, const Graph& closure, int negatives,
                             std::uint64_t seed);

}  // namespace mct::embed
