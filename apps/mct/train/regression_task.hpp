// The small problems of `mct train regression`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/mct/train/dataset.hpp"

namespace mct::cli::train {

enum class Loss { squared, binary, classes };
enum class Optimizer { sgd, adam };

/// A problem and its training. Features and first weights are numbers of 8 significant bits, so
/// that every arithmetic starts from the same values.
struct Task {
  std::string name;
  std::string description;
  Loss loss = Loss::squared;
  Split data;
  /// Sizes of inputs, hidden layers (with ReLU) and outputs.
  std::vector<std::int64_t> layers;
  bool bias = true;
  std::int64_t epochs = 0;
  std::int64_t batch = 0;  // 0: all rows
  Optimizer optimizer = Optimizer::sgd;
  double lr = 0;
  double momentum = 0;
  /// For half: the loss is multiplied by this before the backward pass, and the learning rate of
  /// SGD is divided by it. Otherwise gradients of means of thousands of rows would underflow.
  double half_loss_scale = 1;
  std::uint64_t seed = 1;
};

/// The places of the data: a directory as for find_data, and pictures as for read_mnist, which the
/// tasks of digits use instead of those of the directory.
struct DataPlaces {
  std::filesystem::path directory, mnist;
};

/// "linear", "logistic", "cancer", "cancer-mlp", "digits", "digits-adam".
std::vector<std::string> task_names();

/// A task by its name, with fewer rows and epochs if `quick`. Throws DomainError for another name,
/// IoError for data that cannot be read.
Task make_task(const std::string& name, const DataPlaces& data, std::uint64_t seed, bool quick);

}  // namespace mct::cli::train
