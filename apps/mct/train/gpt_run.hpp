// A GPT in training: its model, its optimizer, the work of one step.
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
  virtual std::int64_t done() const = 0;  ///< steps, including skipped ones
  virtual std::int64_t skipped_steps() const = 0;
  virtual optim::ParameterBytes bytes() const = 0;
  /// One step; returns its loss and the optimizer's report.
  virtual std::pair<double, optim::StepReport> step() = 0;
  virtual double validation_loss() = 0;

  /// As the functions of the same names in gpt_files.hpp.
  virtual void save(const std::filesystem::path& directory, const std::vector<GptRow>& rows,
                    double seconds) = 0;
  virtual bool load(const std::filesystem::path& directory) = 0;
  virtual void save_weights(const std::filesystem::path& directory) const = 0;
};

/// A run with the whole batch at once, in one process.
std::unique_ptr<GptRun> make_run(const Corpus& corpus, const StrategyArm& arm,
                                 const GptOptions& options);

/// A run with the batch in parts of options.micro_batch sequences. The ranks share the parts;
/// without ranks, all parts are computed here. Rank 0 alone writes files. Every number is the same
/// for any number of ranks, except with options.compressed_gradients. All members are collective
/// except parameters(), done(), skipped_steps() and bytes().
std::unique_ptr<GptRun> make_shared_run(const Corpus& corpus, const StrategyArm& arm,
                                        const GptOptions& options,
                                        std::shared_ptr<distributed::Communicator> ranks);

}  // namespace mct::cli::train
