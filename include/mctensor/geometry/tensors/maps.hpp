// Maps of tensors of points: matrices on gyrovectors, boosts and rotations of the Lorentz group,
// isometries. They do what mobius.hpp, lorentz_group.hpp and isometry.hpp do for one point. See
// tensors.hpp.
//
// Error and domain: as the functions of points in those headers; a point outside the model gives
// NaN. Source: mobius.hpp, lorentz_group.hpp, isometry.hpp.
#pragma once

#include "mctensor/geometry/gyro/mobius.hpp"
#include "mctensor/geometry/isometry.hpp"
#include "mctensor/geometry/models/lorentz_group.hpp"
#include "mctensor/geometry/tensors/methods.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// A matrix of shape (m, n) maps points of n coordinates to points of m coordinates.
template <class V, class T, int N>
requires TensorManifold<PoincareBall<V>, T, N> Tensor<T, N> mobius_matvec(
    const PoincareBall<V>& ball, const Tensor<T, N>& matrix, const Tensor<T, N>& x) {
  detail::require_points_of("mobius_matvec", ball, x);
  if (matrix.dim() != 2 || matrix.size(0) == 0 || matrix.size(1) != x.size(-1))
    throw ShapeError("mobius_matvec: a matrix of shape " + to_string(matrix.shape()) +
                     " and points of shape " + to_string(x.shape()) +
                     ", expected (m, n) and (.., n)");
  const detail::PointReader<T, N> reader(matrix, {matrix.size(0)});
  std::vector<Point<V>> rows;
  for (std::int64_t i = 0; i < matrix.size(0); ++i) rows.push_back(reader.template point<V>(i));
  return detail::pointwise(
      "mobius_matvec", int(rows.size()), matrix.numel(),
      [&](const auto& a) { return geometry::mobius_matvec(ball, rows, a); },
      detail::point_operand<V>("mobius_matvec", x));
}
namespace detail {

/// Throws ShapeError unless spatial vectors have one coordinate less than the points x of the
/// hyperboloid.
template <class T, int N, class... Vectors>
void require_spatial(const char* name, const Tensor<T, N>& x, const Vectors&... vectors) {
  for (const Shape& shape : {vectors.shape()...}) {
    tensor_detail::leading_shape(name, shape);
    if (shape.back() != x.size(-1) - 1)
      throw ShapeError(std::string(name) + ": spatial vectors of shape " + to_string(shape) +
                       " for points of shape " + to_string(x.shape()) +
                       "; they must have one coordinate less than the points");
  }
}

}  // namespace detail

/// Boosts along spatial unit vectors of n - 1 coordinates. `rapidity` is one number, or a number
/// for each point, like r of mobius_scalar_mul.
template <class V, class S, class T, int N>
requires TensorManifold<Lorentz<V>, T, N> && TensorNumber<S, V, T, N> Tensor<T, N> lorentz_boost(
    const Lorentz<V>& model, const Tensor<T, N>& x, const Tensor<T, N>& direction,
    const S& rapidity) {
  constexpr auto name = "lorentz_boost";
  detail::require_points_of(name, model, x);
  detail::require_spatial(name, x, direction);
  return detail::pointwise(
      name, int(x.size(-1)), x.size(-1),
      [&](const auto& a, const auto& e, const V& phi) {
        return geometry::lorentz_boost(model, a, e, phi);
      },
      detail::point_operand<V>(name, x), detail::point_operand<V>(name, direction),
      detail::number_operand<V>(rapidity));
}
/// Rotations in the plane of the orthonormal spatial vectors e1 and e2. `angle` is one number, or a
/// number for each point, like r of mobius_scalar_mul.
template <class V, class S, class T, int N>
requires TensorManifold<Lorentz<V>, T, N> && TensorNumber<S, V, T, N> Tensor<T, N> lorentz_rotation(
    const Lorentz<V>& model, const Tensor<T, N>& x, const Tensor<T, N>& e1, const Tensor<T, N>& e2,
    const S& angle) {
  constexpr auto name = "lorentz_rotation";
  detail::require_points_of(name, model, x);
  detail::require_spatial(name, x, e1, e2);
  return detail::pointwise(
      name, int(x.size(-1)), x.size(-1),
      [&](const auto& a, const auto& from, const auto& to, const V& turn) {
        return geometry::lorentz_rotation(model, a, from, to, turn);
      },
      detail::point_operand<V>(name, x), detail::point_operand<V>(name, e1),
      detail::point_operand<V>(name, e2), detail::number_operand<V>(angle));
}

namespace detail {

template <class V, int n, class F, class T, int N>
Tensor<T, N> apply_isometry(const F& f, int coordinates, const Tensor<T, N>& x) {
  const auto points = point_operand<V, n>("apply", x);
  tensor_detail::require_exact_coordinates("apply", x.shape(), coordinates);
  return pointwise("apply", coordinates, std::int64_t(coordinates) * coordinates, f, points);
}

}  // namespace detail

/// The images of points under an isometry.
template <class V, int n, class T, int N>
requires std::is_same_v<tensor_of<V>, Tensor<T, N>> Tensor<T, N> apply(const BallIsometry<V, n>& f,
                                                                       const Tensor<T, N>& x) {
  return detail::apply_isometry<V, n>(f, f.a.size(), x);
}
template <class V, int n, class T, int N>
requires std::is_same_v<tensor_of<V>, Tensor<T, N>> Tensor<T, N> apply(
    const HalfSpaceIsometry<V, n>& f, const Tensor<T, N>& x) {
  return detail::apply_isometry<V, n>(f, f.b.size(), x);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
