// Simplified graph convolutions of plain, random Fourier and HyLa features.
#pragma once

#include <cstdint>

#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// softmax(M W), softmax(M f(Z) W) for random Fourier features or HyLa of learned points Z.
enum class FeatureKind { plain, fourier, hyla };

/// Rows to classify: M = S^k X for features X, or S^k for points of the nodes themselves, and the
/// numbers of the nodes for training, validation and test.
struct GraphTask {
  Tensor<double> inputs;
  Tensor<std::int64_t> labels;  // 0 ... classes - 1
  Tensor<std::int64_t> train, validation, test;
  std::int64_t classes = 2;
};

struct FeatureOptions {
  FeatureKind kind = FeatureKind::hyla;
  std::int64_t dimensions = 16;
  std::int64_t waves = 100;
  double deviation = 1;     // of the frequencies
  double point_lr = 0.05;   // of Riemannian (plain, for Fourier features) gradient descent
  double weight_lr = 1e-2;  // of Adam
  double weight_decay = 0;  // of the weights, in their gradient
  int epochs = 100;
  std::uint64_t seed = 1;
};

/// Of the epoch that is best in validation, the last of several.
struct Accuracy {
  double validation = 0, test = 0;  // in per cent
};

/// Yu 2024, Algorithm 1 and appendix A.2.4: cross entropy, all training nodes in each step, points
/// from within 1e-5 of the origin. Features are multiplied by sqrt(waves), as printed there.
/// Depends on the seed, and not on the number of threads.
Accuracy train_features(const GraphTask& task, const FeatureOptions& options);

/// 30 % of the nodes for training, 10 for validation, the rest for the test, at random.
void split_nodes(GraphTask& task, std::uint64_t seed);

/// Planetoid's: 20 nodes of each class for training, 500 for validation, 1000 for the test, at
/// random; of fewer nodes a third and two thirds of those that are left. Throws DomainError if
/// none are.
void split_citations(GraphTask& task, std::uint64_t seed);

}  // namespace mct::cli::train
