// The spaces that the Riemannian optimizers are tested on, with the gradients of squared distances.
#pragma once

#include <cmath>
#include <vector>

#include "mctensor/geometry/optim/optim.hpp"

namespace mct::geometry_test {

using namespace mct::geometry;

/// A kind of rows, how many coordinates they have, random ones and distances.
template <class Rows>
struct Space;

/// The partial derivatives of d(x, y)^2 / 2 by x: those whose Riemannian gradient is -log_x(y).
template <class Model, class P>
P partials(const Model& model, const P& x, const P& y) {
  using V = typename Model::Value;
  const P r = model.logmap(x, y) * V(-1);
  P g = r;
  if constexpr (std::is_same_v<Model, Lorentz<V>>) {
    g[0] = V(-1) * g[0];
  } else if constexpr (std::is_same_v<Model, Klein<V>>) {
    for (int i = 0; i < x.size(); ++i) {
      P e(x.size());
      e[i] = V(1);
      g[i] = model.inner(x, r, e);
    }
  } else if (double(dot(r, r)) > 0) {
    g = r * V(model.inner(x, r, r) / dot(r, r));  // conformal models
  }
  return g;
}

template <template <class> class M, class T, int N>
struct Space<ManifoldRows<M, T, N>> {
  using Rows = ManifoldRows<M, T, N>;
  static Rows make(double radius) { return Rows(radius); }
  static constexpr std::int64_t columns = 3;
  static typename Rows::RowPoint random(const Rows& rows, std::uint64_t index) {
    return rows.model().random_normal(int(columns), 7, index, 0.5 * rows.radius());
  }
  static std::vector<T> gradient(const Rows& rows, const typename Rows::RowPoint& x,
                                 const typename Rows::RowPoint& y) {
    const auto g = partials(rows.model(), x, y);
    std::vector<T> r;
    for (int i = 0; i < g.size(); ++i) r.push_back(T(double(g[i])));
    return r;
  }
  static double distance(const Rows& rows, const typename Rows::RowPoint& x,
                         const typename Rows::RowPoint& y) {
    return double(rows.model().dist(x, y));
  }
  static typename Rows::RowPoint middle(const Rows& rows, const typename Rows::RowPoint& x,
                                        const typename Rows::RowPoint& y) {
    return rows.model().geodesic(typename Rows::Value(0.5), x, y);
  }
  static bool is_tangent(const Rows& rows, const typename Rows::RowPoint& x,
                         const typename Rows::Vector& u) {
    return rows.model().check_vector(x, u, 64);
  }
};

template <class S, class T, int M, int n>
struct Space<HalfSpaceRows<S, T, M, n>> {
  using Rows = HalfSpaceRows<S, T, M, n>;
  using P = typename Rows::RowPoint;
  static Rows make(double radius) { return Rows(radius); }
  static constexpr std::int64_t columns = n;
  static P random(const Rows& rows, std::uint64_t index) {
    typename Rows::Vector v;
    double pair[2];
    for (int i = 0; i < n; ++i) {
      geometry::detail::normal_numbers(11, index, std::uint32_t(i), pair);
      v[std::size_t(i)] = typename Rows::Work(0.5 * pair[0]);
    }
    return rows.expmap(S::template origin<n>(), v);
  }
  static std::vector<T> gradient(const Rows& rows, const P& x, const P& y) {
    const auto d = rows.space().template dist<n>(x, y);
    auto g = rows.space().template direction<n>(x, y);
    if constexpr (!Rows::is_logarithmic) g = rows.space().template gradient<n>(x, y);
    std::vector<T> r;
    for (const auto c : g)
      r.push_back(T(c * d * (Rows::is_logarithmic ? rows.space().radius() : 1)));
    return r;
  }
  static double distance(const Rows& rows, const P& x, const P& y) {
    return double(rows.space().template dist<n>(x, y));
  }
  static P middle(const Rows& rows, const P& x, const P& y) {
    auto v = rows.space().template logmap<n>(x, y);
    for (auto& c : v) c /= 2;
    return rows.expmap(x, v);
  }
  static bool is_tangent(const Rows&, const P&, const typename Rows::Vector&) { return true; }
};

using PlaneAndSphere =
    ProductRows<ManifoldRows<PoincareBall, double>, ManifoldRows<Sphere, double>>;
template <>
struct Space<PlaneAndSphere> {
  using Rows = PlaneAndSphere;
  using Plane = Space<ManifoldRows<PoincareBall, double>>;
  using Ball = Space<ManifoldRows<Sphere, double>>;
  using P = Rows::RowPoint;
  static Rows make(double radius) {
    return Rows(
        ProductPart<ManifoldRows<PoincareBall, double>>{ManifoldRows<PoincareBall, double>(radius),
                                                        3, 1},
        ProductPart<ManifoldRows<Sphere, double>>{ManifoldRows<Sphere, double>(2 * radius), 3,
                                                  0.5});
  }
  static constexpr std::int64_t columns = 6;
  static P random(const Rows& rows, std::uint64_t index) {
    return {Plane::random(rows.part<0>(), index), Ball::random(rows.part<1>(), index)};
  }
  static std::vector<double> gradient(const Rows& rows, const P& x, const P& y) {
    auto g = Plane::gradient(rows.part<0>(), std::get<0>(x), std::get<0>(y));
    // the weight of the second part, squared
    for (const double c : Ball::gradient(rows.part<1>(), std::get<1>(x), std::get<1>(y)))
      g.push_back(0.25 * c);
    return g;
  }
  static double distance(const Rows& rows, const P& x, const P& y) {
    return std::hypot(Plane::distance(rows.part<0>(), std::get<0>(x), std::get<0>(y)),
                      0.5 * Ball::distance(rows.part<1>(), std::get<1>(x), std::get<1>(y)));
  }
  static P middle(const Rows& rows, const P& x, const P& y) {
    return {Plane::middle(rows.part<0>(), std::get<0>(x), std::get<0>(y)),
            Ball::middle(rows.part<1>(), std::get<1>(x), std::get<1>(y))};
  }
  static bool is_tangent(const Rows& rows, const P& x, const Rows::Vector& u) {
    return Plane::is_tangent(rows.part<0>(), std::get<0>(x), std::get<0>(u)) &&
           Ball::is_tangent(rows.part<1>(), std::get<1>(x), std::get<1>(u));
  }
};

}  // namespace mct::geometry_test
