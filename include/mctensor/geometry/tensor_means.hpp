// Means of the points along a dimension of a tensor: those of frechet_mean.hpp and
// weighted_midpoint.hpp. See tensors.hpp.
#pragma once

#include "mctensor/geometry/frechet_mean.hpp"
#include "mctensor/geometry/tensor_methods.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// x with dimension `dim` moved behind the other leading ones.
template <class T, int N>
Tensor<T, N> with_last_leading(const Tensor<T, N>& x, std::size_t dim, int behind) {
  Shape order;
  for (std::size_t d = 0; d + std::size_t(behind) < x.shape().size(); ++d)
    if (d != dim) order.push_back(std::int64_t(d));
  order.push_back(std::int64_t(dim));
  if (behind > 0) order.push_back(x.dim() - 1);
  return x.permute(order);
}

/// mean(points, weights) of the points along a leading dimension.
template <class M, class F, class T, int N>
Tensor<T, N> mean_along(const char* name, const M& m, const F& mean, const Tensor<T, N>& x,
                        const Tensor<T, N>& weights, std::int64_t dim) {
  using V = typename M::Value;
  require_points_of(name, m, x);
  const std::size_t d = normalize_dim(dim, x.shape());
  if (d + 1 == x.shape().size())
    throw ShapeError(std::string(name) + ": dimension " + std::to_string(dim) + " of shape " +
                     to_string(x.shape()) + " holds coordinates, not points");
  const Shape leading = tensor_detail::leading_shape(name, x.shape());
  if (leading[d] == 0)
    throw ShapeError(std::string(name) + ": no points along dimension " + std::to_string(dim) +
                     " of shape " + to_string(x.shape()));
  if (tensor_detail::broadcast_leading(name, {leading, weights.shape()}) != leading)
    throw ShapeError(std::string(name) + ": weights of shape " + to_string(weights.shape()) +
                     " for points of shape " + to_string(x.shape()));
  Shape sorted(leading);
  sorted.erase(sorted.begin() + std::ptrdiff_t(d));
  const Shape outer(sorted);
  const std::int64_t count = leading[d];
  sorted.push_back(count);
  const PointReader<T, N> points(with_last_leading(x, d, 1), sorted);
  const PointReader<T, N> numbers(with_last_leading(weights.expand(leading), d, 0).unsqueeze(-1),
                                  sorted);
  return pointwise(
      name, points.coordinates(), count * points.coordinates(),
      [&](std::int64_t p) {
        std::vector<Point<V>> all;
        std::vector<V> weight;
        for (std::int64_t i = p * count; i < (p + 1) * count; ++i) {
          all.push_back(points.template point<V>(i));
          weight.push_back(V(numbers.coordinate(numbers.at(i), 0)));
        }
        return mean(all, weight);
      },
      IndexOperand{outer});
}

}  // namespace detail

/// The Fréchet means of the points along a leading dimension, which disappears: of shape (m, n) a
/// tensor of shape (n). Weights broadcast to the leading dimensions; without them they are equal.
/// Throws ShapeError where shapes do not fit or there is no point; DomainError as the single form.
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> frechet_mean(const M& m, const Tensor<T, N>& x,
                                                           const Tensor<T, N>& weights,
                                                           std::int64_t dim = 0) {
  return detail::mean_along(
      "frechet_mean", m,
      [&](const auto& points, const auto& w) { return geometry::frechet_mean(m, points, w); }, x,
      weights, dim);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> frechet_mean(const M& m, const Tensor<T, N>& x,
                                                           std::int64_t dim = 0) {
  return frechet_mean(m, x, Tensor<T, N>::scalar(typename Tensor<T, N>::Value(T(1))), dim);
}

/// The same with `weighted_midpoint`.
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> weighted_midpoint(const M& m, const Tensor<T, N>& x,
                                                                const Tensor<T, N>& weights,
                                                                std::int64_t dim = 0) {
  return detail::mean_along(
      "weighted_midpoint", m,
      [&](const auto& points, const auto& w) { return geometry::weighted_midpoint(m, points, w); },
      x, weights, dim);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> weighted_midpoint(const M& m, const Tensor<T, N>& x,
                                                                std::int64_t dim = 0) {
  return weighted_midpoint(m, x, Tensor<T, N>::scalar(typename Tensor<T, N>::Value(T(1))), dim);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
