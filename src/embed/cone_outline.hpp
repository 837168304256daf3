// The edge of a cone in the plane.
#pragma once

#include <array>
#include <vector>

#include "mctensor/embed/cone_evaluation.hpp"

namespace mct::embed {

/// Points of the cones' model (half-space or ball of two dimensions) on the edge of the cone of u.
/// Both sides begin at u and end where the plane as good as ends, some 25 radii of curvature
/// farther from the light; the side that turns to the left of the axis is the one with the larger
/// angle (ball) or the smaller horizontal coordinate. `axis` goes between them from u to as far.
struct ConeOutline {
  std::vector<std::array<double, 2>> left, axis, right;
};

/// The edge is where ConeRelation::contains, that is the half-aperture and the angle to the axis,
/// changes: found by bisection at each distance from the light, so that it is exact to the rounding
/// of these for every kind of cone. Nothing for a point that has no cone because it lies in the
/// light. Throws DomainError for other than two dimensions and as ConeSystem::check.
ConeOutline cone_outline(const ConeSystem& cones, const std::array<double, 2>& u);

}  // namespace mct::embed
