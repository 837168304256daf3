// Bounds of the distance between a stored and the exact point: section 3.3 of Yu 2024.
//
// Error: the bounds are computed in double and have its rounding errors. Domain: any d >= 0, u
// below 1. Source: Yu 2024, theorems 3.3.1 and 3.3.4, as corrected in docs/errata.md.
#pragma once

#include <cmath>

namespace mct::geometry {

/// arcosh(1 + (a^2 cosh^2 d + b^2) / 2). The argument is log a, and large d do not overflow.
inline double representation_bound(double log_a, double b, double d) {
  // sinh^2(delta / 2) = (a^2 cosh^2 d + b^2) / 4
  const double log_cosh = d + std::log1p(std::exp(-2 * d)) - std::log(2.0);
  if (log_a + log_cosh > 300) return 2 * (log_a + log_cosh);
  return 2 * std::asinh(std::hypot(std::exp(log_a + log_cosh), b) / 2);
}

/// Theorem 3.3.1, in the form of its proof. Take a point within `d` of the origin, and round its
/// coordinates to nearest with unit roundoff u. This moves the point by at most arcosh(1 + u^2
/// cosh^2(d) / (2 (1 - u))). In the printed theorem the second summand is twice as large. K = 1.
inline double theorem_3_3_1(double u, double d) {
  return representation_bound(std::log(u) - std::log1p(-u) / 2, 0, d);
}

/// Theorem 3.3.4 for M components of the horizontal coordinates and a height of one number, each
/// rounded to nearest. A horizontal coordinate has a relative error of u^M, the height one of u.
/// The theorem's epsilon is 2u, and its factor 2^-2m should be 2^-(2m - 1). With both, the
/// theorem's argument of arcosh is four times the argument here.
inline double theorem_3_3_4(double u, int components, double d) {
  const double rounding = -std::log1p(-u) / 2;
  return representation_bound(components * std::log(u) + rounding, u * std::exp(rounding), d);
}

}  // namespace mct::geometry
