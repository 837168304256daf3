// A tree along which a disease spreads: the classification task of hyperbolic graph networks.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/mct/train/node_graph.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// A tree whose nodes are infected or not, with features that give hints which nodes are easily
/// infected.
struct SirTree {
  std::vector<std::int64_t> parents;  // of node v, a smaller number; -1 for the root, node 0
  Tensor<double> features;            // (nodes, columns): how often a symptom was drawn
  Tensor<std::int64_t> infected;      // 0 or 1
};

struct SirTreeOptions {
  std::int64_t nodes = 1044;
  std::int64_t columns = 1000;
  int most_children = 4;
  double least_susceptible = 0.75;  // the infection of a child of an infected node has a
                                    // probability uniform between this and 1, the susceptibility
  int symptoms = 10;                // columns drawn for a node
  std::uint64_t seed = 1;
};

/// Every node, in breadth-first order, has 1 to most_children children until there are enough
/// nodes. The root is infected (I of the SIR model). An infected node infects each child once, with
/// the child's susceptibility as probability, and is then removed (R). A symptom is a column: of
/// the first half with a probability that is the place of the susceptibility in its range, else of
/// the second half. The tree depends on the seed alone. Throws DomainError for options that make no
/// tree.
SirTree make_sir_tree(const SirTreeOptions& options);

/// The tree without direction; the label says whether a node is infected.
NodeGraph graph_of(const SirTree& tree);

}  // namespace mct::cli::train
