// The problems of Yu 2024, tables 3.10 and B.9 to B.14.
#include "apps/mct/train/regression_task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "apps/mct/train/mnist.hpp"
#include "mctensor/error.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct::cli::train {

namespace {

namespace fs = std::filesystem;

/// y = X w, where all numbers of X and w are drawn from N(-0.5, 0.5^2).
Task linear(const DataPlaces&, std::uint64_t seed, bool quick) {
  Task task;
  task.description = "y = X w, 2 features, without bias; gradient descent (Yu 2024, B.9)";
  const std::int64_t rows = quick ? 1000 : 10000;
  const auto x = short_numbers(randn<double>({rows, 2}, nn::derive_seed(seed, 0)) * 0.5 - 0.5);
  const auto w = randn<double>({2, 1}, nn::derive_seed(seed, 1)) * 0.5 - 0.5;
  task.data.train = {x, matmul(x, w).squeeze(1).contiguous()};
  task.data.test = task.data.train;
  task.layers = {2, 1};
  task.bias = false;
  task.epochs = quick ? 600 : 1000;
  task.lr = 0.05;
  task.half_loss_scale = 128;
  return task;
}

/// Two classes along one of two features, in the manner of scikit-learn's make_classification with
/// n_informative = n_clusters_per_class = 1: centres at -1 and 1, deviations drawn from [0, 1).
Dataset two_classes(std::int64_t rows, std::uint64_t seed) {
  const auto x = randn<double>({rows, 2}, nn::derive_seed(seed, 0));
  const auto deviations = rand<double>({2}, nn::derive_seed(seed, 1));
  const auto targets = Tensor<double>::uninitialized({rows});
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t label = i % 2;
    targets.data()[i] = double(label);
    x.data()[2 * i] = (label == 1 ? 1 : -1) + x.data()[2 * i] * deviations.data()[label] / 2;
  }
  return {x, targets};
}

Task logistic(const DataPlaces&, std::uint64_t seed, bool quick) {
  Task task;
  task.description = "1000 points, 2 features, without bias; gradient descent (B.10)";
  task.loss = Loss::binary;
  task.data = split(two_classes(1000, seed), 0.8, seed);
  task.layers = {2, 1};
  task.bias = false;
  task.epochs = quick ? 1000 : 4000;
  task.lr = 3e-3;
  return task;
}

Dataset read_cancer(const DataPlaces& data) {
  return read_csv(find_data("breast_cancer.csv", data.directory), {30, 2, 1});
}

Task cancer(const DataPlaces& data, std::uint64_t seed, bool quick) {
  Task task;
  task.description = "breast cancer, 30 standardized features, without bias; momentum 0.9 (B.11)";
  task.loss = Loss::binary;
  task.data = standardized(split(read_cancer(data), 0.8, seed));
  task.layers = {30, 1};
  task.bias = false;
  task.epochs = quick ? 500 : 3000;
  task.lr = 1e-4;
  task.momentum = 0.9;
  return task;
}

Task cancer_mlp(const DataPlaces& data, std::uint64_t seed, bool quick) {
  Task task;
  task.description = "breast cancer, hidden layers of 150; gradient descent (3.10, B.12)";
  task.loss = Loss::binary;
  task.data = standardized(split(read_cancer(data), 0.8, seed));
  task.layers =
      quick ? std::vector<std::int64_t>{30, 30, 30, 1} : std::vector<std::int64_t>{30, 150, 150, 1};
  task.epochs = quick ? 200 : 1000;
  task.lr = 6e-3;
  return task;
}

/// Digits of 8 x 8 pixels from the data directory, or the reduced MNIST of Yu 2024: 1000 training
/// pictures of each class.
Dataset read_digits(const DataPlaces& data, std::uint64_t seed, bool quick) {
  if (!data.mnist.empty())
    return some_of_each_class(read_mnist(data.mnist), quick ? 50 : 1000, seed);
  Dataset all = read_csv(find_data("digits.csv", data.directory), {64, 10});
  all.features = all.features / 16.0;
  return all;
}

Task digits(const DataPlaces& data, std::uint64_t seed, bool quick) {
  Task task;
  task.loss = Loss::classes;
  const Dataset all = read_digits(data, seed, quick);
  const std::int64_t pixels = all.features.size(1);
  task.description = fmt::format(
      "{} digits of {} pixels, hidden layers of 50, batch 128; momentum 0.8 (B.13, B.14)",
      all.rows(), pixels);
  task.data = split(all, 0.8, seed);
  task.layers = {pixels, 50, 50, 10};
  task.batch = 128;
  task.epochs = quick ? 20 : 100;
  task.lr = 2e-3;
  task.momentum = 0.8;
  return task;
}

/// Adam squares gradients, and half can only hold the squares if gradients are not too small.
Task digits_adam(const DataPlaces& data, std::uint64_t seed, bool quick) {
  Task task = digits(data, seed, quick);
  task.description =
      fmt::format("digits of {} pixels, hidden layers of 50, batch 128; Adam", task.layers.front());
  task.optimizer = Optimizer::adam;
  task.epochs = quick ? 5 : 30;
  task.lr = 1e-3;
  task.momentum = 0;
  task.half_loss_scale = 128;
  return task;
}

struct NamedTask {
  const char* name;
  Task (*make)(const DataPlaces& data, std::uint64_t seed, bool quick);
};
constexpr NamedTask all_tasks[] = {{"linear", linear}, {"logistic", logistic},
                                   {"cancer", cancer}, {"cancer-mlp", cancer_mlp},
                                   {"digits", digits}, {"digits-adam", digits_adam}};

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const NamedTask& task : all_tasks) names.emplace_back(task.name);
  return names;
}

Task make_task(const std::string& name, const DataPlaces& data, std::uint64_t seed, bool quick) {
  const auto* const found = std::find_if(std::begin(all_tasks), std::end(all_tasks),
                                         [&](const NamedTask& task) { return task.name == name; });
  if (found == std::end(all_tasks))
    throw DomainError(
        fmt::format("no task '{}': there are {}", name, fmt::join(task_names(), ", ")));
  Task task = found->make(data, seed, quick);
  task.name = name;
  task.seed = seed;
  task.data.train.features = short_numbers(task.data.train.features);
  task.data.test.features = short_numbers(task.data.test.features);
  return task;
}

}  // namespace mct::cli::train
