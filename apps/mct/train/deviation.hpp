// The deviation of runs with different seeds from their mean.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

namespace mct::cli::train {

inline double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// The standard deviation of a sample with this mean; 0 for fewer than two values.
inline double sample_deviation(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return values.size() < 2 ? 0 : std::sqrt(squares / double(values.size() - 1));
}

}  // namespace mct::cli::train
