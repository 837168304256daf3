// Training the GPT with one precision strategy; stopping and resuming it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "apps/mct/train/corpus.hpp"
#include "apps/mct/train/gpt_model.hpp"
#include "apps/mct/train/strategy_arm.hpp"
#include "mctensor/distributed/communicator.hpp"

namespace mct::cli::train {

struct GptOptions {
  GptShape shape;
  std::int64_t steps = 500;
  std::int64_t batch = 8;
  std::int64_t warmup = 50;
  std::int64_t validation_sequences = 64;
  double lr = 3e-3;
  double beta2 = 0.999;
  double weight_decay = 0.1;
  double clip = 1;  // of the gradients' norm
  std::uint64_t seed = 1;
  /// The model computes in bfloat16, and its variables are theta; otherwise it computes in float.
  bool bfloat16_model = false;
  /// The processor's units compute products of bfloat16 (linalg/bfloat16_units.hpp).
  bool bfloat16_units = false;
  /// Parameters are updated in the backward pass, without clipping, and their gradients freed.
  bool release = false;
  /// If not 0, a batch is split into parts of this many sequences, and the gradient of a step is
  /// the exact sum of the parts' gradients, the same for any number of ranks. 0: the gradient of
  /// the whole batch at once.
  std::int64_t micro_batch = 0;
  /// For micro-batches: gradients are sent as two bfloat16 with error feedback. The result then
  /// depends on the number of ranks.
  bool compressed_gradients = false;
  /// For compressed gradients: the number of ranks.
  int processes = 1;
  /// Steps between two rows of metrics, and rows between two checkpoints.
  std::int64_t row_every = 20;
  std::int64_t rows_per_checkpoint = 5;
};

/// Means over the steps since the last row.
struct GptRow {
  std::int64_t step = 0;
  double train_loss = 0;
  double lost = 0;                        // per cent of the updates of theta
  double lost_v = 0;                      // per cent of the updates of v
  double descent_quality = 0;             // relative to the norm of the update
  std::optional<double> validation_loss;  // only in rows where it was measured
};

struct GptResult {
  std::vector<GptRow> rows;
  std::int64_t parameters = 0;
  std::int64_t skipped_steps = 0;
  /// Of all processes that worked at the run; a killed process counts up to its last checkpoint.
  double seconds = 0;
  optim::ParameterBytes bytes;
  /// The largest memory of the process during this run, less its memory before the run (Linux; else
  /// 0). Earlier runs in the same process may have occupied more.
  std::int64_t peak_bytes = 0;

  /// From the last row.
  double validation_perplexity() const;
  double train_perplexity() const;
  /// Means over all steps.
  GptRow mean() const;
};

/// Trains with bfloat16 parameters: forward and backward passes use theta, in bfloat16 or with
/// products as the shape says, and gradients are rounded to bfloat16. With a directory it writes
/// run.json (the description of the run), metrics.jsonl, seconds.json and checkpoint.safetensors
/// during the run and weights.safetensors at the end, each file as a whole. With `resume` it
/// continues a run that it finds there: the weights are then those of a run that was never stopped,
/// bit for bit. `progress` gets the number of steps done; an exception from it ends the run.
///
/// With `ranks`, which must all have the same arguments, the ranks share each batch by
/// micro-batches and the states of the optimizer. Rank 0 writes the files, which all ranks must be
/// able to read. The run can be continued with another number of ranks.
///
/// Throws DomainError if the directory holds another run, or a run without `resume`, and for
/// options that exclude each other; IoError for files that cannot be read or written. With ranks,
/// perhaps only one rank throws, while the others wait.
GptResult train_gpt(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options,
                    const std::filesystem::path& directory, bool resume,
                    const std::function<void(std::int64_t)>& progress,
                    const std::shared_ptr<distributed::Communicator>& ranks = nullptr);

}  // namespace mct::cli::train
