// Components, cycles and order of a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// The component of each node; components are numbered from 0.
struct Components {
  std::vector<std::int32_t> of;  // the component's number for each node
  std::int32_t count = 0;

  /// How many nodes each component has.
  std::vector<std::int32_t> sizes() const;
};

/// Weak components: nodes that edges of any direction connect. They are numbered in the order of
/// their first nodes.
Components weak_components(const Graph& graph);

/// Strong components: nodes that reach one another along edges (Tarjan 1972). The running time is
/// proportional to the number of edges. Every edge between two components leads to the component
/// with the lower number, so roots come first.
Components strong_components(const Adjacency& successors);

/// The weak component with the most nodes, or the first one if several are equally large. Nodes
/// keep their order.
Graph largest_component(const Graph& graph);

/// The cycles of a graph: strong components of more than one node (an edge from a node to itself
/// counts too).
struct Cycles {
  std::size_t components = 0;  ///< how many strong components have a cycle
  std::size_t nodes = 0;       ///< how many nodes these components have
  /// A cycle without detours through the lowest-numbered node that is on a cycle. Each node has an
  /// edge to the next node, and the last node has an edge to the first. Empty: the graph has no
  /// cycle.
  std::vector<std::int32_t> example;
};
Cycles find_cycles(const Graph& graph);
/// The same for a caller that has computed the successors and the strong components already.
Cycles find_cycles(const Graph& graph, const Adjacency& successors, const Components& strong);

/// A cycle as a text, such as "'a' -> 'b' -> 'a'". For a long cycle the text has the beginning and
/// the number of nodes; for an empty cycle it is "". Throws DomainError if a number that is shown
/// is not a node.
std::string cycle_text(const Graph& graph, const std::vector<std::int32_t>& cycle);

/// The nodes of a graph without cycles in an order in which every edge leads to an earlier one:
/// roots first. Throws DomainError, which names a cycle, if there is one.
std::vector<std::int32_t> order_from_roots(const Graph& graph);

}  // namespace mct::embed
