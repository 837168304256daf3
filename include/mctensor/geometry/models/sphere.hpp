// The sphere |x| = K with the metric of the space around it: curvature 1 / K^2.
#pragma once

#include "mctensor/geometry/manifold.hpp"
#include "mctensor/math/inverse_trig.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The unit vector of the axis on which the coordinate of x has the least magnitude.
template <class W, int n>
MCT_HD inline Point<W, n> least_axis(const Point<W, n>& x) {
  int least = 0;
  for (int i = 1; i < x.size(); ++i)
    if (magnitude(lead(x[i])) < magnitude(lead(x[least]))) least = i;
  return generate<Point<W, n>>(x.size(), [&](int i) { return number<W>(i == least ? 1 : 0); });
}

template <class W>
struct SphereFormulas : CommonFormulas<SphereFormulas<W>, W> {
  static constexpr int curvature_sign = 1;
  static constexpr int least_coordinates = 2;
  using CommonFormulas<SphereFormulas<W>, W>::radius;

  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(),
                                 [&](int i) { return i == x.size() - 1 ? radius : number<W>(0); });
  }
  /// The difference z - x and the sum z + x, which are at right angles. z is the point of the ray
  /// through y that is as far from the center as x: z = y - y (|y| - |x|) / |y|. Here |y| - |x| is
  /// computed as (y - x).(y + x) / (|x| + |y|). With y itself, the rounding of coordinates, which
  /// moves points off the sphere, would spoil a short difference or sum.
  template <int n>
  struct Chords {
    Point<W, n> difference, sum;
  };
  template <int n>
  MCT_HD Chords<n> chords(const Point<W, n>& x, const Point<W, n>& y) const {
    const Point<W, n> difference = y - x;
    const Point<W, n> sum = y + x;
    const W length = norm_of(y);
    const W longer = dot(difference, sum) / ((norm_of(x) + length) * length);
    return {difference - y * longer, sum - y * longer};
  }
  /// K times twice the angle whose tangent is |difference| / |sum|. This is accurate for near and
  /// for opposite points.
  template <int n>
  MCT_HD W dist(const Point<W, n>& x, const Point<W, n>& y) const {
    using std::atan2;
    const auto c = chords(x, y);
    return doubled(W(radius * atan2(norm_of(c.difference), norm_of(c.sum))));
  }
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    using std::cos;
    using std::sin;
    const auto [length, e] = polar(u);
    const W s = length / radius;
    return x * W(cos(s)) + e * W(radius * sin(s));
  }
  /// K (x + u) / |x + u|: the point of the geodesic at the distance K atan(|u| / K) from x.
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return polar(x + u).direction * radius;
  }
  /// A unit tangent vector at x: the projection of an axis that is far from the direction of x.
  template <int n>
  MCT_HD Point<W, n> any_direction(const Point<W, n>& x) const {
    return polar(proju(x, least_axis(x))).direction;
  }
  /// The unit tangent vector at x in the direction of y: the tangent part of a chord. The
  /// projection is applied twice, because a single projection leaves a rounding error in proportion
  /// to the chord. For an opposite point that error may be all that is left.
  template <int n>
  MCT_HD Point<W, n> direction_to(const Point<W, n>& x, const Point<W, n>& y) const {
    const auto c = chords(x, y);
    using L = limb_t<W>;
    const auto near = lead(norm_of(c.difference)) <= lead(norm_of(c.sum));
    const Point<W, n> along = part_across(x, blend(near, c.difference, c.sum));
    const auto lost = !near && lead(norm_of(along)) <=
                                   L(scalar_t<L>(4 * unit_roundoff<W>())) * lead(norm_of(x + y));
    if (somewhere(lost)) return any_direction(x);
    return polar(part_across(x, along)).direction;
  }
  template <int n>
  MCT_HD Point<W, n> logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    return direction_to(x, y) * dist(x, y);
  }
  /// The rotation from x to y in their plane: the reflection along x, then the reflection along the
  /// sum of x and y.
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    const auto [length, middle] = polar(chords(x, y).sum);
    const auto once = reflected(polar(x).direction, u);
    const auto opposite = lead(length) == limb_t<W>(scalar_t<limb_t<W>>(0));
    if (somewhere(opposite)) return reflected(any_direction(x), once);
    return reflected(middle, once);
  }
  template <int n>
  MCT_HD static Point<W, n> reflected(const Point<W, n>& along, const Point<W, n>& u) {
    return u - along * doubled(dot(along, u));
  }
  template <int n>
  MCT_HD Point<W, n> geodesic(const W& t, const Point<W, n>& x, const Point<W, n>& y) const {
    const auto [from, to, part] = nearer_end(t, x, y);
    return expmap(from, logmap(from, to) * part);
  }
  template <int n>
  MCT_HD Point<W, n> antipode(const Point<W, n>& x) const {
    return -x;
  }
  /// The distance d from the great sphere through p with the normal vector a: sin(d / K) = x.a /
  /// (|x| |a|). The cosine is computed from the part of x across a, so that digits are kept where
  /// the sine is near 1.
  template <int n>
  MCT_HD W dist2plane(const Point<W, n>& x, const Point<W, n>& p, const Point<W, n>& a) const {
    using std::atan2;
    const Point<W, n> e = polar(part_across(p, a)).direction;
    const W up = long_dot(x, e);
    return radius * atan2(up, norm_of(part_across(e, x)));
  }
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    return radial_projection(*this, x);
  }
  template <int n>
  MCT_HD Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& u) const {
    return part_across(x, u);
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double tolerance) const {
    const W off = norm_of(x) - radius;
    return magnitude(lead(off)) <= tolerance * lead(radius);
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double tolerance) const {
    return is_tangent_to_sphere(radius, x, u, tolerance);
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The sphere of radius K: n + 1 coordinates. Points are single points, not SIMD lanes, because
/// sine and arc tangent branch.
///
/// Points are used as given, although rounding may move them off the sphere. Distances over K are
/// angles between the points' rays. Bounds: manifold_bound of n + 1 coordinates. Let o be the
/// distance by which x and y together are off the sphere (a few K u^N). The bound of norm is
/// relative. The bounds of expmap and retr are relative to |z| plus its condition number. The bound
/// of geodesic is relative to |z| + t |dz / dt| + o a / sin a, where a is the angle between the
/// ends and t counts from the nearer end. (The result is as far from the center as this end.) The
/// bound of dist is relative to the result plus o. The bound of logmap is relative to |z| + o t /
/// sin t with the angle t. The bound of ptransp, the rotation from x to y, is relative to the
/// length of the vector times 1 + o / |x + y|. logmap and ptransp keep their digits near the
/// antipode. At the antipode itself the direction is arbitrary, but the same for both.
template <class V>
struct Sphere : Manifold<detail::SphereFormulas, V> {
  using Manifold<detail::SphereFormulas, V>::Manifold;
};
template <class V>
Sphere(V) -> Sphere<V>;

}  // namespace mct::geometry
