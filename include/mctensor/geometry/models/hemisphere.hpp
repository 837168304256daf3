// The hemisphere: |x| = K, last coordinate h > 0, metric K^2 |dx|^2 / h^2.
//
// It is a totally geodesic hypersurface of the half-space of one dimension more: distance,
// exponential map, logarithm and transport are the same as in the half-space.
#pragma once

#include "mctensor/geometry/models/half_space.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

template <class W>
struct HemisphereFormulas : UpperFormulas<HemisphereFormulas<W>, W> {
  static constexpr int least_coordinates = 2;
  using UpperFormulas<HemisphereFormulas<W>, W>::radius;
  using UpperFormulas<HemisphereFormulas<W>, W>::height;
  using UpperFormulas<HemisphereFormulas<W>, W>::height_at;
  using UpperFormulas<HemisphereFormulas<W>, W>::inside;
  using UpperFormulas<HemisphereFormulas<W>, W>::horizontal;

  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(),
                                 [&](int i) { return i == x.size() - 1 ? radius : number<W>(0); });
  }
  /// The point of the hemisphere on the ray through x, where a height below 0 counts as 0; the
  /// origin for an x straight below the center. Heights are at least the smallest normal number.
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    using L = limb_t<W>;
    const auto below = lead(height(x)) <= L(scalar_t<L>(0));
    Point<W, n> z = x;
    z[z.size() - 1] = blend(below, number<W>(0), height(x));
    z = radial_projection(*this, z);
    const W least = W(L(scalar_t<L>(std::numeric_limits<scalar_t<limb_t<V>>>::min())));
    const auto flat = lead(height(z)) < lead(least);
    z[z.size() - 1] = blend(flat, least, height(z));
    return z;
  }
  template <int n>
  MCT_HD Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& u) const {
    return only_where(inside(x), part_across(x, u));
  }
  /// (h / K)^2 times the projection of g.
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    const W inverse = height_at(x) / radius;
    return (proju(x, g) * inverse) * inverse;
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double tolerance) const {
    const W size = norm_of(x) - radius;
    return lead(height(x)) > 0 && magnitude(lead(size)) <= tolerance * lead(radius);
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double tolerance) const {
    return is_tangent_to_sphere(radius, x, u, tolerance);
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The upper hemisphere of radius K. A point has n + 1 coordinates; the last one is positive.
///
/// The bounds are the bounds of the half-space. Results are off the sphere only by their rounding.
/// A point off the sphere counts as a point of the surrounding half-space.
template <class V>
struct Hemisphere : Manifold<detail::HemisphereFormulas, V> {
  using Manifold<detail::HemisphereFormulas, V>::Manifold;
};
template <class V>
Hemisphere(V) -> Hemisphere<V>;

}  // namespace mct::geometry
