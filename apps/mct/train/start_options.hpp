// Options for the first values of a comparison's parameters.
#pragma once

#include <CLI/App.hpp>

#include "apps/mct/ranges.hpp"
#include "mctensor/attention/streaming_attention.hpp"

namespace mct::cli::train {

inline void add_start_options(CLI::App& command, attention::Start& start) {
  command
      .add_option("--start-gamma", start.gamma,
                  "Temperature that a comparison begins with, in each head")
      ->check(positive());
  command
      .add_option("--start-radius", start.radius,
                  "Radius that cones begin with: of the balls of umbral ones, else of the light")
      ->check(positive());
}

}  // namespace mct::cli::train
