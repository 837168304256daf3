// The training loop of the GPT.
#include "apps/mct/train/gpt_train.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "apps/mct/process_memory.hpp"
#include "apps/mct/train/gpt_files.hpp"
#include "mctensor/optim/schedule.hpp"

namespace mct::cli::train {

namespace {

constexpr double lowest_lr = 0.1;  // of the highest, at the end of the cosine
constexpr std::int64_t validations = 10;

/// A model of T being trained.
template <class T>
class GptRun {
 public:
  GptRun(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options)
      : corpus_(corpus),
        options_(options),
        model_(with_vocabulary(options.shape, corpus), nn::derive_seed(options.seed, 0)),
        optimizer_(model_.parameters(), arm.strategy, adamw_options(arm, options)),
        schedule_{optim::Decay::cosine, options.warmup, options.steps, lowest_lr} {
    if (options.release) optimizer_.set_gradient_release();
  }

  Gpt<T>& model() { return model_; }
  optim::McAdamW<bfloat16, T>& optimizer() { return optimizer_; }
  std::int64_t done() const { return optimizer_.steps() + optimizer_.skipped_steps(); }

  /// One step; its loss and what the optimizer says of it.
  std::pair<double, optim::StepReport> step() {
    const std::int64_t number = done() + 1;
    const auto data =
        training_batch(corpus_, options_.batch, options_.shape.context, options_.seed, number);
    optimizer_.options().lr = options_.lr * schedule_.factor(number);
    const auto loss = loss_of(data);
    loss.backward();
    const auto report = options_.release ? optimizer_.step() : optimizer_.step(options_.clip);
    optimizer_.zero_grad();
    return {double(loss.item()), report};
  }

  double validation_loss() {
    const NoGradGuard guard;
    double sum = 0;
    const std::int64_t count = options_.validation_sequences;
    for (std::int64_t first = 0; first < count; first += options_.batch) {
      const std::int64_t size = std::min(options_.batch, count - first);
      const auto data = validation_batch(corpus_, size, options_.shape.context, first, count);
      sum += double(loss_of(data).item()) * double(size);
    }
    return sum / double(count);
  }

 private:
  static GptShape with_vocabulary(GptShape shape, const Corpus& corpus) {
    shape.vocabulary = corpus.vocabulary;
    return shape;
  }
  static optim::AdamWOptions adamw_options(const StrategyArm& arm, const GptOptions& options) {
    optim::AdamWOptions adamw;
    adamw.beta2 = options.beta2;
    adamw.weight_decay = options.weight_decay;
    adamw.seed = options.seed;
    adamw.arithmetic = arm.arithmetic;
    adamw.metrics = true;
    return adamw;
  }
  Variable<float> loss_of(const Sequences& data) {
    const auto targets = Tensor<std::int64_t>::from_values(data.targets);
    const auto logits = model_.forward(data.inputs);
    if constexpr (std::is_same_v<T, float>) {
      return nn::cross_entropy(logits, targets);
    } else {
      return nn::cross_entropy(convert<float, 1>(logits), targets);
    }
  }

  const Corpus& corpus_;
  const GptOptions& options_;
  Gpt<T> model_;
  optim::McAdamW<bfloat16, T> optimizer_;
  optim::Schedule schedule_;
};

template <class T>
GptResult train(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options,
                const std::filesystem::path& directory, const std::function<double()>& seconds,
                const std::function<void(std::int64_t)>& progress) {
  const std::int64_t bytes_before = process_bytes("VmRSS");
  GptRun<T> run(corpus, arm, options);
  GptResult result;
  result.parameters = run.optimizer().parameters();
  if (!directory.empty() && load_checkpoint(directory, run.optimizer()))
    result.rows = load_rows(directory, run.done());

  GptRow row;
  std::int64_t counted = 0;
  const std::int64_t validate_every =
      options.row_every *
      std::max<std::int64_t>(1, options.steps / options.row_every / validations);
  while (run.done() < options.steps) {
    const auto [loss, report] = run.step();
    const std::int64_t step = run.done();
    ++counted;
    row.train_loss += loss;
    row.lost += report.lost_percentage();
    row.lost_v += report.lost_v_percentage();
    row.descent_quality += report.relative_descent_quality();
    const bool last = step == options.steps;
    if (step % options.row_every == 0 || last) {
      for (double* value : {&row.train_loss, &row.lost, &row.lost_v, &row.descent_quality})
        *value /= double(counted);
      row.step = step;
      if (step % validate_every == 0 || last) row.validation_loss = run.validation_loss();
      result.rows.push_back(std::exchange(row, {}));
      counted = 0;
      const bool due = step % (options.row_every * options.rows_per_checkpoint) == 0;
      if (!directory.empty() && (due || last))
        save_checkpoint(directory, result.rows, seconds(), run.optimizer());
    }
    progress(step);
  }
  if (!directory.empty()) save_weights(directory, run.model());
  result.skipped_steps = run.optimizer().skipped_steps();
  result.bytes = run.optimizer().bytes();
  result.peak_bytes = std::max<std::int64_t>(process_bytes("VmHWM") - bytes_before, 0);
  return result;
}

}  // namespace

double GptResult::validation_perplexity() const {
  return std::exp(rows.back().validation_loss.value_or(std::numeric_limits<double>::quiet_NaN()));
}
double GptResult::train_perplexity() const { return std::exp(rows.back().train_loss); }

GptRow GptResult::mean() const {
  GptRow mean;
  for (const auto& row : rows) {
    const double weight = double(row.step - mean.step) / double(rows.back().step);
    mean.step = row.step;
    mean.train_loss += weight * row.train_loss;
    mean.lost += weight * row.lost;
    mean.lost_v += weight * row.lost_v;
    mean.descent_quality += weight * row.descent_quality;
  }
  mean.validation_loss = rows.back().validation_loss;
  return mean;
}

GptResult train_gpt(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options,
                    const std::filesystem::path& directory, bool resume,
                    const std::function<void(std::int64_t)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  const auto description = describe_run(corpus, arm, options);
  if (!directory.empty()) open_run(directory, description, resume);
  const double seconds_before = directory.empty() ? 0 : load_seconds(directory);
  const auto seconds = [&] {
    return seconds_before +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  GptResult result = options.bfloat16_model
                         ? train<bfloat16>(corpus, arm, options, directory, seconds, progress)
                         : train<float>(corpus, arm, options, directory, seconds, progress);
  result.seconds = seconds();
  if (!directory.empty()) save_seconds(directory, result.seconds);
  return result;
}

}  // namespace mct::cli::train
