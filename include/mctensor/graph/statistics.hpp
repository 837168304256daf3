// Statistics of a graph: its size, depth and branching, and how much it differs from a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "mctensor/graph/components.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct GraphStatistics {
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::size_t roots = 0;   ///< nodes with no edge from them: nothing is above them
  std::size_t leaves = 0;  ///< nodes with no edge to them: nothing is below them
  /// The number of edges of the longest path; empty for a graph with cycles. A graph, its closure
  /// and its basic edges have the same depth.
  std::optional<std::int32_t> depth;
  double mean_children = 0;            ///< mean number of edges to a node, leaves left out
  std::size_t most_children = 0;       ///< the largest number of edges to a node
  std::int32_t most_children_at = -1;  ///< the first node with most_children; -1: no nodes
  std::size_t components = 0;          ///< weak components
  std::size_t largest_component = 0;   ///< its number of nodes
  Cycles cycles;
  std::size_t both_ways = 0;  ///< edges whose opposite is an edge, too
};

/// The running time is proportional to the number of nodes and edges.
GraphStatistics statistics(const Graph& graph);

struct HyperbolicityOptions {
  std::size_t nodes = 100;  ///< the number of sampled nodes, at most 500, because all their
                            ///< quadruples are examined
  std::uint64_t seed = 0;
  /// Called by any thread with the number of sampled nodes that are done: their distances to all
  /// nodes are known.
  std::function<void(std::size_t done)> progress = {};
};

/// The difference between a graph and a tree, measured by Gromov's four-point condition.
struct Hyperbolicity {
  double largest = 0;         ///< of the quadruples' delta: half a whole number
  double mean = 0;            ///< of the quadruples' delta
  std::int32_t diameter = 0;  ///< the longest distance from a sampled node to any node
  std::size_t nodes = 0;      ///< sampled
  std::size_t of_nodes = 0;   ///< nodes of the largest weak component, from which they are drawn
  std::uint64_t quadruples = 0;

  /// 2 delta / diameter: 0 for a tree, at most 1 (Khrulkov et al. 2020); 0 for a diameter of 0.
  double relative(double delta) const { return diameter == 0 ? 0 : 2 * delta / diameter; }
};

/// Samples nodes of the largest weak component and computes delta of all their quadruples. Delta of
/// four nodes is (S1 - S2) / 2, where S1 >= S2 >= S3 are the sums d(a, b) + d(c, d), d(a, c) + d(b,
/// d) and d(a, d) + d(b, c) (Gromov 1987; Fournier, Ismail, Vigneron 2015). A distance is the
/// number of edges of a shortest path, whatever their direction and weight. The result is exact if
/// all nodes of the largest weak component are sampled. Else `largest` and `diameter` are lower
/// bounds. The result depends on the seed, not on the number of threads. Throws DomainError for
/// options.nodes above 500.
Hyperbolicity hyperbolicity(const Graph& graph, const HyperbolicityOptions& options = {});

}  // namespace mct::embed
