// What a training of cones has reached, and its file.
#pragma once

#include <cstdint>
#include <filesystem>

#include "mctensor/embed/cone_training.hpp"

namespace mct::embed {

struct ConeState {
  int epoch = 0;
  Tensor<double> points;
  Tensor<double> best;
  int best_epoch = 0;  // 0: none has been validated
  double best_f1 = 0, last_f1 = 0;
  std::int64_t lost_steps = 0;
};

void save_state(const std::filesystem::path& path, const ConeTrainingOptions& options,
                const ConeState& state);
/// Throws IoError for a file of other options or shape, and for rows that are no points.
ConeState load_state(const std::filesystem::path& path, const ConeTrainingOptions& options,
                     const Shape& shape);

}  // namespace mct::embed
