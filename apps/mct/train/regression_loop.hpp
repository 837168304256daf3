// Training a perceptron with T components, N for each weight and A for each activation.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "apps/mct/train/counter_random.hpp"
#include "apps/mct/train/regression.hpp"
#include "mctensor/nn/all.hpp"
#include "mctensor/optim/all.hpp"

namespace mct::cli::train {

/// A perceptron whose initial weights are the same numbers for every T and N.
template <class T, int N, int A>
std::shared_ptr<nn::Sequential<T, N, A>> make_perceptron(const Task& task) {
  auto model = std::make_shared<nn::Sequential<T, N, A>>();
  for (std::size_t i = 0; i + 1 < task.layers.size(); ++i) {
    if (i > 0) model->template emplace<nn::ReLU>();
    model->template emplace<nn::Linear>(task.layers[i], task.layers[i + 1],
                                        nn::derive_seed(task.seed, 100 + i), task.bias);
  }
  // numbers of 8 bits that depend on the seed, the parameter and the position alone
  std::uint64_t stream = 200;
  for (const auto& p : model->parameters()) {
    const double bound = 1 / std::sqrt(double(p.dim() == 2 ? p.size(1) : p.size(0)));
    const auto values = rand<double>(p.shape(), nn::derive_seed(task.seed, stream++));
    p.value().copy_(convert<T, N>(short_numbers(values * (2 * bound) - bound)));
  }
  return model;
}

/// The loss of outputs (n, k), in double.
inline double loss_of(Loss kind, const Tensor<double>& outputs, const Tensor<double>& targets) {
  const std::int64_t rows = outputs.size(0);
  const std::int64_t columns = outputs.size(1);
  double sum = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* const z = outputs.data() + i * columns;
    const double y = targets.data()[i];
    if (kind == Loss::squared) {
      sum += (z[0] - y) * (z[0] - y);
    } else if (kind == Loss::binary) {
      sum += std::max(z[0], 0.0) - z[0] * y + std::log1p(std::exp(-std::abs(z[0])));
    } else {
      const double top = *std::max_element(z, z + columns);
      double powers = 0;
      for (std::int64_t j = 0; j < columns; ++j) powers += std::exp(z[j] - top);
      sum += top + std::log(powers) - z[std::int64_t(y)];
    }
  }
  return sum / double(rows);
}

/// Per cent of outputs that name the right class.
inline double accuracy_of(Loss kind, const Tensor<double>& outputs, const Tensor<double>& targets) {
  if (kind == Loss::squared) return std::numeric_limits<double>::quiet_NaN();
  const std::int64_t columns = outputs.size(1);
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < outputs.size(0); ++i) {
    const double* const z = outputs.data() + i * columns;
    const auto answer =
        kind == Loss::binary ? std::int64_t(z[0] > 0) : std::max_element(z, z + columns) - z;
    right += answer == std::int64_t(targets.data()[i]) ? 1 : 0;
  }
  return 100 * double(right) / double(outputs.size(0));
}

/// A task being trained in one arithmetic.
template <class T, int N, int A>
class Trainer {
 public:
  explicit Trainer(const Task& task)
      : task_(task),
        scale_(std::is_same_v<T, half> ? task.half_loss_scale : 1),
        model_(make_perceptron<T, N, A>(task)),
        x_(convert<T, 1>(task.data.train.features)),
        y_(convert<T, A>(task.data.train.targets)) {
    if (task.optimizer == Optimizer::sgd) {
      optim::SgdOptions options;
      options.lr = task.lr / scale_;
      options.momentum = task.momentum;
      optimizer_ = std::make_unique<optim::Sgd<T, N>>(model_->parameters(), options);
    } else {
      optim::AdamOptions options;
      options.lr = task.lr;
      options.eps = 1e-4;  // half has hardly any smaller numbers
      optimizer_ = std::make_unique<optim::Adam<T, N>>(model_->parameters(), options);
    }
  }

  void epoch(std::int64_t number) {
    const std::int64_t rows = x_.size(0);
    if (task_.batch == 0) return step(x_, y_, task_.data.train.targets);
    const auto order = permutation(rows, task_.seed, 1000 + std::uint64_t(number));
    for (std::int64_t from = 0; from < rows; from += task_.batch) {
      const auto to = std::min(rows, from + task_.batch);
      const auto index =
          Tensor<std::int64_t>::from_values({order.begin() + from, order.begin() + to});
      step(index_select(x_, 0, index), index_select(y_, 0, index),
           index_select(task_.data.train.targets, 0, index));
    }
  }

  Tensor<double> outputs(const Dataset& data) const {
    const NoGradGuard guard;
    return convert<double, 1>(model_->forward(activation(convert<T, 1>(data.features))).value());
  }

 private:
  static Variable<T, A> activation(const Tensor<T>& x) {
    return Variable<T, A>(tensor_detail::widen<T, A>(x));
  }

  Variable<T, A> loss(const Variable<T, A>& out, const Tensor<T, A>& y,
                      const Tensor<double>& targets) const {
    if (task_.loss == Loss::squared) return nn::mse_loss(out.squeeze(1), y);
    if (task_.loss == Loss::binary)
      return nn::binary_cross_entropy_with_logits(out.squeeze(1), y.fc().contiguous());
    std::vector<std::int64_t> labels;
    for (const double label : targets.values()) labels.push_back(std::int64_t(label));
    return nn::cross_entropy(out, Tensor<std::int64_t>::from_values(labels));
  }

  void step(const Tensor<T>& x, const Tensor<T, A>& y, const Tensor<double>& targets) {
    const auto value = loss(model_->forward(activation(x)), y, targets);
    value.backward(full<T, 1>(value.shape(), T(scale_)));
    optimizer_->step();
    optimizer_->zero_grad();
  }

  const Task& task_;
  double scale_;
  std::shared_ptr<nn::Sequential<T, N, A>> model_;
  std::unique_ptr<optim::Optimizer<T, N>> optimizer_;
  Tensor<T> x_;
  Tensor<T, A> y_;
};

/// Trains and measures; `progress` gets the number of epochs done.
template <class T, int N, int A>
RegressionResult run_arm(const Task& task, const std::function<void(std::int64_t)>& progress) {
  constexpr std::int64_t curve_points = 100;
  const auto start = std::chrono::steady_clock::now();
  Trainer<T, N, A> trainer(task);
  const Dataset& train = task.data.train;
  const auto interval = std::max<std::int64_t>(1, task.epochs / curve_points);
  RegressionResult result;
  const auto measure = [&](std::int64_t epoch) {
    result.train_loss = loss_of(task.loss, trainer.outputs(train), train.targets);
    result.curve.push_back({epoch, result.train_loss});
  };
  measure(0);
  for (std::int64_t epoch = 1; epoch <= task.epochs; ++epoch) {
    trainer.epoch(epoch);
    if (epoch % interval == 0 || epoch == task.epochs) measure(epoch);
    progress(epoch);
  }
  const Dataset& test = task.data.test;
  result.test_accuracy = accuracy_of(task.loss, trainer.outputs(test), test.targets);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

#define MCT_REGRESSION_ARM(T, N, A) \
  template RegressionResult run_arm<T, N, A>(const Task&, const std::function<void(std::int64_t)>&);

}  // namespace mct::cli::train
