// Points on which features are evaluated.
#pragma once

#include <cstdint>

#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::features {

/// Points (count, dimension), uniform by volume within a distance of the origin; point number i
/// depends on i + first alone.
inline Tensor<double> points_within(const geometry::PoincareBall<double>& ball, int count,
                                    int dimension, double radius, std::uint64_t first = 0) {
  Tensor<double> x({count, dimension});
  for (int i = 0; i < count; ++i) {
    const auto p = ball.random_uniform(dimension, 1, first + std::uint64_t(i), radius);
    for (int c = 0; c < dimension; ++c) x.set({i, c}, p[c]);
  }
  return x;
}

}  // namespace mct::cli::features
