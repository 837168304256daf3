// Points of the Poincaré ball that are stored with their gap to the boundary. So a point in double
// may be at distance 350 K from the origin; coordinates alone end at 37 K.
//
// The formulas describe hyperbolic triangles with one corner in the origin. Divided by K, r and t
// are the distances of the points x and y from the origin, and s is the distance of x and y. theta
// is the angle between x and y, and beta is the angle at x between the outward direction and the
// direction to y. G_x and G_y are the gaps, and |y| - |x| = (G_x - G_y) / (|x| + |y|).
//   sinh^2 (s/2) = K^2 ((|y| - |x|)^2 + |x| |y| (2 sin(theta/2))^2) / (G_x G_y)
//   sinh s cos(beta) = sinh(t - r) - cosh r sinh t (1 - cos theta)
//   sinh s sin(beta) = sinh t sin theta
//
// Error: manifold_bound as docs/ball_point.md states it, relative to the distance or to |v|.
// Domain: every BallPoint, in double to distance 350 K; other points give NaN. Source: the polar
// forms of docs/ball_point.md.
#pragma once

#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/turn.hpp"

namespace mct::geometry {

/// A point of the ball of radius K with gap = K^2 - |x|^2. If gap < K^2 / 2, the gap and the
/// direction of x determine the point, and |x| does not matter. Otherwise x determines it.
template <class V, int n = dynamic>
struct BallPoint {
  Point<V, n> x;
  V gap;
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// A BallPoint in polar form: direction and length of x.
template <class W, int n>
struct BallPolar {
  Point<W, n> x, direction;
  W size, gap;
};

template <class W, int n>
MCT_HD inline BallPolar<W, n> ball_polar(const W& radius, const Point<W, n>& x,
                                         const W& given_gap) {
  using L = limb_t<W>;
  const auto [length, e] = polar(x);
  const auto is_point = lead(given_gap) >= L(scalar_t<L>(0)) && has_no_nan(x);
  const W gap = only_where(is_point, given_gap);
  const auto outside = lead(gap) < lead(halved(W(radius * radius)));
  const W k2 = radius * radius;
  const W size = blend(outside, root(W(k2 - blend(outside, gap, k2))), length);
  return {x, e, size, gap};
}

/// The gap of a point, with all digits that are known.
template <class W, int n>
MCT_HD inline long_t<W> long_gap(const W& radius, const BallPolar<W, n>& a) {
  const auto outside = lead(a.gap) < lead(halved(W(radius * radius)));
  return blend(outside, lengthened(a.gap), long_gap_of(radius, a.x));
}

/// True where the coordinates alone determine both points.
template <class W, int n>
MCT_HD inline auto both_inside(const W& radius, const BallPolar<W, n>& a,
                               const BallPolar<W, n>& b) {
  const auto middle = lead(halved(W(radius * radius)));
  return lead(a.gap) >= middle && lead(b.gap) >= middle;
}

/// |y| - |x|.
template <class W, int n>
MCT_HD inline W radial_difference(const W& radius, const BallPolar<W, n>& a,
                                  const BallPolar<W, n>& b) {
  using L = limb_t<W>;
  const W sum = a.size + b.size;
  const auto zero = lead(sum) == L(scalar_t<L>(0));
  const W divisor = blend(zero, number<W>(1), sum);
  const W far = shortened<W>(long_sum(long_gap(radius, a), -long_gap(radius, b)));
  const W near = dot(b.x - a.x, b.x + a.x);
  return blend(both_inside(radius, a, b), near, far) / divisor;
}

template <class W, int n>
MCT_HD inline W ball_half_sinh(const W& radius, const BallPolar<W, n>& a,
                               const BallPolar<W, n>& b) {
  const auto turn = turn_of(a.x, b.x);
  const W chord = root(W(doubled(turn.one_minus_cos) * a.size * b.size));
  const W far = hypotenuse(radial_difference(radius, a, b), chord);
  return radius * blend(both_inside(radius, a, b), norm_of(b.x - a.x), far) /
         (root(a.gap) * root(b.gap));
}

/// The BallPoint with the spatial coordinates K Z on the hyperboloid and the time K cosh.
template <class W, int n>
MCT_HD inline BallPoint<W, n> ball_point_from(const W& radius, const Point<W, n>& Z,
                                              const W& cosh) {
  const W quotient = number<W>(1) / (cosh + number<W>(1));
  return {Z * W(radius * quotient), doubled(W(radius * radius * quotient))};
}

template <class V, int n>
MCT_HD inline BallPolar<work_t<V>, n> work_polar(const PoincareBall<V>& ball,
                                                 const BallPoint<V, n>& a) {
  return ball_polar(to_work(ball.radius()), to_work(a.x), to_work(a.gap));
}
template <class V, class W, int n>
MCT_HD inline BallPoint<V, n> narrowed(const BallPoint<W, n>& a) {
  return {from_work<V>(a.x), from_work<V>(a.gap)};
}

}  // namespace detail

/// A point of the ball with the gap of its coordinates.
template <class V, int n>
MCT_HD inline BallPoint<V, n> ball_point(const PoincareBall<V>& ball, const Point<V, n>& x) {
  return {x, ball.gap(x)};
}

/// The distance: manifold_bound relative, at any distance from the origin.
template <class V, int n>
MCT_HD inline V dist(const PoincareBall<V>& ball, const BallPoint<V, n>& a,
                     const BallPoint<V, n>& b) {
  detail::require_coordinates(a.x, 1);
  using W = work_t<V>;
  const W k = detail::to_work(ball.radius());
  const W s = detail::ball_half_sinh(k, detail::work_polar(ball, a), detail::work_polar(ball, b));
  return detail::from_work<V>(detail::doubled(W(k * detail::asinh_of(s))));
}

/// The distance from the origin, 2 K asinh(|x| / sqrt(gap)): manifold_bound relative.
template <class V, int n>
MCT_HD inline V dist0(const PoincareBall<V>& ball, const BallPoint<V, n>& a) {
  using W = work_t<V>;
  const auto p = detail::work_polar(ball, a);
  const W k = detail::to_work(ball.radius());
  return detail::from_work<V>(
      detail::doubled(W(k * detail::asinh_of(W(p.size / detail::root(p.gap))))));
}

/// The exponential map of the tangent vector u at the origin. Coordinates and gap have an error of
/// manifold_bound (1 + d / K) for a point at the distance d.
template <class V, int n>
MCT_HD inline BallPoint<V, n> ball_expmap0(const PoincareBall<V>& ball, const Point<V, n>& u) {
  using W = work_t<V>;
  const W k = detail::to_work(ball.radius());
  const auto [length, e] = detail::polar(detail::to_work(u));
  const auto reach = detail::reach_of(detail::doubled(W(length / k)));
  return {detail::from_work<V>(e * W(k * reach.tanh_half)),
          detail::from_work<V>(W(k * k * reach.sech2_half))};
}

/// The tangent vector at the origin whose ball_expmap0 is a: manifold_bound of its length.
template <class V, int n>
MCT_HD inline Point<V, n> logmap0(const PoincareBall<V>& ball, const BallPoint<V, n>& a) {
  using W = work_t<V>;
  const W k = detail::to_work(ball.radius());
  const auto p = detail::work_polar(ball, a);
  return detail::from_work<V>(p.direction *
                              W(k * detail::asinh_of(W(p.size / detail::root(p.gap)))));
}

/// The exponential map. u is a tangent vector at a in coordinates, which are of the order of the
/// gap. Let r be the distance of a from the origin and s the length of the step, both over K. Along
/// the ray through a, dist0 of the result has an error of 10 manifold_bound (r + s). In other
/// directions the error u^N of the direction adds a distance of u^N sinh s at the end. Domain: r +
/// s < 700 in double; beyond that the gap underflows and the result is NaN.
template <class V, int n>
MCT_HD inline BallPoint<V, n> expmap(const PoincareBall<V>& ball, const BallPoint<V, n>& a,
                                     const Point<V, n>& u) {
  detail::require_coordinates(a.x, 1);
  detail::require_same_size(a.x, u);
  using W = work_t<V>;
  using L = detail::limb_t<W>;
  const W one = detail::number<W>(1);
  const W k = detail::to_work(ball.radius());
  const auto p = detail::work_polar(ball, a);
  const auto v = detail::to_work(u);
  const W s = detail::doubled(W(k * (detail::norm_of(v) / p.gap)));
  const W r = detail::doubled(detail::asinh_of(W(p.size / detail::root(p.gap))));
  const auto turn = detail::turn_of(p.x, v);
  const auto inward = detail::lead(turn.cos) < L(scalar_t<L>(0));
  const auto reach = detail::reach_of(s);
  const W cosh_r = (k * k + p.size * p.size) / p.gap;
  const W sinh_r = detail::doubled(W(k * (p.size / p.gap)));
  // inward: cosh(r - s) + sinh r sinh s (1 + cos beta), and likewise the part along x
  const auto back =
      detail::reach_of(W(detail::blend(detail::lead(r) < detail::lead(s), s - r, r - s)));
  const W back_sinh = detail::blend(detail::lead(r) < detail::lead(s), -back.sinh, back.sinh);
  const W rest = turn.sine * (turn.sine / (one - detail::blend(inward, turn.cos, -one)));
  const W cosh = detail::blend(inward, W(back.cosh + sinh_r * (reach.sinh * rest)),
                               W(cosh_r * reach.cosh + sinh_r * (reach.sinh * turn.cos)));
  const W along = detail::blend(inward, W(back_sinh + cosh_r * (reach.sinh * rest)),
                                W(sinh_r * reach.cosh + cosh_r * (reach.sinh * turn.cos)));
  return detail::narrowed<V>(
      detail::ball_point_from(k, p.direction * along + turn.orthogonal * reach.sinh, cosh));
}

/// The tangent vector at a, in coordinates, whose expmap is b: 10 manifold_bound of its length.
template <class V, int n>
MCT_HD inline Point<V, n> logmap(const PoincareBall<V>& ball, const BallPoint<V, n>& a,
                                 const BallPoint<V, n>& b) {
  detail::require_coordinates(a.x, 1);
  detail::require_same_size(a.x, b.x);
  using W = work_t<V>;
  const W k = detail::to_work(ball.radius());
  const auto p = detail::work_polar(ball, a);
  const auto q = detail::work_polar(ball, b);
  const auto turn = detail::turn_of(p.x, q.x);
  // sinh s cos(beta) and sinh s sin(beta), times G_x G_y / (2 K)
  const W difference = detail::radial_difference(k, p, q);
  const W product = detail::halved(W(p.gap + q.gap + difference * difference));
  const W outward = difference * product - (k * k + p.size * p.size) * q.size * turn.one_minus_cos;
  const Point<W, n> m = p.direction * outward + turn.orthogonal * W(p.gap * q.size);
  const W s = detail::doubled(detail::asinh_of(detail::ball_half_sinh(k, p, q)));
  return detail::from_work<V>(detail::polar(m).direction * W(s * detail::halved(W(p.gap / k))));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
