// Chooses by default which edges of a graph are embedded.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "mctensor/graph/graph.hpp"
#include "mctensor/graph/statistics.hpp"

namespace mct::embed {

/// Whether a graph is a hierarchy, and the reason.
struct HierarchyVerdict {
  bool is_hierarchy = false;
  std::string reason;
};

/// A graph is not a hierarchy if one of these holds:
/// - It has cycles. Two edges between the same nodes in opposite directions are a cycle.
/// - It has many roots and many leaves: the smaller of the two numbers exceeds the number of weak
///   components by more than 4 plus a fiftieth of the nodes. A tree has one root for each
///   component, or one leaf if its edges are reversed. A list of undirected edges, each written
///   from the smaller to the larger number, has many roots and many leaves.
/// - It has a path of more than 3 log2(nodes) edges, and more than 1.05 basic edges for each node.
///   (A tree has at most one.) Only this test computes basic edges, which takes some time.
///
/// `counts` are the statistics of the graph. The limits separate hierarchies from other graphs
/// among those that were examined. In these, the smaller number exceeds the number of weak
/// components by this share of the nodes: at most 0.14 % in WordNet's hierarchies, 6.5 % in a list
/// of co-authors (Gr-QC), 10 % for proteins (yeast).
HierarchyVerdict hierarchy_verdict(const Graph& graph, const GraphStatistics& counts);

/// Every edge in both directions, each direction once, sorted by source and then by target. Both
/// directions get the weight of the edge. If both were given, each keeps its own weight. An edge
/// from a node to itself stays one edge.
Graph both_directions(const Graph& graph);

/// A graph to embed, and its description in words.
struct UsualGraph {
  Graph graph;
  std::string what;
  bool is_hierarchy = true;
};

/// For a hierarchy: its transitive closure, or the edges as they are if the closure has more than
/// usual_closure_edges. For another graph: both_directions, so that training and evaluation count
/// neighbours on both sides. Calls progress with the number of nodes for which the closure has been
/// computed.
UsualGraph usual_graph(const Graph& graph, const std::function<void(std::size_t)>& progress = {});

/// The edges whose nodes should be near each other: the edges of a hierarchy, or both_directions of
/// another graph.
UsualGraph usual_neighbours(const Graph& graph);

}  // namespace mct::embed
