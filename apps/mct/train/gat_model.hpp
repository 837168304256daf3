// Graph attention networks whose weights come from any comparison.
#pragma once

#include "apps/mct/train/hyla_model.hpp"
#include "apps/mct/train/node_graph.hpp"
#include "mctensor/attention/streaming_attention.hpp"

namespace mct::cli::train {

struct GatOptions {
  attention::Comparison comparison = attention::Comparison::penumbral;
  attention::Start start;
  std::int64_t heads = 8, width = 8;  // of the first layer; the second has one head
  double dropout = 0.6;               // of features, between the layers, and of weights
  double lr = 5e-3;                   // of Adam
  double weight_decay = 5e-4;         // of all parameters, in their gradient
  int epochs = 1000, patience = 100;
  std::uint64_t seed = 1;
};

/// Velickovic et al. 2018, section 3.3 (Cora), except that the weight of a neighbour is the softmax
/// of a comparison of W x and W y instead of their additive score: two layers along the edges, each
/// node its own neighbour, ELU between them, rows of features divided by their sums. All
/// comparisons have the same parameters, except for the temperature and radius of a head. Training
/// stops after `patience` epochs in which neither loss nor accuracy in validation were as good as
/// before. The result is from the last epoch in which both were. It depends on the seed, and not on
/// the number of threads.
Accuracy train_gat(const GraphTask& task, const SparseMatrix& features, const NeighbourList& edges,
                   const GatOptions& options);
/// The number of trained numbers.
std::int64_t parameters_of_gat(const GraphTask& task, const SparseMatrix& features,
                               const GatOptions& options);

}  // namespace mct::cli::train
