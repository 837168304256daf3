// The loop of every run of training: portions of batches, the log, checkpoints, ctrl-C.
#pragma once

#include <chrono>
#include <functional>

#include "apps/mct/embed/run_files.hpp"
#include "mctensor/distributed/communicator.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cli {

using RunClock = std::chrono::steady_clock;
inline double seconds_since(RunClock::time_point start) {
  return std::chrono::duration<double>(RunClock::now() - start).count();
}

enum class RunEnd { all_epochs, patience, interrupted };

/// The actions of a command while a run trains.
struct RunSteps {
  double checkpoint_every = 30;  ///< seconds
  /// Completes the line of an epoch that has ended, before it is logged.
  std::function<void(nlohmann::json& line)> complete = [](nlohmann::json&) {};
  /// Asked at the beginning and after each epoch; false ends the run.
  std::function<bool()> goes_on = [] { return true; };
  std::function<void()> show = [] {};  ///< after each portion of batches
};

/// Trains until all epochs are done, `goes_on` says no, or ctrl-C comes (see InterruptNote). Saves
/// from time to time and at the end. With `ranks` every process calls it; rank 0 decides when to
/// save, and saves.
RunEnd run_loop(embed::Trainer& trainer, RunFiles& files, std::size_t run, const RunSteps& steps,
                distributed::Communicator* ranks = nullptr);

}  // namespace mct::cli
