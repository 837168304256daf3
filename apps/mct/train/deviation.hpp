// How far runs with different seeds lie apart.
#pragma once

#include <cmath>
#include <vector>

namespace mct::cli::train {

/// The standard deviation of a sample with this mean; 0 of fewer than two values.
inline double sample_deviation(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return values.size() < 2 ? 0 : std::sqrt(squares / double(values.size() - 1));
}

}  // namespace mct::cli::train
