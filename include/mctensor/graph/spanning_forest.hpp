// A tree for every root of a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// A parent for every node.
struct SpanningForest {
  std::vector<std::int32_t> parent;  ///< -1: a root
  std::vector<std::int32_t> depth;   ///< edges to the root
  std::vector<std::int32_t> size;    ///< nodes of its subtree, itself included
  std::vector<std::int32_t> order;   ///< all nodes, parents before their children
};

/// The parent of a node is the node from which a breadth-first search from all roots reaches it
/// first. A root is a node that no edge leaves; if no edge leaves a cycle, its node with the lowest
/// number is a root. For a closure pass the basic edges: in the closure itself all nodes are
/// children of the root. The running time is proportional to the number of nodes and edges.
SpanningForest spanning_forest(const Graph& graph);

}  // namespace mct::embed
