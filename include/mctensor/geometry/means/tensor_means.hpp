// Means of points along a dimension of a tensor, as in frechet_mean.hpp and weighted_midpoint.hpp.
// See tensors.hpp.
//
// Error and domain: as in those headers; a NaN gives NaN. Source: frechet_mean.hpp,
// weighted_midpoint.hpp.
#pragma once

#include "mctensor/geometry/means/frechet_mean.hpp"
#include "mctensor/geometry/tensors/methods.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// x with dimension `dim` moved behind the other leading dimensions. `behind` is 1 if x has a
/// dimension of coordinates, 0 if not.
template <class T, int N>
Tensor<T, N> with_last_leading(const Tensor<T, N>& x, std::size_t dim, int behind) {
  Shape order;
  for (std::size_t d = 0; d + std::size_t(behind) < x.shape().size(); ++d)
    if (d != dim) order.push_back(std::int64_t(d));
  order.push_back(std::int64_t(dim));
  if (behind > 0) order.push_back(x.dim() - 1);
  return x.permute(order);
}

/// Reads the points and weights of means along dimension `dim`, mean by mean.
template <class T, int N>
class MeanReader {
 public:
  /// The shape of the weights must broadcast to the leading shape of x.
  MeanReader(const Tensor<T, N>& x, const Tensor<T, N>& weights, std::size_t dim)
      : sorted_(sorted_shape(x, dim)),
        points_(with_last_leading(x, dim, 1), sorted_),
        weights_(
            with_last_leading(weights.expand(mct::leading_shape(x.shape())), dim, 0).unsqueeze(-1),
            sorted_) {}

  /// The shape of the means, followed by the number of points of each mean.
  const Shape& shape() const { return sorted_; }
  std::int64_t count() const { return sorted_.back(); }
  int coordinates() const { return points_.coordinates(); }
  template <class V>
  std::vector<Point<V>> points(std::int64_t mean) const {
    std::vector<Point<V>> r;
    for (std::int64_t i = mean * count(); i < (mean + 1) * count(); ++i)
      r.push_back(points_.template point<V>(i));
    return r;
  }
  template <class V>
  std::vector<V> weights(std::int64_t mean) const {
    std::vector<V> r;
    for (std::int64_t i = mean * count(); i < (mean + 1) * count(); ++i)
      r.push_back(V(weights_.coordinate(weights_.at(i), 0)));
    return r;
  }

 private:
  static Shape sorted_shape(const Tensor<T, N>& x, std::size_t dim) {
    Shape sorted = mct::leading_shape(x.shape());
    sorted.erase(sorted.begin() + std::ptrdiff_t(dim));
    sorted.push_back(x.shape()[dim]);
    return sorted;
  }

  Shape sorted_;
  PointReader<T, N> points_, weights_;
};

/// Calls mean(points, weights) for each set of points along a leading dimension.
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
    throw ShapeError(std::string(name) + ": dimension " + std::to_string(dim) + " of shape " +
                     to_string(x.shape()) + " has size 0; at least one point is needed");
  if (tensor_detail::broadcast_leading(name, {leading, weights.shape()}) != leading)
    throw ShapeError(std::string(name) + ": weights of shape " + to_string(weights.shape()) +
                     " do not fit points of shape " + to_string(x.shape()));
  const MeanReader<T, N> reader(x, weights, d);
  const Shape outer = mct::leading_shape(reader.shape());
  return pointwise(
      name, reader.coordinates(), reader.count() * reader.coordinates(),
      [&](std::int64_t p) {
        return mean(reader.template points<V>(p), reader.template weights<V>(p));
      },
      IndexOperand{outer});
}

}  // namespace detail

/// The Fréchet means of points along a leading dimension. The result lacks this dimension: points
/// of shape (m, n) give a tensor of shape (n). Weights broadcast to the leading dimensions; without
/// weights all points weigh the same. Throws ShapeError if shapes do not fit or there is no point,
/// DomainError as frechet_mean of points.
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

/// As frechet_mean of tensors, with weighted_midpoint.
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

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
