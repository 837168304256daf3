#include "apps/mct/train/hyla_model.hpp"

#include <cmath>
#include <memory>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/attention/hyla.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/losses.hpp"
#include "mctensor/optim/adam.hpp"

namespace mct::cli::train {

namespace {

using geometry::ManifoldRows;
using geometry::PoincareBall;
using Matrix = Variable<double>;

/// What stands between the inputs and the weights, and how it learns.
class Features {
 public:
  Features(const FeatureOptions& options, std::int64_t rows)
      : options_(options),
        points_((rand<double>({rows, options.dimensions}, nn::derive_seed(options.seed, 0)) - 0.5) *
                    2e-5,
                true),
        waves_(options.kind == FeatureKind::fourier
                   ? attention::fourier_waves<double>(options.waves, options.dimensions,
                                                      options.deviation, options.seed)
                   : attention::random_waves<double>(options.waves, options.dimensions,
                                                     options.deviation, options.seed)) {
    if (options.kind == FeatureKind::hyla)
      descent_ = std::make_unique<geometry::Rsgd<ManifoldRows<PoincareBall<double>>>>(
          ManifoldRows{ball_}, points_, geometry::RsgdOptions{.lr = options.point_lr});
  }
  /// (rows, waves).
  Matrix values() const {
    const double scale = std::sqrt(double(options_.waves));
    if (options_.kind == FeatureKind::hyla)
      return attention::hyla_features(ball_, points_, waves_) * scale;
    return attention::fourier_features(points_, waves_) * scale;
  }
  void step() {
    if (descent_) {
      descent_->step();
    } else {
      sub_(points_.value(), points_.grad() * options_.point_lr);
    }
    points_.zero_grad();
  }

 private:
  FeatureOptions options_;
  PoincareBall<double> ball_{1};
  Matrix points_;
  attention::Waves<double> waves_;
  std::unique_ptr<geometry::Rsgd<ManifoldRows<PoincareBall<double>>>> descent_;
};

/// The share of nodes, in per cent, whose largest score is their label's.
double accuracy(const Tensor<double>& scores, const Tensor<std::int64_t>& labels,
                const Tensor<std::int64_t>& nodes) {
  const auto chosen = argmax(scores, 1);
  std::int64_t right = 0;
  for (const std::int64_t v : nodes.values()) right += chosen.data()[v] == labels.data()[v] ? 1 : 0;
  return 100 * double(right) / double(nodes.numel());
}

}  // namespace

Accuracy train_features(const GraphTask& task, const FeatureOptions& options) {
  const Matrix inputs(task.inputs);
  const std::int64_t rows = task.inputs.size(1);
  std::unique_ptr<Features> features;
  if (options.kind != FeatureKind::plain) features = std::make_unique<Features>(options, rows);
  Tensor<double> start({features ? options.waves : rows, task.classes});
  nn::init::xavier_uniform_(start, nn::derive_seed(options.seed, 1));
  const Matrix weights(start, true);
  optim::Adam<double> adam({weights},
                           {.lr = options.weight_lr, .weight_decay = options.weight_decay});
  const auto labels = index_select(task.labels, 0, task.train);
  Accuracy best{-1, 0};
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const auto scores = matmul(features ? matmul(inputs, features->values()) : inputs, weights);
    const double validation = accuracy(scores.value(), task.labels, task.validation);
    if (validation >= best.validation)
      best = {validation, accuracy(scores.value(), task.labels, task.test)};
    nn::cross_entropy(index_select(scores, 0, task.train), labels).backward();
    adam.step();
    adam.zero_grad();
    if (features) features->step();
  }
  return best;
}

namespace {

/// A stream of random numbers that no other part of these experiments draws from.
constexpr std::uint64_t split_stream = 99;

Tensor<std::int64_t> part_of(const std::vector<std::int64_t>& nodes, std::size_t from,
                             std::size_t to) {
  return Tensor<std::int64_t>::from_values(std::vector<std::int64_t>(
      nodes.begin() + std::ptrdiff_t(from), nodes.begin() + std::ptrdiff_t(to)));
}

}  // namespace

void split_nodes(GraphTask& task, std::uint64_t seed) {
  const auto order = permutation(task.labels.numel(), seed, split_stream);
  const std::size_t count = order.size();
  task.train = part_of(order, 0, count * 3 / 10);
  task.validation = part_of(order, count * 3 / 10, count * 4 / 10);
  task.test = part_of(order, count * 4 / 10, count);
}

void split_citations(GraphTask& task, std::uint64_t seed) {
  constexpr std::int64_t of_each_class = 20;
  constexpr std::size_t validation_nodes = 500;
  constexpr std::size_t test_nodes = 1000;
  std::vector<std::int64_t> taken(std::size_t(task.classes), 0);
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> rest;
  for (const std::int64_t v : permutation(task.labels.numel(), seed, split_stream)) {
    std::int64_t& count = taken[std::size_t(task.labels.data()[v])];
    (count++ < of_each_class ? train : rest).push_back(v);
  }
  const bool enough = rest.size() >= validation_nodes + test_nodes;
  const std::size_t validation = enough ? validation_nodes : rest.size() / 3;
  if (validation == 0)
    throw DomainError(std::to_string(task.labels.numel()) + " nodes of " +
                      std::to_string(task.classes) +
                      " classes: none are left for validation beside 20 of each for training");
  task.train = part_of(train, 0, train.size());
  task.validation = part_of(rest, 0, validation);
  task.test = part_of(rest, validation, enough ? validation + test_nodes : rest.size());
}

}  // namespace mct::cli::train
