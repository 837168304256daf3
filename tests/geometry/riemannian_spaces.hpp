// The spaces that the Riemannian optimizers are tested on, with the gradients of squared distances.
#pragma once

#include <cmath>
#include <vector>

#include "mctensor/geometry/optim/all.hpp"

namespace mct::geometry_test {

using namespace mct::geometry;

/// A kind of rows, how many coordinates they have, random ones and distances.
template <class Rows>
struct Space;

template <class Rows>
inline constexpr bool is_tiling = false;
template <class Tiling>
inline constexpr bool is_tiling<TilingRows<Tiling>> = true;

/// Points of a space at zero, and one of them in every bit.
template <class Rows>
typename Rows::Points make_points([[maybe_unused]] const Rows& space, std::int64_t rows) {
  if constexpr (is_tiling<Rows>) {
    return typename Rows::Points(rows, space.space().origin());
  } else if constexpr (Rows::components > 4) {
    return typename Rows::Points({Rows::components, rows, Space<Rows>::columns});
  } else {
    return typename Rows::Points({rows, Space<Rows>::columns});
  }
}
template <class Rows>
auto row_bits(const Rows&, const typename Rows::Points& points, std::int64_t row) {
  std::vector<double> bits;
  for (int k = 0; k < Rows::components; ++k) {
    const auto* plane = Rows::plane_of(points, k);
    for (std::int64_t c = 0; c < Rows::columns_of(points); ++c)
      bits.push_back(double(plane[row * Rows::columns_of(points) + c]));
  }
  return bits;
}
/// A point of a tiling as its words and digits.
template <class Tiling>
auto row_bits(const TilingRows<Tiling>& space, const typename TilingRows<Tiling>::Points& points,
              std::int64_t row) {
  std::vector<std::int64_t> words;
  geometry::optim_detail::write_tile(words, points[row]);
  std::vector<double> places;
  for (std::int64_t c = 0; c < space.columns_of(points); ++c)
    for (int k = 0; k < TilingRows<Tiling>::components; ++k)
      places.push_back(geometry::stored_detail::limb_of(
          geometry::stored_detail::coordinate_of(points[row], std::size_t(c)), k));
  return std::pair(words, places);
}
/// Every point in every bit.
template <class Rows>
auto all_bits(const Rows& space, const typename Rows::Points& points) {
  std::vector<decltype(row_bits(space, points, 0))> bits;
  for (std::int64_t row = 0; row < space.rows_of(points); ++row)
    bits.push_back(row_bits(space, points, row));
  return bits;
}

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

template <class M>
struct Space<ManifoldRows<M>> {
  using Rows = ManifoldRows<M>;
  using T = typename Rows::Component;
  static Rows make(double radius) { return Rows(radius); }
  static constexpr std::int64_t columns = 3;
  static typename Rows::RowPoint random(const Rows& rows, std::uint64_t index) {
    return rows.manifold().random_normal(int(columns), 7, index, 0.5 * rows.radius());
  }
  static std::vector<T> gradient(const Rows& rows, const typename Rows::RowPoint& x,
                                 const typename Rows::RowPoint& y) {
    const auto g = partials(rows.manifold(), x, y);
    std::vector<T> r;
    for (int i = 0; i < g.size(); ++i) r.push_back(T(double(g[i])));
    return r;
  }
  static double distance(const Rows& rows, const typename Rows::RowPoint& x,
                         const typename Rows::RowPoint& y) {
    return double(rows.manifold().dist(x, y));
  }
  static typename Rows::RowPoint middle(const Rows& rows, const typename Rows::RowPoint& x,
                                        const typename Rows::RowPoint& y) {
    return rows.manifold().geodesic(typename Rows::Value(0.5), x, y);
  }
  static bool is_tangent(const Rows& rows, const typename Rows::RowPoint& x,
                         const typename Rows::Vector& u) {
    return rows.manifold().check_vector(x, u, 64);
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
    if constexpr (!Rows::is_logarithmic) g = rows.space().template dist_gradient<n>(x, y);
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

template <class Tiling>
struct TilingOf;
template <class V>
struct TilingOf<LTiling<V>> {
  static LTiling<V> make(const V& radius) { return LTiling<V>(radius); }
  static constexpr std::int64_t columns = 2;
};
template <class V, std::size_t n>
struct TilingOf<HTiling<V, n>> {
  static HTiling<V, n> make(const V& radius) { return HTiling<V, n>(radius); }
  static constexpr std::int64_t columns = n;
};
template <class V>
struct TilingOf<LTilingProduct<V>> {
  static LTilingProduct<V> make(const V& radius) { return LTilingProduct<V>(2, radius); }
  static constexpr std::int64_t columns = 4;
};

template <class Tiling>
struct Space<TilingRows<Tiling>> {
  using Rows = TilingRows<Tiling>;
  using P = typename Rows::RowPoint;
  using T = typename Rows::Component;
  static constexpr std::int64_t columns = TilingOf<Tiling>::columns;
  static Rows make(double radius) {
    return Rows(TilingOf<Tiling>::make(typename Rows::Value(T(radius))));
  }
  static P random(const Rows& rows, std::uint64_t index) {
    std::vector<T> v;
    double pair[2];
    for (int i = 0; i < columns; ++i) {
      geometry::detail::normal_numbers(13, index, std::uint32_t(i), pair);
      v.push_back(T(0.8 * pair[0]));
    }
    const P origin = rows.space().origin();
    // at the origin partial derivatives are the vector but for the square of the radius
    return rows.expmap(
        origin, rows.scaled(rows.radius() * rows.radius(), rows.egrad2rgrad(origin, v.data())));
  }
  static std::vector<T> gradient(const Rows& rows, const P& x, const P& y) {
    auto g = rows.scaled(distance(rows, x, y), rows.space().dist_gradient(x, y));
    std::vector<T> r;
    for (std::size_t i = 0; i < std::size_t(columns); ++i)
      r.push_back(T(tiling_detail::lead(geometry::stored_detail::coordinate_of(g, i))));
    return r;
  }
  static double distance(const Rows& rows, const P& x, const P& y) {
    return double(tiling_detail::lead(rows.space().dist(x, y)));
  }
  static P middle(const Rows& rows, const P& x, const P& y) {
    return rows.expmap(x, rows.scaled(0.5, rows.space().logmap(x, y)));
  }
  static bool is_tangent(const Rows&, const P&, const typename Rows::Vector&) { return true; }
};

using PlaneAndSphere = ManifoldRows<Product<PoincareBall<double>, Sphere<double>>>;
template <>
struct Space<PlaneAndSphere> {
  using Rows = PlaneAndSphere;
  using Plane = Space<ManifoldRows<PoincareBall<double>>>;
  using Ball = Space<ManifoldRows<Sphere<double>>>;
  using P = Rows::RowPoint;
  static Rows make(double radius) {
    return Rows(Product(ProductPart{PoincareBall<double>(radius), 3},
                        ProductPart{Sphere<double>(2 * radius), 3, 0.5}));
  }
  static constexpr std::int64_t columns = 6;
  static auto plane(const Rows& rows) { return ManifoldRows(rows.manifold().part<0>()); }
  static auto ball(const Rows& rows) { return ManifoldRows(rows.manifold().part<1>()); }
  static P random(const Rows& rows, std::uint64_t index) {
    return rows.manifold().join(
        {Plane::random(plane(rows), index), Ball::random(ball(rows), index)});
  }
  static std::vector<double> gradient(const Rows& rows, const P& x, const P& y) {
    const auto p = rows.manifold().split(x), q = rows.manifold().split(y);
    auto g = Plane::gradient(plane(rows), p[0], q[0]);
    // the weight of the second part, squared
    for (const double c : Ball::gradient(ball(rows), p[1], q[1])) g.push_back(0.25 * c);
    return g;
  }
  static double distance(const Rows& rows, const P& x, const P& y) {
    const auto p = rows.manifold().split(x), q = rows.manifold().split(y);
    return std::hypot(Plane::distance(plane(rows), p[0], q[0]),
                      0.5 * Ball::distance(ball(rows), p[1], q[1]));
  }
  static P middle(const Rows& rows, const P& x, const P& y) {
    const auto p = rows.manifold().split(x), q = rows.manifold().split(y);
    return rows.manifold().join(
        {Plane::middle(plane(rows), p[0], q[0]), Ball::middle(ball(rows), p[1], q[1])});
  }
  static bool is_tangent(const Rows& rows, const P& x, const Rows::Vector& u) {
    const auto p = rows.manifold().split(x), v = rows.manifold().split(u);
    return Plane::is_tangent(plane(rows), p[0], v[0]) && Ball::is_tangent(ball(rows), p[1], v[1]);
  }
};

}  // namespace mct::geometry_test
