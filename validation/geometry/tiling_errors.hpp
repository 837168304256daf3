// The errors of the tilings and of the Lorentz model beside the bounds of their theorems, and of
// one step: for tests and plots.
#pragma once

#include <cstdint>
#include <vector>

#include "validation/core/philox.hpp"

namespace mct::validation {

/// At one distance from the origin, the sample whose error is the largest share of its bound.
struct TilingErrorRow {
  double distance;  // from the origin
  double measured;  // NaN if a sample gave NaN
  double bound;     // of that sample
};

/// What is sampled. Every theorem is that of Yu 2024, as corrected in docs/errata.md, with unit
/// roundoff 2^-53 and points of the plane unless said otherwise.
enum class TilingError {
  /// Theorem 3.2.1: a point of the Lorentz model rounded to three doubles, as the distance between
  /// both. Bound acosh(1 + u (2 cosh^2 d - 1)).
  lorentz_point,
  /// Theorem 3.2.4, as proven: the three coordinates in the fundamental domain are rounded. Bound
  /// acosh(1 + 5 u) = sqrt(10 u).
  ltiling_point_of_three,
  /// The same for the two stored coordinates: bound 2 u.
  ltiling_point,
  /// Theorem 3.2.5: a point of the H-tiling rounded to n doubles. Bound acosh(1 + (n + 3) u^2 / (2
  /// (1 - u))), about sqrt(n + 3) u. Here n = 2.
  htiling_point,
  /// Theorem B.1.3, Lorentz: the distance 2 of points rounded to three doubles. Bound 12 u cosh^2 d
  /// / sinh 2 + 2 u while that is small: the theorem prints 2 for 12.
  lorentz_distance,
  /// Theorem B.1.3, L-tiling: near points (some tiles apart). Bound: ours, (2 d + 68) u.
  ltiling_distance,
  /// The same for points in opposite directions.
  ltiling_far_distance,
  /// Theorem B.1.4, Lorentz: the gradient of lorentz_distance by x, relative to its norm.
  lorentz_gradient,
  /// Theorem B.1.4, L-tiling: the gradient by u of near points, each component; bound 36 u / tanh
  /// d (d at least 1/4).
  ltiling_gradient,
};

/// One row for each distance (0 < distance <= 700), the same for every call.
std::vector<TilingErrorRow> tiling_errors(TilingError what, const std::vector<double>& distances,
                                          int samples = 20, std::uint64_t seed = 1);

/// The distance between where a step of length 1/2 from a stored point, `distance` away from the
/// origin, leads in double and where it should lead. Not for several threads at a time: see
/// TruthPrecision.
double ltiling_step_error(double distance, Random& random);
double htiling_step_error(double distance, Random& random);

/// The relative error of the distance of two points about 1 apart (H-tiling: 1), both `distance`
/// away from the origin, what was lost in storing included. Of the H-tiling on the way x ~ 1, h ~
/// e^-distance. Not for several threads at a time.
double ltiling_distance_error(double distance, Random& random);
double htiling_distance_error(double distance, Random& random);

/// The constants of Theorem B.1.3 as its proof leaves them, for d >= 2 (C_0 = cosh 2): error <= d u
/// + this u. Far above what is measured.
double theorem_b13_constant();

}  // namespace mct::validation
