// Half-space points moved along their geodesics through the origin, in as many digits as they have.
#pragma once

#include <vector>

namespace mct::geometry {

/// A point of the half-space by the components of its coordinates: what LongSum and Expansion of
/// any length hold, without their types.
struct ComponentsOfPoint {
  /// For each horizontal coordinate its components.
  std::vector<std::vector<double>> x;
  /// Of the height or, if `logarithmic`, of its logarithm.
  std::vector<double> height;
  bool logarithmic = false;
  /// Components are rounded to float instead of double.
  bool single = false;
};

/// The point in the same direction from the origin (0, ..., 0, 1) whose distance, at radius 1, is
/// `numerator` / `denominator` times that of `point`; as many components of every coordinate, which
/// sum to it with an error of half a unit of the last one. What leaves the range of a component is
/// infinite or zero.
///
/// With X_0 = cosh d = (1 + |x|^2 + h^2) / 2h, X_i = x_i / h, X_n = (|x|^2 + h^2 - 1) / 2h, the
/// same point on the hyperboloid, it is X_0' = cosh d', X_i' = X_i sinh d' / sinh d: computed with
/// binary numbers of 2.9 max(d, d') bits more than all components have. Throws DomainError if that
/// exceeds 16384, and unless both factors are positive and finite.
ComponentsOfPoint scaled_from_origin(const ComponentsOfPoint& point, double numerator,
                                     double denominator);

}  // namespace mct::geometry
