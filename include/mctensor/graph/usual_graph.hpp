// What of a graph is embedded, where nobody says otherwise.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "mctensor/graph/graph.hpp"
#include "mctensor/graph/statistics.hpp"

namespace mct::embed {

/// Whether a graph is a hierarchy by its own counts, and what says so.
struct HierarchyVerdict {
  bool is_hierarchy = false;
  std::string reason;
};

/// A graph is no hierarchy if
/// - there are cycles, of which an edge in both directions is one;
/// - many nodes have nothing above them and many nothing below: the fewer of both are more than the
///   weak components by over 4 and a fiftieth of the nodes. A tree has one root for each, whichever
///   way it is written; an undirected list, whose edges lead to the larger number, has ends
///   everywhere;
/// - it has chains of more than 3 log2(nodes) edges though it is no tree: basic edges, which need
///   some time then, are more than 1.05 times the nodes.
/// `counts` are those of the graph. The bounds are a choice between what was looked at: of
/// WordNet's hierarchies the fewer ends are at most 0.14 % of the nodes more than the components,
/// of a list of co-authors (Gr-QC) 6.5 %, of proteins (yeast) 10 %.
HierarchyVerdict hierarchy_verdict(const Graph& graph, const GraphStatistics& counts);

/// Every edge in both directions, once each, by source and then by target, with its weight; that of
/// an edge which was given in both directions stays its own. An edge from a node to itself stays
/// one.
Graph both_directions(const Graph& graph);

/// A graph to embed, and in words what it is.
struct UsualGraph {
  Graph graph;
  std::string what;
  bool is_hierarchy = true;
};

/// Of a hierarchy the transitive closure, or the edges as they are if there would be more than
/// usual_closure_edges; of another graph both_directions, so that training and evaluation count
/// neighbours on both sides. progress(n): so many nodes of the closure are done.
UsualGraph usual_graph(const Graph& graph, const std::function<void(std::size_t)>& progress = {});

/// What distances are to show of a list: both_directions if it is no hierarchy, else its edges.
UsualGraph usual_neighbours(const Graph& graph);

}  // namespace mct::embed
