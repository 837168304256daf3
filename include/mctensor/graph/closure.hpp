// The transitive closure and the transitive reduction of graphs without cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// The default limit of a closure's edges: up to 1.6 GB of memory.
constexpr std::uint64_t usual_closure_edges = 100'000'000;

/// The graph of the same nodes with an edge from every node to every node that it reaches along
/// edges, ordered by source and then by target, without weights. The computation needs the memory
/// of the result, 12 to 16 bytes an edge. A chain of n nodes has n (n - 1) / 2 edges.
///
/// Throws DomainError for a graph with a cycle, because the nodes of the cycle would all be
/// ancestors of each other; the error names the cycle. Throws DomainError, too, if there are more
/// than `most_edges` edges. progress(n) tells how many nodes are done.
Graph transitive_closure(const Graph& graph, std::uint64_t most_edges = usual_closure_edges,
                         const std::function<void(std::size_t)>& progress = {});

/// 1 for each basic edge, and 0 for each edge that follows from others. An edge follows from others
/// if a longer way leads from its source to its target (Aho, Garey, Ullman 1972). The basic edges
/// are the smallest set of edges with the same closure.
///
/// Throws DomainError, which names the cycle, for a graph with a cycle. For each node the function
/// examines the edges between the node and its farthest target in the order from the roots. The
/// nearer a graph is to a tree, the fewer such edges there are. progress(n) tells how many nodes
/// are done.
std::vector<std::uint8_t> basic_edges(const Graph& graph,
                                      const std::function<void(std::size_t)>& progress = {});

}  // namespace mct::embed
