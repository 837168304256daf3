// The Markov source, its student, and the training.
#include "apps/mct/train/markov.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/optim/schedule.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::cli::train {

namespace {

// streams of a run's random numbers
constexpr std::uint64_t teacher_part = 1;
constexpr std::uint64_t student_part = 2;
constexpr std::uint64_t context_stream = 3;
constexpr std::uint64_t label_stream = 4;

/// Logits (rows, columns) to probabilities.
std::vector<double> softmax_of(const double* logits, std::int64_t rows, std::int64_t columns) {
  std::vector<double> p(std::size_t(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* const z = logits + i * columns;
    double* const q = p.data() + i * columns;
    const double top = *std::max_element(z, z + columns);
    for (std::int64_t j = 0; j < columns; ++j) q[j] = std::exp(z[j] - top);
    const double sum = std::accumulate(q, q + columns, 0.0);
    for (std::int64_t j = 0; j < columns; ++j) q[j] /= sum;
  }
  return p;
}

std::vector<std::int64_t> all_contexts() {
  std::vector<std::int64_t> contexts(MarkovTeacher::contexts);
  std::iota(contexts.begin(), contexts.end(), 0);
  return contexts;
}

}  // namespace

MarkovTeacher::MarkovTeacher(std::uint64_t seed, std::int64_t width, double spread) {
  const auto part = nn::derive_seed(seed, teacher_part);
  // a table for each of the two symbols, so that their order matters
  const auto first = randn<double>({symbols, width}, nn::derive_seed(part, 0));
  const auto second = randn<double>({symbols, width}, nn::derive_seed(part, 1));
  const auto out = randn<double>({width, symbols}, nn::derive_seed(part, 2));
  std::vector<double> logits(contexts * symbols, 0.0);
  for (std::int64_t c = 0; c < contexts; ++c)
    for (std::int64_t k = 0; k < width; ++k) {
      const double h =
          std::tanh(first.data()[c / symbols * width + k] + second.data()[c % symbols * width + k]);
      for (std::int64_t s = 0; s < symbols; ++s)
        logits[std::size_t(c * symbols + s)] += h * out.data()[k * symbols + s];
    }
  const double squares = std::inner_product(logits.begin(), logits.end(), logits.begin(), 0.0);
  const double scale = spread / std::sqrt(squares / double(logits.size()));
  for (double& z : logits) z *= scale;
  probabilities_ = softmax_of(logits.data(), contexts, symbols);
}

double MarkovTeacher::divergence(const std::vector<double>& q) const {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities_.size(); ++i)
    sum += probabilities_[i] * std::log(probabilities_[i] / q[i]);
  return sum / double(contexts);
}

std::int64_t MarkovTeacher::sample(std::int64_t context, double u) const {
  const double* const p = probabilities_.data() + context * symbols;
  double sum = 0;
  for (std::int64_t s = 0; s + 1 < symbols; ++s) {
    sum += p[s];
    if (u < sum) return s;
  }
  return symbols - 1;
}

MarkovStudent::MarkovStudent(std::uint64_t seed) {
  const auto part = nn::derive_seed(seed, student_part);
  constexpr std::int64_t symbols = MarkovTeacher::symbols;
  embedding_ = register_module(
      "embedding", std::make_shared<nn::Embedding<float>>(symbols, 16, nn::derive_seed(part, 0)));
  norm_ = register_module("norm", std::make_shared<nn::LayerNorm<float>>(Shape{32}));
  hidden_ = register_module("hidden",
                            std::make_shared<nn::Linear<float>>(32, 64, nn::derive_seed(part, 1)));
  out_ = register_module(
      "out", std::make_shared<nn::Linear<float>>(64, symbols, nn::derive_seed(part, 2)));
}

Variable<float> MarkovStudent::forward(const std::vector<std::int64_t>& contexts) {
  const auto count = std::int64_t(contexts.size());
  auto pairs = Tensor<std::int64_t>::uninitialized({count, 2});
  for (std::int64_t i = 0; i < count; ++i) {
    pairs.data()[2 * i] = contexts[std::size_t(i)] / MarkovTeacher::symbols;
    pairs.data()[2 * i + 1] = contexts[std::size_t(i)] % MarkovTeacher::symbols;
  }
  const auto inputs = norm_->forward(embedding_->forward(pairs).reshape({count, 32}));
  return out_->forward(gelu(hidden_->forward(inputs)));
}

std::vector<double> MarkovStudent::probabilities() {
  const NoGradGuard guard;
  const auto logits = convert<double, 1>(forward(all_contexts()).value());
  return softmax_of(logits.data(), MarkovTeacher::contexts, MarkovTeacher::symbols);
}

MarkovResult train_markov(const StrategyArm& arm, const MarkovOptions& options,
                          const std::function<void(std::int64_t)>& progress) {
  const MarkovTeacher teacher(options.seed);
  MarkovStudent student(options.seed);
  optim::AdamWOptions adamw;
  adamw.beta2 = options.beta2;
  adamw.weight_decay = 0;
  adamw.seed = options.seed;
  adamw.arithmetic = arm.arithmetic;
  adamw.metrics = true;
  optim::McAdamW<bfloat16> optimizer(student.parameters(), arm.strategy, adamw);
  const optim::Schedule schedule{optim::Decay::cosine, options.warmup, options.steps, 0};

  MarkovResult result;
  std::vector<std::int64_t> contexts(static_cast<std::size_t>(options.batch));
  std::vector<std::int64_t> labels(contexts.size());
  for (std::int64_t step = 1; step <= options.steps; ++step) {
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      const auto index = std::uint64_t(step) * contexts.size() + i;
      contexts[i] = below(MarkovTeacher::contexts, options.seed, context_stream, index);
      labels[i] = teacher.sample(contexts[i], uniform(options.seed, label_stream, index));
    }
    nn::cross_entropy(student.forward(contexts), Tensor<std::int64_t>::from_values(labels))
        .backward();
    optimizer.options().lr = options.lr * schedule.factor(step);
    const optim::StepReport report = optimizer.step();
    optimizer.zero_grad();
    result.lost += report.lost_percentage() / double(options.steps);
    result.lost_v += report.lost_v_percentage() / double(options.steps);
    result.descent_quality += report.relative_descent_quality() / double(options.steps);
    progress(step);
  }
  result.divergence = teacher.divergence(student.probabilities());
  return result;
}

}  // namespace mct::cli::train
