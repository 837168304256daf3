// Where the figures measure: points at a given distance from the origin, and a fixed number of them
// whatever the thread.
#pragma once

#include <cmath>
#include <vector>

#include "validation/core/philox.hpp"
#include "validation/geometry/models.hpp"

namespace mct::validation {

/// The ways from the origin outwards.
enum class Way {
  /// x ~ e^(d/3), h ~ e^(-d/3): horizontal coordinates grow while the height shrinks, as in
  /// training. A point loses a double's digits at d = 1.5 * 36.7.
  diagonal,
  /// x ~ 1, h ~ 1 / cosh d: the worst of the theorems' proofs, up to a factor.
  horizontal
};

/// Uniform in [0, 1).
inline double unit_interval(Random& random) {
  return std::ldexp(double(random.below(std::uint64_t(1) << 53)), -53);
}

/// A point of the half-plane at distance d, another one for each number.
inline ExactPoint point_on(Way way, double d, Random& random) {
  const Big cosh_d = cosh(Big(d));
  // no number of few digits: next to such a one, components with gaps between them reach further
  const Big factor = Big(std::exp(unit_interval(random) - 0.5)) / Big(3.0) * Big(3.1);
  const Big reach = way == Way::horizontal ? factor : factor * exp(Big(d) / Big(3.0));
  const Big x = random.one_in(2) ? reach : Big(0.0) - reach;
  // the lower of the two heights at distance d
  const Big square = x * x + Big(1.0);
  const Big rest = cosh_d * cosh_d - square;
  if (rest < Big(0.0)) return {Big(0.0), exp(Big(0.0) - Big(d))};
  return {x, square / (cosh_d + sqrt(rest))};
}

/// A frame vector of this length in doubles.
inline PlaneVector frame_vector(double length, Random& random) {
  const double angle = 6.283185307179586 * unit_interval(random);
  return {length * std::cos(angle), length * std::sin(angle)};
}

inline ExactPoint exact_vector(const PlaneVector& v) { return {Big(v[0]), Big(v[1])}; }

/// 0 to 600, closer where double and its expansions break.
inline std::vector<double> figure_distances(bool quick) {
  std::vector<double> d;
  for (double x = 4; x <= 160; x += quick ? 12 : 4) d.push_back(x);
  for (double x = 180; x <= 600; x += quick ? 60 : 20) d.push_back(x);
  return d;
}

}  // namespace mct::validation
