// Embeds a graph without cycles in the hyperbolic plane without training, as a baseline for trained
// embeddings.
#pragma once

#include <cstddef>
#include <functional>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct CombinatorialOptions {
  PointStorage storage = PointStorage::h_tiling;  ///< or l_tiling
  double edge_length = 1;
  int components = 1;  ///< of every number; whole numbers of tiles are exact, or the function
                       ///< refuses them
  std::function<void(std::size_t done)> progress = {};  ///< how many nodes are placed
};

/// Embeds a spanning tree of the graph by Sarkar's construction (sarkar_embedding). The parent of a
/// node is the target of its first basic edge (see basic_edges). If several nodes have no parent,
/// they hang below an extra node at the origin, which is left out afterwards. Other edges have no
/// influence. Points are computed in f64x2.
///
/// Throws DomainError for a graph without nodes or with a cycle (which it names), for models other
/// than the tilings, for an edge length that is not positive, and for a node (which it names) whose
/// tile has whole numbers that the components do not hold: each component is enough for a distance
/// of about 36 from the origin.
Embedding combinatorial_embedding(const Graph& graph, const CombinatorialOptions& options = {});

}  // namespace mct::embed
