// Coordinates for hyperbolic layers: tangent vectors at the origin, and points on the unit
// hyperboloid, for the ball, the Lorentz model and products.
//
// Error: the errors of logmap0, expmap0 and convert (docs/geometry.md). Domain: points of the
// manifold; other points give NaN. Source: docs/geometry.md, notes 1 to 3.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/means/autograd_means.hpp"
#include "mctensor/geometry/models/euclidean.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/models/product.hpp"

namespace mct::nn::hyperbolic_detail {

// Products of spaces, part by part.

/// How many more coordinates than dimensions a point has: one for each hyperboloid.
template <class M>
inline constexpr int extra = 0;
template <class V>
inline constexpr int extra<geometry::Lorentz<V>> = 1;
template <class... Ms>
inline constexpr int extra<geometry::Product<Ms...>> = (extra<Ms> + ...);
template <class M, int G>
inline constexpr int extra<geometry::Learnable<M, G>> = extra<M>;

/// How many parts a product has, 0 for other manifolds.
template <class M>
inline constexpr int part_count = 0;
template <class... Ms>
inline constexpr int part_count<geometry::Product<Ms...>> = int(sizeof...(Ms));
template <class M, int G>
inline constexpr int part_count<geometry::Learnable<M, G>> = part_count<M>;

template <class M>
inline constexpr bool is_product = part_count<M> != 0;

template <class M>
inline constexpr bool is_flat = false;
template <class V>
inline constexpr bool is_flat<geometry::Euclidean<V>> = true;
template <class M, int G>
inline constexpr bool is_flat<geometry::Learnable<M, G>> = is_flat<M>;

/// A part of a product, and the range of its coordinates among the product's coordinates.
template <class M>
struct Part {
  M manifold;
  std::int64_t begin, size;
  double weight;
  static constexpr int extra = hyperbolic_detail::extra<M>;
};

/// Calls f(index, part) for each part; an index is a compile-time constant.
template <class... Ms, class F>
void for_each_part(const geometry::Product<Ms...>& product, const F& f) {
  std::int64_t begin = 0;
  const auto visit = [&]<std::size_t i>(std::integral_constant<std::size_t, i> index) {
    const auto& manifold = product.template part<i>();
    const std::int64_t size = product.coordinates(int(i));
    f(index,
      Part<std::remove_cvref_t<decltype(manifold)>>{manifold, begin, size, product.weight(int(i))});
    begin += size;
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::integral_constant<std::size_t, i>()), ...);
  }
  (std::index_sequence_for<Ms...>());
}
/// The same with learned radii.
template <class... Ms, int G, class F>
void for_each_part(const geometry::Learnable<geometry::Product<Ms...>, G>& product, const F& f) {
  for_each_part(product.manifold(), [&](auto i, const auto& part) {
    using Own = geometry::Learnable<std::remove_cvref_t<decltype(part.manifold)>, G>;
    f(i, Part<Own>{Own(part.manifold, product.radius().narrow(0, std::int64_t(i.value), 1)),
                   part.begin, part.size, part.weight});
  });
}

/// The manifold with its present radii.
using geometry::detail::manifold_of;

/// The positions of the hyperboloids' times among the coordinates.
template <class M>
std::vector<std::int64_t> time_coordinates(const M& manifold) {
  std::vector<std::int64_t> places;
  if constexpr (is_product<M>) {
    for_each_part(manifold_of(manifold), [&](auto, const auto& part) {
      if (part.extra == 1) places.push_back(part.begin);
    });
  } else if constexpr (extra<M> == 1) {
    places.push_back(0);
  }
  return places;
}

/// The coordinates of points of a product.
template <class M>
std::int64_t coordinates_of(const M& product) {
  return manifold_of(product).coordinates();
}

/// Throws ShapeError "WHO: points of shape ..." unless x is (.., expected).
template <class T, int N, int G>
void require_coordinates(const char* who, const Variable<T, N, G>& x, std::int64_t expected) {
  if (x.dim() < 1 || x.size(-1) != expected)
    throw ShapeError(who + (": points of shape " + to_string(x.shape())) + ", expected " +
                     std::to_string(expected) + " coordinates");
}

/// x (.., n) without the coordinates at these places. The places must increase.
template <class T, int N, int G>
Variable<T, N, G> without(const Variable<T, N, G>& x, const std::vector<std::int64_t>& places) {
  std::vector<Variable<T, N, G>> kept;
  std::int64_t begin = 0;
  const auto keep = [&](std::int64_t end) {
    if (begin < end) kept.push_back(x.narrow(-1, begin, end - begin));
    begin = end + 1;
  };
  for (const std::int64_t place : places) keep(place);
  keep(x.size(-1));
  return kept.size() == 1 ? kept.front() : cat(kept, -1);
}
/// The inverse of `without`: inserts zeros at these places.
template <class T, int N, int G>
Variable<T, N, G> with_zeros(const Variable<T, N, G>& x, const std::vector<std::int64_t>& places) {
  std::vector<Variable<T, N, G>> all;
  const auto zero = x.narrow(-1, 0, 1) * T(0);
  std::int64_t taken = 0;
  const auto take = [&](std::int64_t end) {
    if (taken < end) all.push_back(x.narrow(-1, taken, end - taken));
    taken = end;
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    take(places[i] - std::int64_t(i));
    all.push_back(zero);
  }
  take(x.size(-1));
  return cat(all, -1);
}

}  // namespace mct::nn::hyperbolic_detail

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

/// sqrt(a^2 + |x|^2) along the last dimension, which stays with size 1. It is computed as a norm,
/// because squares of halves overflow.
template <class T, int N, int G>
Variable<T, N, G> lengths_beside(const T& a, const Variable<T, N, G>& x) {
  auto shape = x.shape();
  shape.back() = 1;
  const Variable<T, N, G> other(full<T, N>(shape, typename Tensor<T, N>::Value(a)));
  return norm(cat(std::vector<Variable<T, N, G>>{other, x}, -1), 2, {-1}, true);
}
/// About |x| along the last dimension, which stays with size 1. The function is smooth at 0: its
/// value there is the root of the smallest normal number.
template <class T, int N, int G>
Variable<T, N, G> lengths(const Variable<T, N, G>& x) {
  return lengths_beside(T(std::sqrt(double(std::numeric_limits<T>::min()))), x);
}

}  // namespace hyperbolic_detail

/// logmap0(x) without the times of hyperboloids. Points of n dimensions are (.., n), in the Lorentz
/// model (.., n + 1); the result is (.., n). For a product, the times of all its hyperboloids are
/// left out.
template <class M, class T, int N, int G>
Variable<T, N, G> to_tangent0(const M& manifold, const Variable<T, N, G>& x) {
  auto v = manifold.logmap0(x);
  if constexpr (hyperbolic_detail::extra<M> == 0) {
    return v;
  } else {
    return hyperbolic_detail::without(v, hyperbolic_detail::time_coordinates(manifold));
  }
}

/// A tangent vector at the origin with all coordinates of the model: v with zeros for the times
/// that to_tangent0 leaves out.
template <class M, class T, int N, int G>
Variable<T, N, G> padded_tangent0(const M& manifold, const Variable<T, N, G>& v) {
  if constexpr (hyperbolic_detail::extra<M> == 0) {
    return v;
  } else {
    return hyperbolic_detail::with_zeros(v, hyperbolic_detail::time_coordinates(manifold));
  }
}

/// expmap0 of coordinates as to_tangent0 returns them.
template <class M, class T, int N, int G>
Variable<T, N, G> from_tangent0(const M& manifold, const Variable<T, N, G>& v) {
  return manifold.expmap0(padded_tangent0(manifold, v));
}

/// A point of the hyperboloid of radius 1: its time (.., 1), at least 1, and (.., n) in space.
template <class T, int N, int G>
struct HyperboloidVariable {
  Variable<T, N, G> time, space;
};

/// The point of the hyperboloid of radius 1 that corresponds to x: coordinates are divided by the
/// manifold's radius.
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

/// The manifold's point with these coordinates in space. The ball has no coordinates for points
/// that are too far out; such points are moved to its outermost points (projx).
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
