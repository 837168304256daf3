// The methods of a manifold that make or examine tensors of points. See tensors.hpp.
//
// Error: as the methods for one point; origins are exact. Domain: every shape whose last size is
// the number of coordinates. Source: random_points.hpp, manifold.hpp.
#pragma once

#include "mctensor/geometry/tensors/operate.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
/// The origin, of n coordinates: shape (n).
template <PointManifold M>
auto origin(const M& m, int n) {
  const Shape leading = detail::leading_shape_of("origin", m, Shape{n});
  return detail::pointwise(
      "origin", n, n, [&](std::int64_t) { return m.origin(n); }, detail::IndexOperand{leading});
}

/// The results are masks with the leading dimensions of x. `units` has the same meaning as for one
/// point.
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<bool> check_point(const M& m, const Tensor<T, N>& x,
                                                          double units = 16) {
  return detail::each_point(
      "check_point", m, [&](const auto& a) { return m.check_point(a, units); }, x);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<bool> check_vector(const M& m, const Tensor<T, N>& x,
                                                           const Tensor<T, N>& u,
                                                           double units = 16) {
  return detail::each_point(
      "check_vector", m, [&](const auto& a, const auto& b) { return m.check_vector(a, b, units); },
      x, u);
}

namespace detail {

/// Calls draw(i, n) for every point of a tensor of this shape. n is the number of coordinates,
/// which is the last size; i counts points in row-major order.
template <class M, class F>
auto drawn_points(const char* name, const M& m, const Shape& shape, const F& draw) {
  const Shape leading = leading_shape_of(name, m, shape);
  const int n = int(shape.back());
  return pointwise(
      name, n, n, [&](std::int64_t i) { return draw(std::uint64_t(i), n); }, IndexOperand{leading});
}

}  // namespace detail

/// Random points. The last size of the shape is the number n of coordinates. Point i, in row-major
/// order, is m.random_normal(n, seed, i, deviation).
template <PointManifold M>
auto random_normal(const M& m, const Shape& shape, std::uint64_t seed, double deviation = 1) {
  return detail::drawn_points("random_normal", m, shape, [&](std::uint64_t i, int n) {
    return m.random_normal(n, seed, i, deviation);
  });
}
/// The same for random points within a distance of the origin: point i is m.random_uniform(n, seed,
/// i, distance).
template <PointManifold M>
auto random_uniform(const M& m, const Shape& shape, std::uint64_t seed, double distance) {
  return detail::drawn_points("random_uniform", m, shape, [&](std::uint64_t i, int n) {
    return m.random_uniform(n, seed, i, distance);
  });
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
