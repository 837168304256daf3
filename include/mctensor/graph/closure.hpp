// The transitive closure and the transitive reduction of graphs without cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// The default limit of a closure's edges. So many edges take up to 1.6 GB of memory.
constexpr std::uint64_t usual_closure_edges = 100'000'000;

/// The graph of the same nodes with an edge from every node to every node that it reaches along
/// edges. The edges are ordered by source and then by target and have no weights. The computation
/// takes 12 to 16 bytes of memory for each edge of the result. A chain of n nodes has n (n - 1) / 2
/// edges.
///
/// Throws DomainError for a graph with a cycle, because the nodes of the cycle would all be
/// ancestors of each other; the error names the cycle. Throws DomainError, too, if there are more
/// than `most_edges` edges. progress receives the number of nodes that are done.
Graph transitive_closure(const Graph& graph, std::uint64_t most_edges = usual_closure_edges,
                         const std::function<void(std::size_t)>& progress = {});

/// One byte for each edge of `graph`: 1 for a basic edge, and 0 for an edge that follows from
/// others. An edge follows from others if a longer way leads from its source to its target (Aho,
/// Garey, Ullman 1972). The basic edges are the smallest set of edges with the same closure.
///
/// Throws DomainError, which names the cycle, for a graph with a cycle. The function orders the
/// nodes from the roots on. For each node it examines the edges between that node and its farthest
/// target in this order. The nearer a graph is to a tree, the fewer such edges there are. progress
/// receives the number of nodes that are done.
std::vector<std::uint8_t> basic_edges(const Graph& graph,
                                      const std::function<void(std::size_t)>& progress = {});

}  // namespace mct::embed
