// cone_distance of one pair of points and its derivatives, in closed form. Training needs them
// millions of times. The derivatives agree with autograd.hpp. Value and derivatives together take
// little longer than the value alone.
//
//   const auto [distance, by_u, by_v] = cone_distance_gradient(cones, u, v, 1e-4);
//
// The distance depends on a few numbers in the plane of u, v and the axis. In the half-space these
// are both heights and the horizontal distance s, in the ball the members of `Seen`. t, r and D are
// the numbers of formulas.hpp. (The cases by sign there are not needed, because derivatives do not
// cancel.) The distance from the boundary is asinh t + r (umbral cones) or asinh D (penumbral
// cones). The distance from the apex is 2 asinh of sinh of its half.
//
// Error: as cone_distance for the value. No bound is stated for derivatives; tests compare them
// with autograd.hpp. Domain: as cone_distance. Source: derivatives of the formulas of formulas.hpp
// by hand.
#pragma once

#include "mctensor/geometry/cones/cones.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// The value of a function of two points, and its partial derivatives by their coordinates.
/// (egrad2rgrad converts these to Riemannian gradients.)
template <class V, int n = dynamic>
struct PairGradient {
  V value;
  Point<V, n> by_u, by_v;
};

namespace detail {

/// x / y, or 0 if y is 0. So the direction of a zero vector is zero.
template <class W>
MCT_HD inline W quotient_or_zero(const W& x, const W& y) {
  using L = limb_t<W>;
  const auto none = lead(y) == L(scalar_t<L>(0));
  return blend(none, number<W>(0), W(x / blend(none, number<W>(1), y)));
}

// The half-space.

/// Derivatives by the horizontal distance and the heights of u and v.
template <class W>
struct HeightSlopes {
  W side, from, to;
};
template <class W, int n>
MCT_HD inline PairGradient<W, n> gradient_of(const HalfSpaceFormulas<W>& m,
                                             const HeightSlopes<W>& slopes, const Point<W, n>& u,
                                             const Point<W, n>& v, const W& side) {
  PairGradient<W, n> g;
  g.by_v = (v - u) * W(m.radius * quotient_or_zero(slopes.side, side));
  g.by_u = -g.by_v;
  g.by_u[u.size() - 1] = m.radius * slopes.from;
  g.by_v[v.size() - 1] = m.radius * slopes.to;
  return g;
}
template <class W, int n>
MCT_HD inline PairGradient<W, n> beyond_gradient(const UmbralFormulas<HalfSpaceFormulas<W>, W>& f,
                                                 const Point<W, n>& u, const Point<W, n>& v) {
  const HalfSpaceFormulas<W>& m = f;
  const W from = m.height_at(u);
  const W to = m.height_at(v);
  const W side = sideways(m, u, v);
  const W t = (side - from * f.ball.sinh) / to;
  const W slope = number<W>(1) / (to * hypotenuse(number<W>(1), t));
  return gradient_of(m, {slope, W(-f.ball.sinh * slope), W(-t * slope)}, u, v, side);
}
/// D = (s c + (s^2 + b^2 - a^2) / (2 H)) / b for heights a, b and c^2 = 1 - (a / H)^2.
template <class W, int n>
MCT_HD inline PairGradient<W, n> beyond_gradient(
    const PenumbralFormulas<HalfSpaceFormulas<W>, W>& f, const Point<W, n>& u,
    const Point<W, n>& v) {
  const HalfSpaceFormulas<W>& m = f;
  const W from = m.height_at(u);
  const W to = m.height_at(v);
  const W side = sideways(m, u, v);
  const Opening<W> edge = f.opening(u);
  const W slope = number<W>(1) / (to * hypotenuse(number<W>(1), f.excess(u, v)));
  const W sum = (from - side) * (from + side) / to + to;
  return gradient_of(m,
                     {W((edge.cosine + side / f.light) * slope),
                      W(-edge.sine * (side / (f.light * edge.cosine) + number<W>(1)) * slope),
                      W((halved(sum) / f.light - side / to * edge.cosine) * slope)},
                     u, v, side);
}
/// Derivatives of the distance of v from the apex, which is u moved down by a length.
template <class W, int n>
MCT_HD inline PairGradient<W, n> apex_gradient(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                                               const Point<W, n>& v, const Reach<W>& push) {
  const W from = m.height_at(u) * push.exp_minus;
  const W to = m.height_at(v);
  const W side = sideways(m, u, v);
  const W rise = to - from;
  const W area = doubled(W(from * to));
  // sinh^2 of half the distance
  const W q = halved(W((side * side + rise * rise) / area));
  const W slope = quotient_or_zero(number<W>(1), W(root(q) * root(W(q + number<W>(1))))) / area;
  const W sum = (from + to) * rise;
  return gradient_of(
      m,
      {W(side * slope), W(-halved(W((sum + side * side) / from)) * slope * push.exp_minus),
       W(halved(W((sum - side * side) / to)) * slope)},
      u, v, side);
}

// The ball.

/// u and v in coordinates of the hyperboloid. e is the unit vector from the light to u, and `aside`
/// is the unit vector at a right angle to e, toward v. `reach` and `across` are the coordinates of
/// v along these two. sinh and cosh are functions of u's distance from the light, over K;
/// other_cosh is cosh of v's distance.
template <class W, int n>
struct Seen {
  Point<W, n> e, aside;
  W size, gap, other_gap, sinh, cosh, reach, across, other_cosh;
};
template <class W, int n>
MCT_HD inline Seen<W, n> seen(const BallFormulas<W>& m, const Point<W, n>& u,
                              const Point<W, n>& v) {
  const W two = number<W>(2);
  const auto [length, e] = polar(u);
  const Point<W, n> d = v - u;
  const W along = dot(e, d);
  // 0 on the axis, where rounding of the difference would give a random direction
  const W across = area_of(u, pivoted_difference(u, v)) / length;
  const auto on_axis = lead(across) == limb_t<W>(scalar_t<limb_t<W>>(0));
  const Point<W, n> aside =
      polar(Point<W, n>(d - e * along)).direction * blend(on_axis, number<W>(0), number<W>(1));
  Seen<W, n> s{e,
               aside,
               W(length / m.radius),
               W(inner_gap(m, u) / (m.radius * m.radius)),
               W(inner_gap(m, v) / (m.radius * m.radius)),
               {},
               {},
               {},
               {},
               {}};
  s.sinh = doubled(s.size) / s.gap;
  s.cosh = (two - s.gap) / s.gap;
  s.reach = doubled(W((length + along) / m.radius)) / s.other_gap;
  s.across = doubled(W(across / m.radius)) / s.other_gap;
  s.other_cosh = (two - s.other_gap) / s.other_gap;
  return s;
}
/// Derivatives by the members of Seen.
template <class W>
struct SeenSlopes {
  W sinh, reach, across, other_cosh;
};
template <class W, int n>
MCT_HD inline PairGradient<W, n> gradient_of(const SeenSlopes<W>& slopes, const Seen<W, n>& s) {
  const W turn = (s.across * slopes.reach - s.reach * slopes.across) / s.size;
  const W along = slopes.reach + slopes.other_cosh * (s.reach / s.other_cosh);
  const W across = slopes.across + slopes.other_cosh * (s.across / s.other_cosh);
  const W outward = s.reach * along + s.across * across;
  const W scale = number<W>(2) / s.other_gap;
  PairGradient<W, n> g;
  g.by_u = s.e * W(slopes.sinh * doubled(s.cosh) / s.gap) + s.aside * turn;
  g.by_v =
      s.e * W(scale * along + outward * s.reach) + s.aside * W(scale * across + outward * s.across);
  return g;
}
/// t = across c - reach s with s = sinh r / sinh d and c = sqrt(1 - s^2).
template <class W, int n>
MCT_HD inline PairGradient<W, n> beyond_gradient(const UmbralFormulas<BallFormulas<W>, W>& f,
                                                 const Point<W, n>& u, const Point<W, n>& v) {
  const Seen<W, n> s = seen<W, n>(f, u, v);
  const Opening<W> edge = ball_opening(f, u, f.ball);
  const W t = s.across * edge.cosine - s.reach * edge.sine;
  const W slope = number<W>(1) / hypotenuse(number<W>(1), t);
  const W opening = s.across * (edge.sine / edge.cosine) + s.reach;
  return gradient_of({W(opening * (edge.sine / s.sinh) * slope), W(-edge.sine * slope),
                      W(edge.cosine * slope), number<W>(0)},
                     s);
}
/// D = across c - reach sinh R coth d + cosh(d_v) sinh R with c = sqrt(1 - (sinh R / sinh d)^2).
template <class W, int n>
MCT_HD inline PairGradient<W, n> beyond_gradient(const PenumbralFormulas<BallFormulas<W>, W>& f,
                                                 const Point<W, n>& u, const Point<W, n>& v) {
  const Seen<W, n> s = seen<W, n>(f, u, v);
  const Opening<W> edge = f.opening(u);
  const W slope = number<W>(1) / hypotenuse(number<W>(1), f.excess(u, v));
  const W opening = s.across * (edge.sine / edge.cosine) + s.reach / s.cosh;
  return gradient_of({W(opening * (edge.sine / s.sinh) * slope), W(-edge.sine * s.cosh * slope),
                      W(edge.cosine * slope), W(edge.sine * s.sinh * slope)},
                     s);
}
/// Derivatives of the distance of v from the apex x beyond u. |x| = (|u| + T) / (1 + |u| T) for T =
/// tanh of half the way from u to x.
template <class W, int n>
MCT_HD inline PairGradient<W, n> apex_gradient(const BallFormulas<W>& m, const Point<W, n>& u,
                                               const Point<W, n>& v, const Reach<W>& push) {
  const W one = number<W>(1);
  const auto [length, e] = polar(u);
  const W size = length / m.radius;
  const W span = one + size * push.tanh_half;
  const Point<W, n> x = e * W((size + push.tanh_half) / span);
  const Point<W, n> d = v / m.radius - x;
  const W near = inner_gap(m, u) / (m.radius * m.radius) * (push.sech2_half / span / span);
  const W far = inner_gap(m, v) / (m.radius * m.radius);
  const W q = squared_norm(d) / near / far;
  const W scale = doubled(quotient_or_zero(one, W(root(q) * root(W(q + one)))));
  const Point<W, n> step = d * W(scale / near / far);
  const Point<W, n> by_x = x * W(scale * q / near) - step;
  const W radial = dot(e, by_x);
  PairGradient<W, n> g;
  g.by_v = step + v * W(scale * q / far / m.radius);
  g.by_u = (by_x - e * radial) * W((size + push.tanh_half) / (span * size)) +
           e * W(radial * (push.sech2_half / span / span));
  return g;
}

/// The distance from the apex if the altitude is positive, else from the boundary.
template <class F, class W, int n>
MCT_HD inline PairGradient<W, n> nearest_gradient(const F& f, const Point<W, n>& u,
                                                  const Point<W, n>& v, const W& gamma) {
  using L = limb_t<W>;
  const auto above = lead(f.lift(u, v)) > L(scalar_t<L>(0));
  const auto near = [&] { return apex_gradient(f, u, v, reach_of(W(gamma / f.radius))); };
  PairGradient<W, n> g = somewhere(!above) ? beyond_gradient(f, u, v) : near();
  if (somewhere(above) && somewhere(!above)) {
    const PairGradient<W, n> apex = near();
    g.by_u = blend(above, apex.by_u, g.by_u);
    g.by_v = blend(above, apex.by_v, g.by_v);
  }
  g.value = f.cone_distance(u, v, gamma);
  return g;
}

}  // namespace detail

/// cones.cone_distance(u, v, gamma) and its derivatives by both points, for UmbralCones and
/// PenumbralCones, for numbers and SIMD lanes. At a corner derivatives belong to the case that
/// holds, as in autograd.hpp. On the axis the derivative by the distance from the axis is 0; at
/// equal points this is the mean over all sides. At the apex moved by gamma derivatives are 0.
/// Rounding errors are relative to the size of the terms. Far out, next to a cone's axis, terms
/// cancel, and few digits are right. Domain: as cone_distance; in the half-space squares of
/// coordinates must not overflow. Source: the derivatives of Yu 2024, theorems 2.2.5, A.1.2 and
/// lemma A.1.1, with the corrections of docs/errata.md.
template <class C, class V, int n>
requires requires(const C& cones, const Point<work_t<V>, n>& x) {
  detail::beyond_gradient(cones.formulas(), x, x);
}
MCT_HD inline PairGradient<V, n> cone_distance_gradient(const C& cones, const Point<V, n>& u,
                                                        const Point<V, n>& v,
                                                        const std::type_identity_t<V>& gamma) {
  static_assert(std::is_same_v<V, typename C::Value>, "points of another number type");
  cones.require(u, v);
  const auto g = detail::nearest_gradient(cones.formulas(), detail::to_work(u), detail::to_work(v),
                                          detail::to_work(gamma));
  return {detail::from_work<V>(g.value), detail::from_work<V>(g.by_u),
          detail::from_work<V>(g.by_v)};
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
