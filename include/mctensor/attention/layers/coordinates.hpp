// What hyperbolic layers need of a manifold: coordinates of tangent vectors at the origin, and of
// points on the unit hyperboloid, for the ball and the Lorentz model alike, and for products.
//
// Error: that of logmap0, expmap0 and convert (docs/geometry.md). Domain: points of the manifold;
// others give NaN. Source: docs/geometry.md, notes 1 to 3.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "mctensor/attention/layers/parts.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::nn {

namespace hyperbolic_detail {

template <class M>
using Tensors = geometry::tensor_of<typename M::Value>;
template <class M>
using Component = typename Tensors<M>::Component;
template <class M>
inline constexpr int components = Tensors<M>::components;
/// Points or vectors whose gradients have G components.
template <class M, int G>
using Points = Variable<Component<M>, components<M>, G>;

/// K, as a tensor or, if it is learned, a variable of one number.
template <class M>
auto radius_of(const M& manifold) {
  if constexpr (requires { manifold.radius().value(); }) {
    return manifold.radius();
  } else {
    return Tensors<M>::scalar(typename Tensors<M>::Value(manifold.radius()));
  }
}

/// sqrt(a^2 + |x|^2) along the last dimension, kept. As a norm, because squares of halves soon are
/// no numbers.
template <class T, int N, int G>
Variable<T, N, G> lengths_beside(const T& a, const Variable<T, N, G>& x) {
  auto shape = x.shape();
  shape.back() = 1;
  const Variable<T, N, G> other(full<T, N>(shape, typename Tensor<T, N>::Value(a)));
  return norm(cat(std::vector<Variable<T, N, G>>{other, x}, -1), 2, {-1}, true);
}
/// |x| along the last dimension, kept; smooth at 0, where it is the root of the least normal
/// number.
template <class T, int N, int G>
Variable<T, N, G> lengths(const Variable<T, N, G>& x) {
  return lengths_beside(T(std::sqrt(double(std::numeric_limits<T>::min()))), x);
}

}  // namespace hyperbolic_detail

/// logmap0(x) in as many coordinates as dimensions: points (.., n), of Lorentz (.., n + 1), to (..,
/// n); of a product without the times of its hyperboloids.
template <class M, class T, int N, int G>
Variable<T, N, G> to_tangent0(const M& manifold, const Variable<T, N, G>& x) {
  auto v = manifold.logmap0(x);
  if constexpr (hyperbolic_detail::extra<M> == 0) {
    return v;
  } else {
    return hyperbolic_detail::without(v, hyperbolic_detail::time_coordinates(manifold));
  }
}

/// A tangent vector at the origin with all coordinates of the model.
template <class M, class T, int N, int G>
Variable<T, N, G> padded_tangent0(const M& manifold, const Variable<T, N, G>& v) {
  if constexpr (hyperbolic_detail::extra<M> == 0) {
    return v;
  } else {
    return hyperbolic_detail::with_zeros(v, hyperbolic_detail::time_coordinates(manifold));
  }
}

/// expmap0 of such coordinates.
template <class M, class T, int N, int G>
Variable<T, N, G> from_tangent0(const M& manifold, const Variable<T, N, G>& v) {
  return manifold.expmap0(padded_tangent0(manifold, v));
}

/// A point of the hyperboloid of radius 1: its time (.., 1), at least 1, and (.., n) in space.
template <class T, int N, int G>
struct HyperboloidVariable {
  Variable<T, N, G> time, space;
};

/// The point that corresponds to x, in units of the manifold's radius.
template <class M, class T, int N, int G>
HyperboloidVariable<T, N, G> to_hyperboloid(const M& manifold, const Variable<T, N, G>& x) {
  const auto radius = hyperbolic_detail::radius_of(manifold);
  if constexpr (hyperbolic_detail::extra<M> == 0) {
    const auto lambda = manifold.lambda_x(x).unsqueeze(-1);
    return {lambda - T(1), x * lambda / radius};
  } else {
    return {x.narrow(-1, 0, 1) / radius, x.narrow(-1, 1, x.size(-1) - 1) / radius};
  }
}

/// The manifold's point with these coordinates in space. In the ball those too far out for its
/// coordinates end on its last points (projx).
template <class M, class T, int N, int G>
Variable<T, N, G> from_hyperboloid_space(const M& manifold, const Variable<T, N, G>& space) {
  const auto radius = hyperbolic_detail::radius_of(manifold);
  const auto time = hyperbolic_detail::lengths_beside(T(1), space);
  if constexpr (hyperbolic_detail::extra<M> == 0) {
    return manifold.projx(space / (time + T(1)) * radius);
  } else {
    return cat(std::vector<Variable<T, N, G>>{time, space}, -1) * radius;
  }
}

}  // namespace mct::nn
