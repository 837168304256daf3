// A graph without cycles in the hyperbolic plane without training: what trained embeddings must
// surpass.
#pragma once

#include <cstddef>
#include <functional>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct CombinatorialOptions {
  Model model = Model::h_tiling;  ///< or l_tiling
  double edge_length = 1;
  int components = 1;  ///< of every number: whole numbers of the tiles are exact or refused
  std::function<void(std::size_t done)> progress = {};  ///< so many nodes are placed
};

/// The spanning tree of a graph in which the parent of a node is where its first basic edge (see
/// basic_edges) leads, by Sarkar's construction (sarkar_embedding). Nodes without a parent hang, if
/// there are several, below one more node at the origin, which is then left out. Edges that are not
/// in the tree have no influence. Points are computed in f64x2.
///
/// Throws DomainError for a graph that has no nodes or a cycle, which it names, for models
/// other than the tilings, for an edge length that is not positive, and, naming the node, where a
/// tile has whole numbers that the components do not hold: beyond distances of about 36 from the
/// origin for each component.
Embedding combinatorial_embedding(const Graph& graph, const CombinatorialOptions& options = {});

}  // namespace mct::embed
