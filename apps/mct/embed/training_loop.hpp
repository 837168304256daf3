// The loop of every run of training: portions of batches, checkpoints, ctrl-C.
#pragma once

#include <chrono>
#include <functional>

#include "mctensor/distributed/communicator.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cli {

using RunClock = std::chrono::steady_clock;
inline double seconds_since(RunClock::time_point start) {
  return std::chrono::duration<double>(RunClock::now() - start).count();
}

enum class RunEnd { all_epochs, patience, interrupted };

/// What a run does on its way.
struct RunSteps {
  double checkpoint_every = 30;     ///< seconds
  std::function<void()> save;       ///< writes a checkpoint
  std::function<bool()> end_epoch;  ///< after each; false: it was the last one
  std::function<void()> show;       ///< after each portion of batches
};

/// Trains until all epochs are done, end_epoch says so, or ctrl-C (see InterruptNote); saves from
/// time to time, not at the end. With `ranks` every process calls it, and rank 0 decides when.
RunEnd run_loop(embed::Trainer& trainer, const RunSteps& steps,
                distributed::Communicator* ranks = nullptr);

}  // namespace mct::cli
