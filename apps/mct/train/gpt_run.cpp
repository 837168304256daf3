// A GPT trained with whole batches in one process.
#include "apps/mct/train/gpt_run.hpp"

#include <algorithm>

#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_parts.hpp"

namespace mct::cli::train {

namespace {

template <class T>
class WholeRun final : public ModelRun<T, optim::McAdamW<bfloat16, T>> {
  using Base = ModelRun<T, optim::McAdamW<bfloat16, T>>;
  using Base::model_, Base::optimizer_, Base::options_;

 public:
  WholeRun(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options)
      : Base(corpus, arm, options) {
    if (options.release) optimizer_.set_gradient_release();
  }

  std::pair<double, optim::StepReport> step() override {
    const auto data = this->next_batch();
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
      const auto data = validation_batch(this->corpus_, size, options_.shape.context, first, count);
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
};

}  // namespace

std::unique_ptr<GptRun> make_run(const Corpus& corpus, const StrategyArm& arm,
                                 const GptOptions& options) {
  if (options.bfloat16_model) return std::make_unique<WholeRun<bfloat16>>(corpus, arm, options);
  return std::make_unique<WholeRun<float>>(corpus, arm, options);
}

}  // namespace mct::cli::train
