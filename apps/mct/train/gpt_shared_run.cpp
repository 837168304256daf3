// A GPT trained by parts of batches on any number of ranks.
#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_parts.hpp"
#include "apps/mct/train/gpt_run.hpp"
#include "mctensor/distributed/shards.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/sharded_adamw.hpp"

namespace mct::cli::train {

namespace {

using distributed::Communicator;
using distributed::Span;

/// Sequences part.begin ... part.end - 1 of all.
Sequences part_of(const Sequences& all, std::int64_t context, const Span& part) {
  const auto slice = [&](const std::vector<std::int64_t>& from) {
    return std::vector<std::int64_t>(from.begin() + part.begin * context,
                                     from.begin() + part.end * context);
  };
  return {slice(all.inputs), slice(all.targets)};
}

template <class T>
class SharedRun final : public ModelRun<T, optim::ShardedMcAdamW<bfloat16, T>> {
  using Base = ModelRun<T, optim::ShardedMcAdamW<bfloat16, T>>;
  using Base::model_, Base::optimizer_, Base::options_;

 public:
  SharedRun(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options,
            std::shared_ptr<Communicator> ranks)
      : Base(corpus, arm, options, ranks,
             options.compressed_gradients ? optim::GradientExchange::bf16x2
                                          : optim::GradientExchange::exact),
        ranks_(std::move(ranks)) {
    optimizer_.options().grad_scale = 1 / double(options.batch);
  }

  /// The gradient of a part is that of the sum of its sequences' losses.
  std::pair<double, optim::StepReport> step() override {
    const auto data = this->next_batch();
    const double loss = sum_of_parts(options_.batch, options_.micro_batch, [&](const Span& part) {
      const auto mean = loss_of(model_, part_of(data, options_.shape.context, part));
      (part.size() == 1 ? mean : mean * float(part.size())).backward();
      optimizer_.accumulate();
      return double(mean.item()) * double(part.size());
    });
    return {loss / double(options_.batch), optimizer_.step(options_.clip)};
  }

  double validation_loss() override {
    const NoGradGuard guard;
    const std::int64_t count = options_.validation_sequences;
    const double sum = sum_of_parts(count, options_.batch, [&](const Span& part) {
      const auto data =
          validation_batch(this->corpus_, part.size(), options_.shape.context, part.begin, count);
      return double(loss_of(model_, data).item()) * double(part.size());
    });
    return sum / double(count);
  }

  void save(const std::filesystem::path& directory, const std::vector<GptRow>& rows,
            double seconds) override {
    if (is_first()) save_rows(directory, rows, seconds);
    optimizer_.save(checkpoint_file(directory));
  }
  bool load(const std::filesystem::path& directory) override {
    const auto file = checkpoint_file(directory);
    const bool is_there = std::filesystem::exists(file);
    if (ranks_) check_alike(is_there, file.string());
    if (is_there) optimizer_.load(file);
    return is_there;
  }
  void save_weights(const std::filesystem::path& directory) const override {
    if (is_first()) train::save_weights(directory, model_);
  }

 private:
  bool is_first() const { return !ranks_ || ranks_->rank() == 0; }

  /// The sum of work(part) over parts of `size` of `count` sequences, in the order of the parts,
  /// whichever rank computes a part.
  template <class Work>
  double sum_of_parts(std::int64_t count, std::int64_t size, const Work& work) {
    const std::int64_t parts = (count + size - 1) / size;
    const Span own =
        ranks_ ? distributed::shard_of(parts, ranks_->rank(), ranks_->size(), 1) : Span{0, parts};
    std::vector<double> results;
    for (std::int64_t i = own.begin; i < own.end; ++i)
      results.push_back(work({i * size, std::min(count, (i + 1) * size)}));
    if (ranks_) results = ranks_->all_gather(std::span<const double>(results)).values;
    return std::accumulate(results.begin(), results.end(), 0.0);
  }

  void check_alike(bool is_there, const std::string& file) {
    const char own = is_there ? 1 : 0;
    const auto all = ranks_->all_gather(std::span<const char>(&own, 1)).values;
    for (std::size_t r = 1; r < all.size(); ++r)
      if (all[r] != all[0])
        throw IoError("'" + file + "' is there for rank " + std::to_string(all[r] == 1 ? r : 0) +
                      " and not for rank " + std::to_string(all[r] == 1 ? 0 : r) +
                      ": all ranks must see one directory");
  }

  std::shared_ptr<Communicator> ranks_;
};

}  // namespace

std::unique_ptr<GptRun> make_shared_run(const Corpus& corpus, const StrategyArm& arm,
                                        const GptOptions& options,
                                        std::shared_ptr<Communicator> ranks) {
  if (options.bfloat16_model)
    return std::make_unique<SharedRun<bfloat16>>(corpus, arm, options, std::move(ranks));
  return std::make_unique<SharedRun<float>>(corpus, arm, options, std::move(ranks));
}

}  // namespace mct::cli::train
