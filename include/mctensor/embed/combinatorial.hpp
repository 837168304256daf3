// Embeds a graph without cycles in the hyperbolic plane, without training. Trained embeddings can
// be compared with the result.
#pragma once

#include <cstddef>
#include <functional>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct CombinatorialOptions {
  PointStorage storage = PointStorage::h_tiling;  ///< or l_tiling
  double edge_length = 1;
  int components = 1;  ///< of every number; enough to hold the whole numbers of tiles exactly
  std::function<void(std::size_t done)> progress = {};  ///< called with the number of placed nodes
};

/// Embeds a spanning tree of the graph by Sarkar's construction (sarkar_embedding). The parent of a
/// node is the target of its first basic edge (see basic_edges). If several nodes have no parent,
/// an extra node at the origin becomes their parent and is left out afterwards. Other edges have no
/// influence. Points are computed in f64x2.
///
/// Throws DomainError for a graph without nodes, for models other than the tilings, and for an edge
/// length that is not positive and finite. Throws DomainError for a graph with a cycle (the message
/// names the cycle), and for a node whose tile has whole numbers that the components do not hold
/// (the message names the node). One component is enough for a distance of about 36 from the
/// origin, two for twice as much, and so on.
Embedding combinatorial_embedding(const Graph& graph, const CombinatorialOptions& options = {});

}  // namespace mct::embed
