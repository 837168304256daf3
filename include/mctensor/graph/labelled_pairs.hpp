// Makes pairs of nodes to test a classifier of edges: pairs that are edges, and similar pairs that
// are not.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// Pair i is (ancestors[i], descendants[i]). related[i] is 1 if an edge leads from the descendant
/// to the ancestor, and 0 for a negative pair.
struct LabelledPairs {
  std::vector<std::int32_t> ancestors;
  std::vector<std::int32_t> descendants;
  std::vector<std::uint8_t> related;
};

/// Every edge of `positives`, each followed by `negatives` negative pairs. In a negative pair one
/// node of the edge is replaced at random: the descendant in the first half of these pairs, the
/// ancestor in the second half. The two nodes are different, and `closure` has no edge from the
/// descendant to the ancestor; it may have the opposite edge. If no node is left to replace
/// another, there are fewer pairs. Throws ShapeError unless both graphs have the same nodes.
LabelledPairs labelled_pairs(const Graph& positives, const Graph& closure, int negatives,
                             std::uint64_t seed);

}  // namespace mct::embed
