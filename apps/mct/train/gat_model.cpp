#include "apps/mct/train/gat_model.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "mctensor/nn/dropout.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/losses.hpp"
#include "mctensor/optim/adam.hpp"

namespace mct::cli::train {

namespace {

using Matrix = Variable<double>;
using Rule = attention::StreamingAttention<double>;

/// The features, where each element becomes 0 with probability `part`.
SparseMatrix dropped(SparseMatrix x, double part, std::uint64_t seed) {
  const auto draws = rand<double>({std::int64_t(x.values.size())}, seed);
  for (std::size_t i = 0; i < x.values.size(); ++i)
    x.values[i] = draws.data()[i] < part ? 0 : x.values[i] / (1 - part);
  return x;
}

/// x where it is above 0, else e^x - 1.
Matrix elu(const Matrix& x) { return relu(x) + expm1(-relu(-x)); }

class Gat {
 public:
  Gat(const GraphTask& task, const SparseMatrix& features, const NeighbourList& edges,
      const GatOptions& options)
      : options_(options),
        features_(divided_by_sums(features)),
        self_(normalized_adjacency({}, task.labels.numel())),
        first_rule_(options.comparison, options.heads, options.start),
        last_rule_(options.comparison, 1, options.start),
        dropout_(options.dropout, nn::derive_seed(options.seed, 3)) {
    const SparseMatrix near = normalized_adjacency(edges, task.labels.numel());
    seen_ = {Tensor<std::int64_t>::from_values(near.starts),
             Tensor<std::int64_t>::from_values(near.places)};
    const auto weights = [&](std::int64_t in, std::int64_t out, std::uint64_t part) {
      const Tensor<double> w({in, out});
      nn::init::xavier_uniform_(w, nn::derive_seed(options.seed, part));
      return Matrix(w, true);
    };
    const std::int64_t inner = options.heads * options.width;
    first_ = weights(features.columns, inner, 0);
    last_ = weights(inner, task.classes, 1);
    first_bias_ = Matrix(Tensor<double>({inner}), true);
    last_bias_ = Matrix(Tensor<double>({task.classes}), true);
  }

  std::vector<Matrix> parameters() const {
    std::vector<Matrix> all{first_, first_bias_, last_, last_bias_};
    for (const Rule* rule : {&first_rule_, &last_rule_})
      for (const auto& each : rule->parameters()) all.push_back(each);
    return all;
  }

  /// The scores (nodes, classes).
  Matrix scores(bool training) {
    dropout_.train(training);
    SparseMatrix seen = training ? dropped(features_, options_.dropout,
                                           nn::derive_seed(options_.seed, 100 + ++call_))
                                 : features_;
    input_ = std::make_unique<const Propagation>(self_, 0, std::move(seen));  // for gradients
    const Matrix inner =
        elu(attended(first_rule_, (*input_)(first_), options_.heads, 0, training) + first_bias_);
    return attended(last_rule_, matmul(dropout_(inner), last_), 1, 1, training) + last_bias_;
  }

 private:
  /// The sum of the neighbours' rows of x (nodes, heads times width), weighted by the comparison.
  /// The layer, 0 or 1, has its own random numbers.
  Matrix attended(Rule& rule, const Matrix& x, std::int64_t heads, std::uint64_t layer,
                  bool training) {
    const std::int64_t nodes = x.size(0);
    const auto h = x.reshape({nodes, heads, x.size(1) / heads}).transpose(0, 1);
    attention::Mask<double> mask;
    mask.seen = seen_;
    if (training) mask.dropout = options_.dropout;
    mask.seed = nn::derive_seed(options_.seed, 2);
    mask.call = 2 * call_ + layer;
    const auto v = training ? dropout_(h) : h;
    return rule.attend(h, h, v, mask).transpose(0, 1).reshape({nodes, x.size(1)});
  }

  GatOptions options_;
  SparseMatrix features_, self_;
  Rule first_rule_, last_rule_;
  nn::Dropout<double> dropout_;
  attention::Neighbourhood seen_;
  Matrix first_, last_, first_bias_, last_bias_;
  std::unique_ptr<const Propagation> input_;
  std::uint64_t call_ = 0;
};

}  // namespace

Accuracy train_gat(const GraphTask& task, const SparseMatrix& features, const NeighbourList& edges,
                   const GatOptions& options) {
  Gat model(task, features, edges, options);
  optim::Adam<double> adam(model.parameters(),
                           {.lr = options.lr, .weight_decay = options.weight_decay});
  const auto loss_of = [&](const Matrix& scores, const Tensor<std::int64_t>& nodes) {
    return nn::cross_entropy(index_select(scores, 0, nodes), index_select(task.labels, 0, nodes));
  };
  double least_loss = std::numeric_limits<double>::infinity();
  double best_accuracy = 0;
  Accuracy result;
  int waited = 0;
  for (int epoch = 0; epoch < options.epochs && waited < options.patience; ++epoch) {
    loss_of(model.scores(true), task.train).backward();
    adam.step();
    adam.zero_grad();
    const NoGradGuard guard;
    const Matrix scores = model.scores(false);
    const double loss = loss_of(scores, task.validation).value().item();
    const double right = accuracy(scores.value(), task.labels, task.validation);
    ++waited;
    const bool as_right = right >= best_accuracy;
    const bool as_low = loss <= least_loss;  // false if the loss is NaN
    if (!as_right && !as_low) continue;
    if (as_right && as_low) result = {right, accuracy(scores.value(), task.labels, task.test)};
    best_accuracy = std::max(best_accuracy, right);
    least_loss = std::min(least_loss, loss);
    waited = 0;
  }
  return result;
}

std::int64_t parameters_of_gat(const GraphTask& task, const SparseMatrix& features,
                               const GatOptions& options) {
  std::int64_t count = 0;
  for (const Matrix& each : Gat(task, features, {}, options).parameters()) count += each.numel();
  return count;
}

}  // namespace mct::cli::train
