// A GPT trained with whole batches in one process.
#include "apps/mct/train/gpt_run.hpp"

#include <algorithm>

#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_parts.hpp"

namespace mct::cli::train {

namespace {

template <class T>
class WholeRun final : public GptRun {
 public:
  WholeRun(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options)
      : corpus_(corpus),
        options_(options),
        model_(with_vocabulary(options.shape, corpus), nn::derive_seed(options.seed, 0)),
        optimizer_(model_.parameters(), arm.strategy, adamw_options(arm, options)),
        schedule_(schedule_of(options)) {
    if (options.release) optimizer_.set_gradient_release();
  }

  std::int64_t parameters() const override { return optimizer_.parameters(); }
  std::int64_t done() const override { return optimizer_.steps() + optimizer_.skipped_steps(); }
  std::int64_t skipped_steps() const override { return optimizer_.skipped_steps(); }
  optim::ParameterBytes bytes() const override { return optimizer_.bytes(); }

  std::pair<double, optim::StepReport> step() override {
    const std::int64_t number = done() + 1;
    const auto data =
        training_batch(corpus_, options_.batch, options_.shape.context, options_.seed, number);
    optimizer_.options().lr = options_.lr * schedule_.factor(number);
    const auto loss = loss_of(model_, data);
    loss.backward();
    const auto report = options_.release ? optimizer_.step() : optimizer_.step(options_.clip);
    optimizer_.zero_grad();
    return {double(loss.item()), report};
  }

  double validation_loss() override {
    const NoGradGuard guard;
    double sum = 0;
    const std::int64_t count = options_.validation_sequences;
    for (std::int64_t first = 0; first < count; first += options_.batch) {
      const std::int64_t size = std::min(options_.batch, count - first);
      const auto data = validation_batch(corpus_, size, options_.shape.context, first, count);
      sum += double(loss_of(model_, data).item()) * double(size);
    }
    return sum / double(count);
  }

  void save(const std::filesystem::path& directory, const std::vector<GptRow>& rows,
            double seconds) override {
    save_checkpoint(directory, rows, seconds, optimizer_);
  }
  bool load(const std::filesystem::path& directory) override {
    return load_checkpoint(directory, optimizer_);
  }
  void save_weights(const std::filesystem::path& directory) const override {
    train::save_weights(directory, model_);
  }

 private:
  const Corpus& corpus_;
  const GptOptions& options_;
  Gpt<T> model_;
  optim::McAdamW<bfloat16, T> optimizer_;
  optim::Schedule schedule_;
};

}  // namespace

std::unique_ptr<GptRun> make_run(const Corpus& corpus, const StrategyArm& arm,
                                 const GptOptions& options) {
  if (options.bfloat16_model) return std::make_unique<WholeRun<bfloat16>>(corpus, arm, options);
  return std::make_unique<WholeRun<float>>(corpus, arm, options);
}

}  // namespace mct::cli::train
