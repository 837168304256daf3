// The transitive closure and the transitive reduction of graphs without cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// Edges of a closure, unless more are allowed: up to 1.6 GB of memory.
constexpr std::uint64_t usual_closure_edges = 100'000'000;

/// An edge from every node to everything that it reaches along edges, by source and then by target;
/// the same nodes, no weights. Memory is that of the result, 12 to 16 bytes an edge: a chain of
/// n nodes has n (n - 1) / 2 edges.
///
/// Throws DomainError, naming a cycle, for a graph that has one: its members would all be ancestors
/// of each other, which no hierarchy has. Throws DomainError too if there are more than
/// `most_edges` edges. progress(n): so many nodes are done.
Graph transitive_closure(const Graph& graph, std::uint64_t most_edges = usual_closure_edges,
                         const std::function<void(std::size_t)>& progress = {});

/// 1 for each basic edge, 0 for each that follows from others: where a longer way leads from its
/// source to its target (Aho, Garey, Ullman 1972). The basic edges are the fewest that have the
/// same closure.
///
/// Throws DomainError, naming a cycle, for a graph that has one. Looks for each node at the edges
/// between it and the farthest of its targets in the order from the roots: the more a graph is like
/// a tree, the fewer. progress(n): so many nodes are done.
std::vector<std::uint8_t> basic_edges(const Graph& graph,
                                      const std::function<void(std::size_t)>& progress = {});

}  // namespace mct::embed
