// Boosts and rotations of the hyperboloid.
//
// Domain: every finite point, unit vectors e; rapidities for which e^phi is finite. Source:
// Geometric Foundations, with the corrections of docs/errata.md.
#pragma once

#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// The boost with rapidity phi along the spatial unit vector e, for points of n coordinates. It
/// moves the origin by K |phi|, for phi > 0 in the direction -e:
///   x_0' = cosh phi x_0 - sinh phi e.x,  x' = x + ((cosh phi - 1) e.x - sinh phi x_0) e.
/// The light-cone coordinates x_0 + e.x and x_0 - e.x are multiplied by e^-phi and e^phi. The
/// smaller one is computed as (K^2 + |x - (e.x) e|^2) / the larger one. Error: 2 (1 + |phi|)
/// manifold_bound of the lengths of the two terms of x'.
template <class V, int n, int m>
MCT_HD inline Point<V, n> lorentz_boost(const Lorentz<V>& model, const Point<V, n>& x,
                                        const Point<V, m>& direction,
                                        const std::type_identity_t<V>& rapidity) {
  static_assert(m == detail::dimension_plus<n, -1>, "the direction is spatial");
  using W = work_t<V>;
  using L = detail::limb_t<W>;
  detail::require_coordinates(x, 2);
  const auto f = model.formulas();
  const auto X = detail::space_of(detail::to_work(x));
  const auto e = detail::to_work(direction);
  detail::require_same_size(X, e);
  const W phi = detail::to_work(rapidity);
  const W along = detail::long_dot(X, e);
  const Point<W, m> across = X - e * along;
  const W wide = detail::hypotenuse(f.radius, detail::norm_of(across));
  const auto forward = detail::lead(along) >= L(scalar_t<L>(0));
  const W large = detail::hypotenuse(wide, along) + detail::blend(forward, along, -along);
  const W small = wide / large * wide;
  const auto positive = detail::lead(phi) >= L(scalar_t<L>(0));
  const W grow = detail::expm1_of(detail::blend(positive, phi, -phi)) + detail::number<W>(1);
  const W shrink = detail::number<W>(1) / grow;
  const W plus = detail::blend(forward, large, small) * detail::blend(positive, shrink, grow);
  const W minus = detail::blend(forward, small, large) * detail::blend(positive, grow, shrink);
  return detail::from_work<V>(f.lifted(across + e * detail::halved(W(plus - minus))));
}

/// The rotation by an angle t in the plane of the orthonormal spatial vectors e1 and e2. It takes
/// e1 to cos t e1 + sin t e2: x' = x + (cos t - 1)(e1 (e1.x) + e2 (e2.x)) + sin t (e2 (e1.x) - e1
/// (e2.x)). Error: manifold_bound |x|. Not for SIMD batches.
template <class V, int n, int m>
MCT_HD inline Point<V, n> lorentz_rotation(const Lorentz<V>& model, const Point<V, n>& x,
                                           const Point<V, m>& e1, const Point<V, m>& e2,
                                           const std::type_identity_t<V>& angle) {
  static_assert(m == detail::dimension_plus<n, -1>, "the plane is spatial");
  using W = work_t<V>;
  using std::sin;
  detail::require_coordinates(x, 2);
  const auto f = model.formulas();
  const auto X = detail::space_of(detail::to_work(x));
  const auto a = detail::to_work(e1);
  const auto b = detail::to_work(e2);
  detail::require_same_size(X, a);
  detail::require_same_size(X, b);
  const W half_sine = sin(detail::halved(detail::to_work(angle)));
  const W versine = -detail::doubled(W(half_sine * half_sine));  // cos t - 1
  const W sine = sin(detail::to_work(angle));
  const W p = detail::long_dot(a, X);
  const W q = detail::long_dot(b, X);
  return detail::from_work<V>(
      f.lifted(X + a * W(versine * p - sine * q) + b * W(versine * q + sine * p)));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
