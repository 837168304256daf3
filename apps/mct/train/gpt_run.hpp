// A GPT being trained: its model, its optimizer, the work of one step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "apps/mct/train/gpt_train.hpp"
#include "mctensor/distributed/communicator.hpp"

namespace mct::cli::train {

class GptRun {
 public:
  GptRun() = default;
  GptRun(const GptRun&) = delete;
  GptRun& operator=(const GptRun&) = delete;
  virtual ~GptRun() = default;

  virtual std::int64_t parameters() const = 0;
  virtual std::int64_t done() const = 0;  ///< steps, those that were skipped included
  virtual std::int64_t skipped_steps() const = 0;
  virtual optim::ParameterBytes bytes() const = 0;
  /// One step; its loss and what the optimizer says of it.
  virtual std::pair<double, optim::StepReport> step() = 0;
  virtual double validation_loss() = 0;

  /// As the functions of the same names in gpt_files.hpp.
  virtual void save(const std::filesystem::path& directory, const std::vector<GptRow>& rows,
                    double seconds) = 0;
  virtual bool load(const std::filesystem::path& directory) = 0;
  virtual void save_weights(const std::filesystem::path& directory) const = 0;
};

/// The whole batch at once, in one process.
std::unique_ptr<GptRun> make_run(const Corpus& corpus, const StrategyArm& arm,
                                 const GptOptions& options);

/// The batch in parts of options.micro_batch sequences, shared out among the ranks, or all of them
/// here if there are none; rank 0 alone writes files. Every number is the same for any number of
/// ranks, but with options.compressed_gradients. Collective, as are all members but parameters(),
/// done(), skipped_steps() and bytes().
std::unique_ptr<GptRun> make_shared_run(const Corpus& corpus, const StrategyArm& arm,
                                        const GptOptions& options,
                                        std::shared_ptr<distributed::Communicator> ranks);

}  // namespace mct::cli::train
