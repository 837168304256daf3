// The methods of a manifold that make tensors of points or say something of them. See tensors.hpp.
#pragma once

#include "mctensor/geometry/tensor_operate.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
/// The origin, of n coordinates: shape (n).
template <PointManifold M>
auto origin(const M& m, int n) {
  const Shape leading = detail::leading_shape_of("origin", m, Shape{n});
  return detail::pointwise(
      "origin", n, n, [&](std::int64_t) { return m.origin(n); }, detail::IndexOperand{leading});
}

/// Masks of the leading dimensions; `units` as of the single methods.
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

/// Random points of a shape whose last size is the number of coordinates: number i, in row-major
/// order, is m.random_normal(n, seed, i, deviation).
template <PointManifold M>
auto random_normal(const M& m, const Shape& shape, std::uint64_t seed, double deviation = 1) {
  const Shape leading = detail::leading_shape_of("random_normal", m, shape);
  const int n = int(shape.back());
  return detail::pointwise(
      "random_normal", n, n,
      [&](std::int64_t i) { return m.random_normal(n, seed, std::uint64_t(i), deviation); },
      detail::IndexOperand{leading});
}

/// Points within a distance of the origin: number i is m.random_uniform(n, seed, i, distance).
template <PointManifold M>
auto random_uniform(const M& m, const Shape& shape, std::uint64_t seed, double distance) {
  const Shape leading = detail::leading_shape_of("random_uniform", m, shape);
  const int n = int(shape.back());
  return detail::pointwise(
      "random_uniform", n, n,
      [&](std::int64_t i) { return m.random_uniform(n, seed, std::uint64_t(i), distance); },
      detail::IndexOperand{leading});
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
