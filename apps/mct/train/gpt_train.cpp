// The training loop of the GPT.
#include "apps/mct/train/gpt_train.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "apps/mct/process_memory.hpp"
#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_run.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace {

constexpr std::int64_t validations = 10;

using Ranks = std::shared_ptr<distributed::Communicator>;

void wait_for_all(const Ranks& ranks) {
  constexpr char here = 0;
  if (ranks) ranks->all_gather(std::span<const char>(&here, 1));
}

std::unique_ptr<GptRun> run_of(const Corpus& corpus, const StrategyArm& arm,
                               const GptOptions& options, const Ranks& ranks) {
  if (options.micro_batch == 0) return make_run(corpus, arm, options);
  return make_shared_run(corpus, arm, options, ranks);
}

/// Trains, and keeps the values for the result at every options.row_every steps and at the end.
GptResult train(GptRun& run, const GptOptions& options, const std::filesystem::path& directory,
                const std::function<double()>& seconds,
                const std::function<void(std::int64_t)>& progress) {
  GptResult result;
  result.parameters = run.parameters();
  if (!directory.empty() && run.load(directory)) result.rows = load_rows(directory, run.done());

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
      if (!directory.empty() && (due || last)) run.save(directory, result.rows, seconds());
    }
    progress(step);
  }
  if (!directory.empty()) run.save_weights(directory);
  result.skipped_steps = run.skipped_steps();
  result.bytes = run.bytes();
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
                    const std::function<void(std::int64_t)>& progress, const Ranks& ranks) {
  const auto start = std::chrono::steady_clock::now();
  if (options.micro_batch == 0 && (ranks || options.compressed_gradients))
    throw DomainError(
        "several ranks and compressed gradients need micro-batches of at least 1 sequence");
  if (options.micro_batch > 0 && options.release)
    throw DomainError("gradient release cannot be combined with micro-batches");
  const bool is_first = !ranks || ranks->rank() == 0;
  DirectoryLock lock;
  if (!directory.empty() && is_first)
    lock = open_run(directory, describe_run(corpus, arm, options), resume);
  wait_for_all(ranks);
  const double seconds_before = directory.empty() ? 0 : load_seconds(directory);
  const auto seconds = [&] {
    return seconds_before +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::int64_t bytes_before = process_bytes("VmRSS");
  const auto run = run_of(corpus, arm, options, ranks);
  GptResult result = train(*run, options, directory, seconds, progress);
  result.peak_bytes = std::max<std::int64_t>(process_bytes("VmHWM") - bytes_before, 0);
  result.seconds = seconds();
  if (!directory.empty() && is_first) save_seconds(directory, result.seconds);
  return result;
}

}  // namespace mct::cli::train
