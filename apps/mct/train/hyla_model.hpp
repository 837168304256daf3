// Simplified graph convolutions with plain features, random Fourier features or HyLa features.
#pragma once

#include <cstdint>
#include <memory>

#include "apps/mct/train/node_graph.hpp"
#include "apps/mct/train/sparse_matrix.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// plain: softmax(M W + b). fourier, hyla: softmax(M f(Z) W + b), where f is random Fourier
/// features or HyLa of learned points Z.
enum class FeatureKind { plain, fourier, hyla };

/// The rows to classify: S^k X if points belong to feature columns, or S^k if points belong to the
/// nodes themselves. Then the numbers of the nodes for training, validation and test.
struct GraphTask {
  std::shared_ptr<const Propagation> inputs;
  Tensor<std::int64_t> labels;  // 0 ... classes - 1
  Tensor<std::int64_t> train, validation, test;
  std::int64_t classes = 2;
};

struct FeatureOptions {
  FeatureKind kind = FeatureKind::hyla;
  std::int64_t dimensions = 16;
  std::int64_t waves = 100;
  double deviation = 1;     // of the frequencies
  double point_lr = 0.05;   // of gradient descent (Riemannian for HyLa, plain for Fourier features)
  double weight_lr = 1e-2;  // of Adam
  double weight_decay = 0;  // of the weights, in their gradient
  int epochs = 100;
  std::uint64_t seed = 1;
};

/// The share of nodes, in per cent, whose label has the largest score.
double accuracy(const Tensor<double>& scores, const Tensor<std::int64_t>& labels,
                const Tensor<std::int64_t>& nodes);

/// Results of the epoch that is best in validation, or of the last one of several.
struct Accuracy {
  double validation = 0, test = 0;  // in per cent
};

/// Yu 2024, Algorithm 1 and appendix A.2.4: cross entropy, all training nodes in each step; points
/// begin within 1e-5 of the origin. HyLa features are multiplied by sqrt(waves), as printed there,
/// and Fourier features by sqrt(2 waves / dimensions), as in the authors' program. The result
/// depends on the seed, and not on the number of threads.
Accuracy train_features(const GraphTask& task, const FeatureOptions& options);

/// Draws nodes for validation and the test; the rest is for training. With two classes, each class
/// gives the same number of nodes, the given share of the smaller class, so that a guess is right
/// in half of the cases (Chami et al. 2019). With more classes, the shares are those of all nodes.
/// Throws DomainError if a part would be empty.
void split_nodes(GraphTask& task, double validation, double test, std::uint64_t seed);

/// Planetoid's split, at random: 20 nodes of each class for training, 500 for validation, 1000 for
/// the test. If fewer nodes are left for these two, they get a third and two thirds of them. Throws
/// DomainError if no nodes are left.
void split_citations(GraphTask& task, std::uint64_t seed);

/// The task of a graph, without inputs: with its published split, or with a split that the seed
/// draws in the graph's way. Throws DomainError as split_nodes and split_citations do.
GraphTask task_of(const NodeGraph& graph, std::uint64_t seed);

}  // namespace mct::cli::train
