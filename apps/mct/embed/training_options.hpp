// The options that every training has, of `mct embed` and of `mct cones`.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "apps/mct/embed/run_files.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cli {

/// As the command line gives them. The command chooses those that are missing.
struct TrainingSettings {
  double radius = 1;
  std::optional<std::int64_t> batch, epochs, burn_in, cool_down;
  std::optional<std::string> optimizer;
  double beta1 = 0.9, beta2 = 0.999;
  std::optional<double> lr, lr_peak, eps, sharpness, longest_step;
  int negatives = 50;
  double init = 1e-4;
  double radius_lr = 0;
  std::uint64_t seed = 0;
};

/// The texts in a command's help about options whose defaults the command chooses.
struct TrainingTexts {
  const char *epochs, *batch, *optimizer, *lr, *lr_peak, *eps, *sharpness, *burn_in, *cool_down,
      *negatives, *longest_step;
};

void add_training_options(CLI::App& command, TrainingSettings& settings,
                          const TrainingTexts& texts);

/// Adds --out (`out` is its help), --resume (`resume` ends its help) and --checkpoint-every.
/// Returns --out.
CLI::Option* add_run_options(CLI::App& command, RunSettings& settings, const char* out,
                             const char* resume = "");

/// Nothing if no optimizer is given. Throws DomainError for an unknown name.
std::optional<embed::Optimizer> given_optimizer(const TrainingSettings& settings);

/// Replaces options by the settings that are given. Throws DomainError for a cool-down of a
/// constant rate.
void put_given(const TrainingSettings& settings, embed::TrainOptions& options);

/// The options by their names, as run.json and the log of a run have them.
nlohmann::ordered_json training_json(const embed::TrainOptions& options);

}  // namespace mct::cli
