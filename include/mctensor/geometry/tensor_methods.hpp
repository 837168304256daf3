// The methods of a manifold on tensors of points, and conversions between models. See tensors.hpp.
#pragma once

#include "mctensor/geometry/convert.hpp"
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

/// Points of one model in another: convert<HalfSpace>(ball, x). Lorentz and Hemisphere have one
/// coordinate more than the others. To the same model: a copy, the time of Lorentz computed anew.
template <template <class> class To, class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> convert(const M& from, const Tensor<T, N>& x) {
  using V = typename M::Value;
  using Other = To<V>;
  if constexpr (HasPointKernels<M, T, N> && HasPointKernels<Other, T, N> &&
                !std::is_same_v<M, Other>) {
    return tensor_detail::run_convert<T, N>(tensor_detail::ModelOf<M>::value,
                                            tensor_detail::ModelOf<Other>::value,
                                            detail::tensor_number<T, N>(from.radius), x);
  } else {
    detail::require_points_of("convert", from, x);
    const int more = decltype(Other().formulas())::least_coordinates -
                     decltype(from.formulas())::least_coordinates;
    return detail::pointwise(
        "convert", int(x.size(-1)) + more, x.size(-1),
        [&](const auto& a) { return geometry::convert<To>(from, a); },
        detail::point_operand<V>("convert", x));
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
