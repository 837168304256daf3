// Measures how well an embedding shows the edges of a graph (reconstruction).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct EvaluateOptions {
  std::size_t objects = 0;  ///< how many of the nodes with an edge are drawn and ranked; 0: all
  std::uint64_t seed = 0;   ///< seed of the drawn nodes
  /// If u -> v is an edge of this graph, v is left out of the ranking of u. So held-out edges
  /// compete only with pairs that are not edges. The graph must have the nodes of the points.
  const Graph* known = nullptr;
  /// Called with the number of nodes that are ranked and the number of all nodes to rank, by any
  /// thread. If it throws, the ranking ends and the exception is rethrown.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// Ranks of edges. The target of an edge and all nodes to which the source has no edge are sorted
/// by their distance from the source. The rank of the edge is the place of the target, counted from
/// 1.
struct RankingReport {
  std::size_t objects = 0;  ///< sources that were ranked
  std::size_t sources = 0;  ///< nodes with an edge, from which `objects` were drawn
  std::size_t pairs = 0;    ///< the edges of these sources
  double mean_rank = 0;     ///< over the edges
  /// MAP: the mean over the sources of the average precision of their targets among all nodes.
  double mean_average_precision = 0;
  double hits_at_1 = 0;   ///< the part of the edges of rank 1
  double hits_at_10 = 0;  ///< the part of the edges of rank 10 and better
};

/// For every node with an edge from it, ranks all other nodes by their distance (Nickel and Kiela
/// 2017, section 4.1). If a target and a node that is not a target have the same distance, the node
/// counts as half a node in front of the target. So ties get the mean of the best and the worst
/// rank. If all points are equal, ranks are as if drawn by chance. Distances are computed from all
/// components of the points, with a relative error of a few u.
///
/// Node i of `edges` is row i of the points (see renumbered()). Weights, repeated edges and edges
/// from a node to itself have no effect. Results have the same bits for any number of threads.
/// Throws ShapeError if graphs and points have different numbers of nodes. Throws DomainError for a
/// graph without edges, and for an invalid point, with its row.
///
/// Points are compared by |x - y|^2 / (h k) = 2 cosh d - 2, which grows with d. In products, and if
/// a height or a coordinate is beyond 2^250, they are compared by d^2, which takes several times as
/// long.
RankingReport evaluate(const HalfSpacePoints& points, const Graph& edges,
                       const EvaluateOptions& options = {});

}  // namespace mct::embed
