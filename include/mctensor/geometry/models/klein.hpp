// The Klein model: |x| < K, geodesics are straight lines,
// <u, v>_x = K^2 (G u.v + (x.u)(x.v)) / G^2 with G = K^2 - |x|^2.
//
// sinh^2(dist / K) = (G_x |d|^2 + (x.d)^2) / (G_x G_y) with d = y - x, because
// |d|^2 K^2 - |x ^ d|^2 = G_x |d|^2 + (x.d)^2. So no large numbers are subtracted.
#pragma once

#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

template <class W>
struct KleinFormulas : OpenBallFormulas<KleinFormulas<W>, W> {
  using OpenBallFormulas<KleinFormulas<W>, W>::gap;
  using OpenBallFormulas<KleinFormulas<W>, W>::radius;

  /// sinh of half the distance. With S, the sinh of the whole distance, it is S / sqrt(2 (1 +
  /// sqrt(1 + S^2))).
  template <int n>
  MCT_HD W half_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    const W s = whole_sinh(x, y);
    const W one = number<W>(1);
    return s / root(doubled(W(one + hypotenuse(one, s))));
  }
  template <int n>
  MCT_HD W whole_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    // Divided before the root is taken: products of a small radius and small differences would
    // underflow.
    const W ry = root(gap(y));
    return hypotenuse(W(norm_of(y - x) / ry),
                      W(dot_with_difference(x, x, y) / (root(gap(x)) * ry)));
  }
  template <int n>
  MCT_HD W arc(const Point<W, n>& x, const Point<W, n>& y) const {
    return asinh_of(whole_sinh(x, y));
  }
  template <int n>
  MCT_HD W length(const Point<W, n>& x, const Point<W, n>& u) const {
    const W g = gap(x);
    const auto scale = unit_scale(u);
    const Point<W, n> unit = times(u, scale);
    return over(W(hypotenuse(W(root(g) * norm_of(unit)), long_dot(x, unit)) / g), scale);
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const W g = gap(x);
    const W k2 = radius * radius;
    // Coordinates are smaller than lengths. Products of tiny coordinates would underflow first.
    const auto small_u = unit_scale(u);
    const auto small_v = unit_scale(v);
    const Point<W, n> a = times(u, small_u);
    const Point<W, n> b = times(v, small_v);
    const W both =
        k2 / g * dot(a, b) + (radius * long_dot(x, a) / g) * (radius * long_dot(x, b) / g);
    return over(over(both, small_u), small_v);
  }
  /// x + sinh s u / (cosh s + c sinh s) for a u of length 1. c = x.u / G is the cosine of the angle
  /// between u and the outward direction at x, as in the half-space.
  template <int n>
  MCT_HD Point<W, n> advance(const Point<W, n>& x, const Point<W, n>& u,
                             const Reach<W>& reach) const {
    using L = limb_t<W>;
    // This vector does not have length 1: rounding would turn a unit vector, and K / sqrt(G) would
    // multiply that error.
    const Point<W, n> e = times(u, unit_scale(u));
    const W size = length(x, e);
    const auto still = lead(size) == L(scalar_t<L>(0));
    const W inverse = number<W>(1) / blend(still, number<W>(1), size);
    const W g = gap(x);
    const W cosine = long_dot(x, e) * inverse / g;
    const W sine = norm_of(e) * inverse / root(g);
    const W step = reach.sinh * inverse / falling(reach, W(-cosine), sine);
    return kept_inside(radius, x + e * step);
  }
  /// For s > 300, every point is on the boundary to the last digit, and e^s may overflow.
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    using L = limb_t<W>;
    const W s = length(x, u);
    const auto far = lead(s) > L(scalar_t<L>(300));
    return advance(x, u, reach_of(blend(far, number<W>(300), s)));
  }
  /// The weighted mean of x and y. The weight of a point is its share times its time, K^2 /
  /// sqrt(G).
  template <int n>
  MCT_HD Point<W, n> between(const Point<W, n>& x, const Point<W, n>& y,
                             const Share<W>& share) const {
    const W own = number<W>(1) / root(gap(x));
    const W other = number<W>(1) / root(gap(y)) * share.second * share.first;
    const W sum = own + other;
    const W a = own / sum;
    const W b = other / sum;
    return kept_inside(
        radius, generate<Point<W, n>>(x.size(), [&](int i) { return W(x[i] * a + y[i] * b); }));
  }
  template <int n>
  MCT_HD Point<W, n> toward(const Point<W, n>& x, const Point<W, n>& y) const {
    return y - x;
  }
  /// Computed in the ball: b = K x / (K + r) with r = sqrt(G), and back x = 2 K^2 b / (K^2 +
  /// |b|^2).
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    // As in BallFormulas::ptransp, lengths are scaled so that the radius is near 1.
    const auto unit = scale_to_unit(lead(radius));
    KleinFormulas near;
    near.radius = times(radius, unit);
    return near.ptransp_of_unit(times(x, unit), times(y, unit), u);
  }
  template <int n>
  MCT_HD Point<W, n> ptransp_of_unit(const Point<W, n>& x, const Point<W, n>& y,
                                     const Point<W, n>& u) const {
    const W rx = root(gap(x));
    const W ry = root(gap(y));
    const W sx = radius / (radius + rx);
    const W sy = radius / (radius + ry);
    const W k2 = radius * radius;
    const W gap_x = doubled(W(radius * rx * sx));
    const W gap_y = doubled(W(radius * ry * sy));
    const Point<W, n> from = x * sx;
    const Point<W, n> to = y * sy;
    const Point<W, n> in_ball = u * sx + from * W(long_dot(x, u) * sx / (radius * rx));
    const Point<W, n> v =
        gyration_from_gaps(radius, from, gap_x, to, gap_y, in_ball) * W(gap_y / gap_x);
    const W scale = doubled(k2) / (k2 + squared_norm(to));
    return v * scale - to * W(long_dot(to, v) * scale * scale / k2);
  }

  /// G / K^2 (g - x (x.g) / K^2)
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    const W k2 = radius * radius;
    return (g - x * W(long_dot(x, g) / k2)) * W(gap(x) / k2);
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The Klein ball of radius K: n coordinates, domain |x| < K.
///
/// All bounds are manifold_bound of n coordinates. For dist, dist0 and norm the bound is relative
/// to the result. For expmap and retr it is relative to |z| plus the condition number, which is the
/// sum of |dz / d input| |input|. For geodesic it is relative to |z| + t |dz / dt|, where t is
/// counted from the nearer end; beyond the ends the condition number is added. For logmap it is
/// relative to the length of the result times K / sqrt(G_x). For ptransp it is relative to the
/// Riemannian length times K / sqrt(G_x) + K / sqrt(G_y). Points outside and results next to the
/// boundary are treated as in PoincareBall. In double, all points beyond distance 19 from the
/// origin are on the boundary. The gap has all digits up to the last point for N = 1 and 2, up to
/// distance 36 for N = 3, and up to distance 18 for N = 4.
template <class V>
struct Klein : Manifold<detail::KleinFormulas, V> {
  using Manifold<detail::KleinFormulas, V>::Manifold;
};
template <class V>
Klein(V) -> Klein<V>;

}  // namespace mct::geometry
