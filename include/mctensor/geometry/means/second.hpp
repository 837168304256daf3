// Second derivatives of means, called by names.
//
// Error and domain: as Registered::second_derivatives (registry.hpp); each mean is computed in
// f64x4, with a record of n^2 + m operations for m points of n coordinates. Source:
// src/geometry/registry/second.hpp; for Fréchet means two steps of the chord method (Newton's with
// a constant matrix), which are exact to second order if the first point is the mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// Which mean: "PoincareBall", "HalfSpace" or "Lorentz", and "frechet_mean" or "weighted_midpoint".
struct NamedMean {
  std::string manifold, mean;
};

/// Second derivatives of means of x (.., n) along a leading dimension, with weights that broadcast;
/// `grad` is the gradient of the means. The first derivatives (by radius, points and weights) are
/// multiplied by `cotangents` and summed; the function returns the derivatives of this sum by
/// radius, points, weights and `grad`. A tensor is empty if its derivative is not wanted. A
/// cotangent has the shape of its operand; a missing one is zero. Throws DomainError for unknown
/// names and where second derivatives do not exist; ShapeError.
std::vector<Tensor<double>> mean_second_derivatives(
    const NamedMean& of, const Tensor<double>& radius, const Tensor<double>& x,
    const Tensor<double>& weights, std::int64_t dim, const Tensor<double>& grad,
    const std::vector<std::optional<Tensor<double>>>& cotangents, const std::vector<bool>& wanted);

}  // namespace mct::geometry
