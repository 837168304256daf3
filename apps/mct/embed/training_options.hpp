// The options that every training has, of `mct embed` and of `mct cones`.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "mctensor/embed/train.hpp"

namespace mct::cli {

/// As given: what is not is chosen.
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

/// What a command says of options that it chooses by itself.
struct TrainingTexts {
  const char *epochs, *batch, *optimizer, *lr, *lr_peak, *eps, *sharpness, *burn_in, *cool_down,
      *negatives, *longest_step;
};

void add_training_options(CLI::App& command, TrainingSettings& settings,
                          const TrainingTexts& texts);

/// Gives options what has been given. Throws DomainError for a cool-down of a rate that stays.
void put_given(const TrainingSettings& settings, embed::TrainOptions& options);

/// The options by their names, as a file of a run has them.
nlohmann::ordered_json training_json(const embed::TrainOptions& options);

}  // namespace mct::cli
