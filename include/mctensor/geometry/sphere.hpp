// The sphere |x| = K with the metric of the space around it: curvature 1 / K^2.
#pragma once

#include "mctensor/geometry/manifold.hpp"
#include "mctensor/math/inverse_trig.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

template <class W>
struct SphereFormulas {
  static constexpr int least_coordinates = 1;

  W radius;

  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(),
                                 [&](int i) { return i == x.size() - 1 ? radius : number<W>(0); });
  }
  template <int n>
  MCT_HD Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    return u;
  }
  /// Half the angle between x and y: atan(|y - x| / |y + x|), accurate for near and for opposite
  /// points.
  template <int n>
  MCT_HD W half_angle(const Point<W, n>& x, const Point<W, n>& y) const {
    using std::atan2;
    return atan2(norm_of(y - x), norm_of(y + x));
  }
  template <int n>
  MCT_HD W dist(const Point<W, n>& x, const Point<W, n>& y) const {
    return doubled(W(radius * half_angle(x, y)));
  }
  template <int n>
  MCT_HD W dist0(const Point<W, n>& x) const {
    return dist(origin_like(x), x);
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>&, const Point<W, n>& u, const Point<W, n>& v) const {
    return dot(u, v);
  }
  template <int n>
  MCT_HD W norm(const Point<W, n>&, const Point<W, n>& u) const {
    return norm_of(u);
  }
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    using std::cos;
    using std::sin;
    const auto [length, e] = polar(u);
    const W s = length / radius;
    return x * W(cos(s)) + e * W(radius * sin(s));
  }
  template <int n>
  MCT_HD Point<W, n> expmap0(const Point<W, n>& u) const {
    return expmap(origin_like(u), u);
  }
  /// (x + u) / |x + u| K: the geodesic to K atan(|u| / K).
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return polar(x + u).direction * radius;
  }
  /// A unit vector at x: along the coordinate in which x is least.
  template <int n>
  MCT_HD Point<W, n> any_direction(const Point<W, n>& x) const {
    int least = 0;
    for (int i = 1; i < x.size(); ++i)
      if (eft::magnitude(lead(x[i])) < eft::magnitude(lead(x[least]))) least = i;
    const Point<W, n> axis =
        generate<Point<W, n>>(x.size(), [&](int i) { return number<W>(i == least ? 1 : 0); });
    return polar(proju(x, axis)).direction;
  }
  /// d + |d|^2 / (2 K^2) x, the part of d = y - x that is tangent, brought to length. Of opposite
  /// points it is but rounding.
  template <int n>
  MCT_HD Point<W, n> logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    const W rest = norm_of(y + x);
    if (lead(rest) <= 4 * unit_roundoff<W>() * lead(radius)) return any_direction(x) * dist(x, y);
    const Point<W, n> d = y - x;
    const auto scale = unit_scale(d);
    const Point<W, n> unit = times(d, scale);
    const W along = over(W(halved(squared_norm(unit)) / (radius * radius)), scale);
    return polar(unit + x * along).direction * dist(x, y);
  }
  template <int n>
  MCT_HD Point<W, n> logmap0(const Point<W, n>& y) const {
    return logmap(origin_like(y), y);
  }
  /// u - (y.u) / (K^2 + x.y) (x + y), with K^2 + x.y = |x + y|^2 / 2 and y.u = d.u.
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    const Point<W, n> sum = x + y;
    return u - sum * W(doubled(dot(y - x, u)) / squared_norm(sum));
  }
  template <int n>
  MCT_HD Point<W, n> ptransp0(const Point<W, n>& y, const Point<W, n>& u) const {
    return ptransp(origin_like(y), y, u);
  }
  template <int n>
  MCT_HD Point<W, n> geodesic(const W& t, const Point<W, n>& x, const Point<W, n>& y) const {
    return expmap(x, logmap(x, y) * t);
  }
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    return radial_projection(*this, x);
  }
  template <int n>
  MCT_HD Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& u) const {
    return u - x * W(long_dot(x, u) / (radius * radius));
  }
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    return proju(x, g);
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double tolerance) const {
    const W off = norm_of(x) - radius;
    return eft::magnitude(lead(off)) <= tolerance * lead(radius);
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double tolerance) const {
    return is_tangent_to_sphere(radius, x, u, tolerance);
  }
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE

/// The sphere of radius K: n + 1 coordinates. Scalars only: sine and arc tangent choose a branch.
///
/// Bounds: manifold_bound of n + 1 coordinates, to the result plus K (points are off the sphere by
/// their rounding). Toward the antipode, the direction of logmap has an error of the inverse of the
/// distance that is left; at the antipode itself it is arbitrary.
template <class V>
struct Sphere : Manifold<detail::SphereFormulas, V> {
  using Manifold<detail::SphereFormulas, V>::Manifold;
};
template <class V>
Sphere(V) -> Sphere<V>;

}  // namespace mct::geometry
