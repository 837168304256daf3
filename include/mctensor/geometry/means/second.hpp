// Second derivatives of means. The caller gives the names of the manifold and the mean.
//
// Error and domain: as Registered::second_derivatives (registry.hpp). Each mean is computed in
// f64x4, with a record of the order of n^2 + m n operations for m points of n coordinates. Source:
// src/geometry/registry/second.hpp. For Fréchet means two steps of the chord method (Newton's
// method with a constant matrix) start at the mean; its first and second derivatives are exact.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// manifold is "PoincareBall", "HalfSpace" or "Lorentz"; mean is "frechet_mean" or
/// "weighted_midpoint".
struct NamedMean {
  std::string manifold, mean;
};

/// Second derivatives of means of x (.., n) along a leading dimension, with weights that broadcast.
/// `grad` is the gradient of the means. Let S be the sum of `cotangents` times first derivatives,
/// by radius, points and weights. The function returns the derivatives of S by radius, points,
/// weights and `grad`; a tensor is empty if `wanted` is false for it. A cotangent has the shape of
/// its operand; a missing one is zero. Throws DomainError for unknown names and where second
/// derivatives do not exist, ShapeError for shapes that do not fit.
std::vector<Tensor<double>> mean_second_derivatives(
    const NamedMean& of, const Tensor<double>& radius, const Tensor<double>& x,
    const Tensor<double>& weights, std::int64_t dim, const Tensor<double>& grad,
    const std::vector<std::optional<Tensor<double>>>& cotangents, const std::vector<bool>& wanted);

}  // namespace mct::geometry
