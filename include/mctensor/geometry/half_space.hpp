// The Poincaré half-space: last coordinate h > 0, metric K^2 |dx|^2 / h^2.
//
// Source of expmap: Yu 2024, appendix B.2.2, whose stable form is replaced by one without
// subtraction and without squares of large functions: with the unit vector e along the tangent,
// r = |e without its last coordinate|,
//   cosh s - e_n sinh s = e^-s + sinh s r^2 / (1 + e_n)   for e_n >= 0.
#pragma once

#include "mctensor/geometry/manifold.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// 0 <= t: cosh s - c sinh s for the cosine c of an angle whose sine is r.
template <class W>
MCT_HD inline W falling(const Reach<W>& reach, const W& c, const W& r) {
  using L = limb_t<W>;
  const auto forward = lead(c) >= L(scalar_t<L>(0));
  const W one = number<W>(1);
  const W positive = reach.exp_minus + reach.sinh * r * r / (one + blend(forward, c, one));
  return blend(forward, positive, W(reach.cosh - c * reach.sinh));
}

/// The half-space of any dimension; the hemisphere is a totally geodesic part of it.
template <class Model, class W>
struct UpperFormulas : HyperbolicFormulas<Model, W> {
  using HyperbolicFormulas<Model, W>::radius;

  template <int n>
  MCT_HD static const W& height(const Point<W, n>& x) {
    return x[x.size() - 1];
  }
  /// x with 0 for its last coordinate.
  template <int n>
  MCT_HD static Point<W, n> horizontal(Point<W, n> x) {
    x[x.size() - 1] = number<W>(0);
    return x;
  }

  template <int n>
  MCT_HD W half_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    return halved(W(norm_of(y - x) / (root(height(x)) * root(height(y)))));
  }
  template <int n>
  MCT_HD W length(const Point<W, n>& x, const Point<W, n>& u) const {
    return norm_times(u, W(number<W>(1) / height(x)));
  }
  template <int n>
  MCT_HD W lambda_x(const Point<W, n>& x) const {
    return radius / height(x);
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const W lambda = lambda_x(x);
    return dot(u * lambda, v * lambda);
  }
  template <int n>
  MCT_HD Point<W, n> advance(const Point<W, n>& x, const Point<W, n>& u,
                             const Reach<W>& reach) const {
    const W h = height(x);
    const Point<W, n> e = polar(u).direction;
    const auto [r, sideways] = polar(horizontal(e));
    const W fall = falling(reach, height(e), r);
    const W step = h * (reach.sinh * r / fall);
    Point<W, n> z = generate<Point<W, n>>(
        x.size(), [&, &along = sideways](int i) { return W(x[i] + step * along[i]); });
    z[x.size() - 1] = h / fall;
    return z;
  }
  /// 2 x_n (y - x) sideways and (y_n - x_n)(y_n + x_n) + |sideways|^2 upward, scaled.
  template <int n>
  MCT_HD Point<W, n> toward(const Point<W, n>& x, const Point<W, n>& y) const {
    Point<W, n> d = y - x;
    const W dh = height(d);
    d[x.size() - 1] = height(y) + height(x);
    const auto scale = unit_scale(d);
    d = times(d, scale);
    const W h = times(height(x), scale);
    const W top = height(d);
    const Point<W, n> flat = horizontal(d);
    Point<W, n> v = flat * doubled(h);
    v[x.size() - 1] = times(dh, scale) * top + squared_norm(flat);
    return v;
  }
  /// The rotation by twice the angle whose tangent is |sideways| / (x_n + y_n), from up to
  /// sideways, times y_n / x_n.
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    Point<W, n> d = y - x;
    d[x.size() - 1] = height(x) + height(y);
    d = polar(d).direction;
    const W cosine = height(d);
    const Point<W, n> sine = horizontal(d);
    const W s2 = squared_norm(sine);
    const W un = height(u);
    const W us = dot(sine, u);
    const W ratio = height(y) / height(x);
    const W a = doubled(W(cosine * un - us));
    Point<W, n> v =
        generate<Point<W, n>>(x.size(), [&](int i) { return W(ratio * (u[i] + a * sine[i])); });
    v[x.size() - 1] = ratio * (un - doubled(W(s2 * un + cosine * us)));
    return v;
  }
};

template <class W>
struct HalfSpaceFormulas : UpperFormulas<HalfSpaceFormulas<W>, W> {
  using UpperFormulas<HalfSpaceFormulas<W>, W>::radius;
  using UpperFormulas<HalfSpaceFormulas<W>, W>::height;

  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(),
                                 [&](int i) { return number<W>(i == x.size() - 1 ? 1 : 0); });
  }
  template <int n>
  MCT_HD Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    return u / radius;
  }
  template <class V, int n>
  MCT_HD Point<W, n> projx(Point<W, n> x) const {
    using L = limb_t<W>;
    W& h = x[x.size() - 1];
    const auto below = lead(h) <= L(scalar_t<L>(0));
    h = blend(below, W(L(scalar_t<L>(std::numeric_limits<scalar_t<limb_t<V>>>::min()))), h);
    return x;
  }
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    const W inverse = height(x) / radius;
    return (g * inverse) * inverse;
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double) const {
    const W size = norm_of(x);
    return lead(size) - lead(size) == 0 && lead(height(x)) > 0;
  }
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE

/// The half-space of radius of curvature K: n coordinates, the last one positive. The coordinates
/// have no unit: multiplying all of them by a number is an isometry. The origin is (0, ..., 0, 1).
///
/// Bounds: manifold_bound of n coordinates. Relative and without a condition number: dist, dist0,
/// norm, inner (to the product of the lengths), logmap and ptransp (to the length of the result),
/// egrad2rgrad. expmap, retr, geodesic: each coordinate to |z_i| plus its condition number, the sum
/// of |dz_i / d input| |input|; for the height that is (1 + s) z_n, s = |u|_x / K. Domain: all
/// heights that are normal numbers to their last limb, in double distances to 1400 from each other.
template <class V>
struct HalfSpace : Manifold<detail::HalfSpaceFormulas, V> {
  using Manifold<detail::HalfSpaceFormulas, V>::Manifold;
  HalfSpace with_radii(const std::array<V, 1>& k) const { return HalfSpace(k[0]); }
};
template <class V>
HalfSpace(V) -> HalfSpace<V>;

}  // namespace mct::geometry
