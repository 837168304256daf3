// How well an embedding shows the edges of a graph: reconstruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct EvaluateOptions {
  std::size_t objects = 0;  ///< so many of the nodes with an edge are drawn and ranked; 0: all
  std::uint64_t seed = 0;   ///< of the nodes that are drawn
  /// Nodes that these edges lead to are left out of the ranking of their source (held-out edges
  /// stand among what is no edge at all). The same nodes as the points.
  const Graph* known = nullptr;
  /// Called by any thread: so many of the nodes are ranked, of how many. What it throws ends the
  /// ranking, and is thrown on.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// The rank of an edge is the place of its target among the nodes that its source has no edge to,
/// by distance from the source, counted from 1.
struct RankingReport {
  std::size_t objects = 0;  ///< sources that were ranked
  std::size_t sources = 0;  ///< nodes with an edge, of which those are all or were drawn
  std::size_t pairs = 0;    ///< their edges
  double mean_rank = 0;     ///< over the edges
  /// MAP: the mean over the sources of the average precision of their targets among all nodes.
  double mean_average_precision = 0;
  double hits_at_1 = 0;   ///< the part of the edges of rank 1
  double hits_at_10 = 0;  ///< of rank 10 and better
};

/// Ranks for every node with an edge from it all other nodes by their distance (Nickel and Kiela
/// 2017, section 4.1). A node that is as far as a target and none itself counts as half a node in
/// front of it: the mean of its best and its worst place, so that points that are all equal get the
/// ranks of chance. Distances are compared as they are computed, from all components of the points
/// with a relative error of a few u.
///
/// Node i of `edges` is row i of the points (see renumbered()). Weights, edges that are there twice
/// and edges from a node to itself have no effect. The same bits for any number of threads. Throws
/// ShapeError for other numbers of nodes, and DomainError for a graph without edges and, naming the
/// row, for what is no point.
///
/// Points are compared by |x - y|^2 / (h k) = 2 cosh d - 2, which grows with d, or by d^2 in
/// products and where a height or a coordinate is beyond 2^250, which takes several times as long.
RankingReport evaluate(const HalfSpacePoints& points, const Graph& edges,
                       const EvaluateOptions& options = {});

}  // namespace mct::embed
