// The position of v, seen from the apex u of a cone whose axis leads away from the light.
//
// The light shines from the origin of the ball or from above in the half-space. All lengths are in
// units of the radius of curvature. The plane is the plane through u, v and the axis. The
// difference d = v - u is computed once. Everything else is a sum that is 0 only if the angle at u
// is a right angle.
#pragma once

#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// sinh(dist(u, v)) times the cosine and the sine of the angle at u between the axis and v.
template <class W>
struct Sight {
  W along, across;
};

/// v in coordinates in which curves that are equidistant from a ray of light are straight lines. In
/// the ball these are the coordinates of the hyperboloid; in the half-space they are the
/// coordinates of the half-space in units of v's height. `across` is measured across the axis.
/// `run` and `reach` are measured along the axis: `run` from u, `reach` from the origin of the ball
/// or from the bottom of the half-space.
template <class W>
struct Straight {
  W run, reach, across;
};

/// The cosine and sine of an angle, or multiples of both.
template <class W>
struct Opening {
  W cosine, sine;
};
/// The half-aperture of an umbral cone in these coordinates. At u, lengths across the axis are
/// `stretch` times as long as lengths along it.
template <class W>
struct Edge {
  W cosine, sine, stretch;
};

template <class W>
MCT_HD inline W signed_asinh(const W& x) {
  using L = limb_t<W>;
  const auto negative = lead(x) < L(scalar_t<L>(0));
  const W value = asinh_of(W(blend(negative, -x, x)));
  return blend(negative, -value, value);
}

// The half-space, light from above.

template <class W, int n>
MCT_HD inline W sideways(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                         const Point<W, n>& v) {
  return norm_of(m.horizontal(v - u));
}
template <class W, int n>
MCT_HD inline Sight<W> sight(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                             const Point<W, n>& v) {
  const W from = m.height_at(u);
  const W to = m.height_at(v);
  const W side = sideways(m, u, v);
  const W fall = (from - to) / from * ((from + to) / to);
  return {halved(W(fall - side / from * (side / to))), side / to};
}
template <class W, int n>
MCT_HD inline Straight<W> straight(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                                   const Point<W, n>& v) {
  const W from = m.height_at(u);
  const W to = m.height_at(v);
  return {(from - to) / to, from / to, sideways(m, u, v) / to};
}
/// The half-aperture of the umbral cone of u. This cone has all points whose balls lie in the
/// shadow of u's ball.
template <class W, int n>
MCT_HD inline Edge<W> umbral_edge(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                                  const Reach<W>& ball) {
  const W one = number<W>(1);
  return {only_where(m.inside(u), one), ball.sinh, one};
}
/// (v_n^2 + t^2) / (u_n cosh r)^2 - 1, where t is the distance of v beyond the ray of light that
/// touches u's ball. It has the sign of umbral_rise.
template <class W, int n>
MCT_HD inline W umbral_lift(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                            const Point<W, n>& v, const Reach<W>& ball) {
  const W from = m.height_at(u);
  const W to = m.height_at(v);
  const W side = sideways(m, u, v);
  const W foot = from * ball.cosh;
  const W past = side - doubled(W(from * ball.sinh));
  return (to - from) / foot * ((to + from) / foot) + side / foot * (past / foot);
}
/// How much further along the ray the foot of u lies than the foot of v. It is the logarithm of the
/// root of the quotient in umbral_lift.
template <class W, int n>
MCT_HD inline W umbral_rise(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                            const Point<W, n>& v, const Reach<W>& ball) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  const W from = m.height_at(u);
  const W beyond = sideways(m, u, v) - from * ball.sinh;
  const W quotient = hypotenuse(m.height_at(v), beyond) / (from * ball.cosh);
  const auto near = lead(quotient) > L(S(0.5)) && lead(quotient) < L(S(2));
  const W excess = blend(near, umbral_lift(m, u, v, ball), number<W>(0));
  return blend(near, halved(log1p_of(excess)), log_of(W(blend(near, number<W>(1), quotient))));
}

// The ball, light from its origin.

/// v - u along and across the axis, with related numbers.
template <class W>
struct Steps {
  W size, gap, along, across, other_gap;
};
/// K^2 - |x|^2 of a point if it is positive; else NaN.
template <class W, int n>
MCT_HD inline W inner_gap(const BallFormulas<W>& m, const Point<W, n>& x) {
  using L = limb_t<W>;
  const W gap = m.gap(x);
  return only_where(lead(gap) > L(scalar_t<L>(0)), gap);
}
template <class W, int n>
MCT_HD inline Steps<W> steps(const BallFormulas<W>& m, const Point<W, n>& u, const Point<W, n>& v) {
  const auto [size, e] = polar(u);
  const W across = area_of(u, pivoted_difference(u, v)) / size;
  return {size / m.radius, inner_gap(m, u) / (m.radius * m.radius), dot(e, v - u) / m.radius,
          across / m.radius, inner_gap(m, v) / (m.radius * m.radius)};
}
template <class W, int n>
MCT_HD inline Sight<W> sight(const BallFormulas<W>& m, const Point<W, n>& u, const Point<W, n>& v) {
  const Steps<W> s = steps(m, u, v);
  const W square = s.along * s.along + s.across * s.across;
  // gap + gap + |d|^2 = 2 - 2 u.v
  const W sum = s.along * (s.gap + s.other_gap + square) - doubled(W(s.size * s.across)) * s.across;
  return {sum / s.gap / s.other_gap, doubled(s.across) / s.other_gap};
}
template <class W, int n>
MCT_HD inline Straight<W> straight(const BallFormulas<W>& m, const Point<W, n>& u,
                                   const Point<W, n>& v) {
  const Steps<W> s = steps(m, u, v);
  const Point<W, n> mean = (u + v) / m.radius;
  // gap + gap + |u + v|^2 = 2 + 2 u.v
  const W sum = s.along * (s.gap + s.other_gap + squared_norm(mean)) +
                doubled(W(s.size * s.across)) * s.across;
  return {sum / s.gap / s.other_gap, doubled(W(s.size + s.along)) / s.other_gap,
          doubled(s.across) / s.other_gap};
}
/// sinh of u's distance from the light.
template <class W, int n>
MCT_HD inline W sinh_from_light(const BallFormulas<W>& m, const Point<W, n>& u) {
  return doubled(W(norm_of(u) * (m.radius / inner_gap(m, u))));
}
/// The angle at which a ball of radius r is seen from distance d: its sine is sinh r / sinh d. NaN
/// if u is within the ball.
template <class W, int n>
MCT_HD inline Opening<W> ball_opening(const BallFormulas<W>& m, const Point<W, n>& u,
                                      const Reach<W>& ball) {
  const W far = sinh_from_light(m, u);
  return {root(W((far - ball.sinh) / far)) * root(W((far + ball.sinh) / far)), ball.sinh / far};
}
template <class W, int n>
MCT_HD inline Edge<W> umbral_edge(const BallFormulas<W>& m, const Point<W, n>& u,
                                  const Reach<W>& ball) {
  const Opening<W> o = ball_opening(m, u, ball);
  // cosh of the distance from the light
  const W gap = inner_gap(m, u) / (m.radius * m.radius);
  return {o.cosine, o.sine, (number<W>(2) - gap) / gap};
}
/// The feet of u and v on the ray of light that touches u's ball. Each is given by sinh of its
/// distance along the ray. The difference of the two is computed from v - u.
template <class W>
struct Feet {
  W own, other, difference;
};
template <class W, int n>
MCT_HD inline Feet<W> feet(const BallFormulas<W>& m, const Point<W, n>& u, const Point<W, n>& v,
                           const Reach<W>& ball) {
  const Opening<W> edge = ball_opening(m, u, ball);
  const Straight<W> s = straight(m, u, v);
  const W own = sinh_from_light(m, u) * edge.cosine / ball.cosh;
  const W other = s.across * edge.sine + s.reach * edge.cosine;
  const W t = s.across * edge.cosine - s.reach * edge.sine;
  const W excess = s.across * edge.cosine - s.run * edge.sine;
  const W forward = s.across * edge.sine + s.run * edge.cosine;
  const W wide = hypotenuse(number<W>(1), t);
  const W bend = own * (t - ball.sinh) * (excess / (wide + ball.cosh));
  return {own, other / wide, (bend - forward) / wide};
}
template <class W, int n>
MCT_HD inline W umbral_lift(const BallFormulas<W>& m, const Point<W, n>& u, const Point<W, n>& v,
                            const Reach<W>& ball) {
  return feet(m, u, v, ball).difference;
}
/// asinh a - asinh b for the feet a and b.
template <class W, int n>
MCT_HD inline W umbral_rise(const BallFormulas<W>& m, const Point<W, n>& u, const Point<W, n>& v,
                            const Reach<W>& ball) {
  using L = limb_t<W>;
  const Feet<W> f = feet(m, u, v, ball);
  const W one = number<W>(1);
  const W ab = f.own * hypotenuse(one, f.other);
  const W ba = f.other * hypotenuse(one, f.own);
  const auto behind = !(lead(f.other) > L(scalar_t<L>(0)));
  const W quotient = f.difference * ((f.own + f.other) / blend(behind, one, W(ab + ba)));
  return signed_asinh(W(blend(behind, W(ab - ba), quotient)));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
