// Connected components, cycles and order of a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// The component of each node; components are numbered from 0.
struct Components {
  std::vector<std::int32_t> of;  // the number of each node's component
  std::int32_t count = 0;

  /// How many nodes each component has.
  std::vector<std::int32_t> sizes() const;
};

/// Weak components: sets of nodes that edges connect, whatever the direction of the edges.
/// Components are numbered in the order of their first nodes.
Components weak_components(const Graph& graph);

/// Strong components: sets of nodes that reach one another along edges (Tarjan 1972). The running
/// time is proportional to the number of nodes and edges. An edge between two components leads to
/// the component with the lower number. So roots, which have no successors, have lower numbers than
/// all nodes that lead to them.
Components strong_components(const Adjacency& successors);

/// The weak component with the most nodes, or the first one if several are equally large. Its nodes
/// keep their order.
Graph largest_component(const Graph& graph);

/// The cycles of a graph. A strong component has a cycle if it has more than one node, or an edge
/// from its node to itself.
struct Cycles {
  std::size_t components = 0;  ///< how many strong components have a cycle
  std::size_t nodes = 0;       ///< how many nodes these components have
  /// A shortest cycle through the lowest-numbered node that lies on a cycle. Each node has an edge
  /// to the next node, and the last node has an edge to the first. Empty if the graph has no cycle.
  std::vector<std::int32_t> example;
};
Cycles find_cycles(const Graph& graph);
/// The same for a caller that has computed the successors and the strong components already.
Cycles find_cycles(const Graph& graph, const Adjacency& successors, const Components& strong);

/// A cycle as a text, such as "'a' -> 'b' -> 'a'". For a cycle of more than 6 nodes, the text shows
/// the first 6 and the number of nodes. For an empty cycle it is "". Throws DomainError if a number
/// that is shown is not a node.
std::string cycle_text(const Graph& graph, const std::vector<std::int32_t>& cycle);

/// The nodes of a graph without cycles, ordered so that every edge leads to an earlier node: roots
/// come first. Throws DomainError, which names a cycle, if the graph has one.
std::vector<std::int32_t> order_from_roots(const Graph& graph);

}  // namespace mct::embed
