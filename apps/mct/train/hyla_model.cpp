#include "apps/mct/train/hyla_model.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/attention/hyla.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/linear.hpp"
#include "mctensor/nn/losses.hpp"
#include "mctensor/optim/adam.hpp"

namespace mct::cli::train {

namespace {

using geometry::ManifoldRows;
using geometry::PoincareBall;
using Matrix = Variable<double>;

/// The learned features, which lie between the inputs and the weights.
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
  /// The features (rows, waves).
  Matrix values() const {
    const auto waves = double(options_.waves);
    if (options_.kind == FeatureKind::hyla)
      return attention::hyla_features(ball_, points_, waves_) * std::sqrt(waves);
    return attention::fourier_features(points_, waves_) *
           std::sqrt(2 * waves / double(options_.dimensions));
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

}  // namespace

double accuracy(const Tensor<double>& scores, const Tensor<std::int64_t>& labels,
                const Tensor<std::int64_t>& nodes) {
  const auto chosen = argmax(scores, 1);
  std::int64_t right = 0;
  for (const std::int64_t v : nodes.values()) right += chosen.data()[v] == labels.data()[v] ? 1 : 0;
  return 100 * double(right) / double(nodes.numel());
}

Accuracy train_features(const GraphTask& task, const FeatureOptions& options) {
  const Propagation& inputs = *task.inputs;
  std::unique_ptr<Features> features;
  if (options.kind != FeatureKind::plain)
    features = std::make_unique<Features>(options, inputs.columns());
  const nn::Linear<double> classifier(features ? options.waves : inputs.columns(), task.classes,
                                      nn::derive_seed(options.seed, 1));
  optim::Adam<double> adam(classifier.parameters(),
                           {.lr = options.weight_lr, .weight_decay = options.weight_decay});
  const auto labels = index_select(task.labels, 0, task.train);
  Accuracy best{-1, 0};
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const auto weights = classifier.weight().t();
    const auto scores =
        inputs(features ? matmul(features->values(), weights) : weights) + classifier.bias();
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

/// A stream of random numbers that only the splits use.
constexpr std::uint64_t split_stream = 99;

Tensor<std::int64_t> part_of(const std::vector<std::int64_t>& nodes, std::size_t from,
                             std::size_t to) {
  return Tensor<std::int64_t>::from_values(std::vector<std::int64_t>(
      nodes.begin() + std::ptrdiff_t(from), nodes.begin() + std::ptrdiff_t(to)));
}

}  // namespace

void split_nodes(GraphTask& task, double validation, double test, std::uint64_t seed) {
  std::vector<std::vector<std::int64_t>> groups(task.classes == 2 ? 2 : 1);
  for (const std::int64_t v : permutation(task.labels.numel(), seed, split_stream))
    groups[task.classes == 2 ? std::size_t(task.labels.data()[v]) : 0].push_back(v);
  std::size_t smallest = groups[0].size();
  for (const auto& group : groups) smallest = std::min(smallest, group.size());
  const auto share = [&](double part) {
    return std::size_t(std::llround(part * double(smallest)));
  };
  std::vector<std::int64_t> parts[3];  // validation, test, train
  for (const auto& group : groups)
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::size_t behind = share(validation) + share(test);
      parts[i < share(validation) ? 0 : i < behind ? 1 : 2].push_back(group[i]);
    }
  for (const auto& part : parts)
    if (part.empty())
      throw DomainError(std::to_string(task.labels.numel()) + " nodes are too few for three parts");
  task.validation = part_of(parts[0], 0, parts[0].size());
  task.test = part_of(parts[1], 0, parts[1].size());
  task.train = part_of(parts[2], 0, parts[2].size());
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

GraphTask task_of(const NodeGraph& graph, std::uint64_t seed) {
  GraphTask task{nullptr, graph.labels, graph.train, graph.validation, graph.test, graph.classes};
  if (task.train.numel() > 0) return task;
  if (graph.drawn.test == 0) {
    split_citations(task, seed);
  } else {
    split_nodes(task, graph.drawn.validation, graph.drawn.test, seed);
  }
  return task;
}

}  // namespace mct::cli::train
