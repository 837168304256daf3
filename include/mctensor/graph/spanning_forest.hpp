// A tree for every root of a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// One way up from every node.
struct SpanningForest {
  std::vector<std::int32_t> parent;  ///< -1: a root
  std::vector<std::int32_t> depth;   ///< edges to the root
  std::vector<std::int32_t> size;    ///< nodes of its subtree, itself included
  std::vector<std::int32_t> order;   ///< all nodes, parents before their children
};

/// Each node hangs below the node through which a search by breadth from all roots reaches it
/// first. Roots are the nodes without an edge from them, and of cycles that no edge leaves the
/// lowest node. Of a closure, take the basic edges: in the closure itself everything is a child of
/// its root. Takes time in proportion to nodes and edges.
SpanningForest spanning_forest(const Graph& graph);

}  // namespace mct::embed
