// Second derivatives of the operations of cones, called by names.
//
// Error and domain: as Registered::second_derivatives (registry.hpp). Where a formula of cones has
// a corner (equal points, the axis, altitude 0), DomainError is thrown. Source:
// src/geometry/registry/second.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// The names of an operation, such as "UmbralCones", "PoincareBall" and "cone_distance".
struct NamedCones {
  std::string cones, manifold, operation;
};

/// `grad` is the gradient of the result. The first derivatives that follow from it are multiplied
/// by `cotangents` and summed. The function returns the derivatives of this sum by the radii (first
/// of the manifold, then of the light and of balls), by every operand and by `grad`, in their
/// shapes. A returned tensor is empty if its derivative is not wanted. A cotangent has the shape of
/// its operand; a missing one is zero. Throws DomainError for unknown names and where second
/// derivatives do not exist; ShapeError.
std::vector<Tensor<double>> cone_second_derivatives(
    const NamedCones& of, const Tensor<double>& radii, const std::vector<Tensor<double>>& operands,
    const Tensor<double>& grad, const std::vector<std::optional<Tensor<double>>>& cotangents,
    const std::vector<bool>& wanted);

}  // namespace mct::geometry
