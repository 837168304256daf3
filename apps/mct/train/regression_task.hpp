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

/// A problem, and how it is trained. Features and weights start as numbers of 8 significant bits,
/// so that every arithmetic starts from the same.
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
  /// Of half: the loss is multiplied by it before the backward pass, the learning rate of SGD
  /// divided. Gradients of means of thousands of rows would underflow.
  double half_loss_scale = 1;
  std::uint64_t seed = 1;
};

/// Where the data of tasks are: a directory as find_data takes it, and pictures as read_mnist takes
/// them, for the tasks of digits instead of those of the directory.
struct DataPlaces {
  std::filesystem::path directory, mnist;
};

/// "linear", "logistic", "cancer", "cancer-mlp", "digits", "digits-adam".
std::vector<std::string> task_names();

/// A task by its name, with fewer rows and epochs if `quick`. Throws DomainError for another name,
/// IoError for data that cannot be read.
Task make_task(const std::string& name, const DataPlaces& data, std::uint64_t seed, bool quick);

}  // namespace mct::cli::train
