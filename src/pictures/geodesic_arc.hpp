// Geodesics of the Poincaré disk as arcs of circles.
#pragma once

#include <cmath>

namespace mct::embed {

/// The geodesic between two points of the unit disk.
struct GeodesicArc {
  double radius;  ///< of its circle; infinite on a diameter
  double bulge;   ///< the largest distance to the chord
  bool left;      ///< it turns to the left on the way from the first point, y upwards
};

/// The circle through a, b and the mirror image a / |a|^2, which all circles at right angles to
/// the edge pass: its radius is |a - b| |1 - conj(a) b| / (2 |a x b|), without the cancellation of
/// a formula by its centre.
inline GeodesicArc geodesic_arc(double ax, double ay, double bx, double by) {
  const double cross = ax * (by - ay) - ay * (bx - ax);
  const double chord = std::hypot(bx - ax, by - ay);
  const double across = std::hypot(1 - ax * bx - ay * by, ax * by - ay * bx);
  const double radius = chord * across / (2 * std::fabs(cross));
  const double half = chord / (2 * radius);
  const double bulge = half < 1 ? radius * half * half / (1 + std::sqrt(1 - half * half)) : radius;
  return {radius, cross == 0 ? 0 : bulge, cross < 0};
}

}  // namespace mct::embed
