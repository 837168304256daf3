// Euclidean space: a factor of products with curved spaces, and the limit of a large radius.
#pragma once

#include "mctensor/geometry/manifold.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

template <class W>
struct EuclideanFormulas : CommonFormulas<EuclideanFormulas<W>, W> {
  static constexpr int curvature_sign = 0;

  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(), [](int) { return number<W>(0); });
  }
  template <int n>
  MCT_HD W dist(const Point<W, n>& x, const Point<W, n>& y) const {
    return norm_of(y - x);
  }
  template <int n>
  MCT_HD Point<W, n> dist_gradient(const Point<W, n>& x, const Point<W, n>& y) const {
    return polar(x - y).direction;
  }
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    return x + u;
  }
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return x + u;
  }
  template <int n>
  MCT_HD Point<W, n> logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    return y - x;
  }
  template <int n>
  MCT_HD Point<W, n> logmap0(const Point<W, n>& y) const {
    return y;
  }
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    return only_where(has_no_nan(x) && has_no_nan(y), u);
  }
  template <int n>
  MCT_HD Point<W, n> geodesic(const W& t, const Point<W, n>& x, const Point<W, n>& y) const {
    const auto [from, to, part] = nearer_end(t, x, y);
    return from + (to - from) * part;
  }
  template <int n>
  MCT_HD W lambda_x(const Point<W, n>&) const {
    return number<W>(1);
  }
  template <int n>
  MCT_HD Point<W, n> component_inner(const Point<W, n>&, const Point<W, n>& u,
                                     const Point<W, n>& v) const {
    return generate<Point<W, n>>(u.size(), [&](int i) { return W(u[i] * v[i]); });
  }
  template <int n>
  MCT_HD W dist2plane(const Point<W, n>& x, const Point<W, n>& p, const Point<W, n>& a) const {
    const auto [length, e] = polar(a);
    return dot_with_difference(e, p, x);
  }
  template <class V, int n>
  MCT_HD W busemann(const Point<W, n>& x, const Point<W, n>& omega) const {
    require_unit<V>(omega);
    return -dot(x, omega);
  }
  template <int n>
  MCT_HD W normal_log_prob(const Point<W, n>& x, const Point<W, n>& mean,
                           const W& deviation) const {
    return normal_log_density(coordinates_in(x), dist(mean, x), deviation, number<W>(0));
  }
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    return x;
  }
  template <int n>
  MCT_HD Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& u) const {
    return only_where(has_no_nan(x), u);
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double) const {
    const W size = norm_of(x);
    return lead(size) - lead(size) == 0;
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double) const {
    return check_point(x, 0) && check_point(u, 0);
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// Euclidean space of n coordinates. Each coordinate of a result has the error of one or two
/// operations. dist and norm have a relative error of (n / 2 + 4) u^N, and no intermediate result
/// over- or underflows.
template <class V>
struct Euclidean : Manifold<detail::EuclideanFormulas, V> {
  using Manifold<detail::EuclideanFormulas, V>::Manifold;
};
template <class V>
Euclidean(V) -> Euclidean<V>;

}  // namespace mct::geometry
