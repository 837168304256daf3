// The methods of a manifold on tensors of points, and conversions between models. See tensors.hpp.
#pragma once

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/pointwise.hpp"
#include "mctensor/geometry/tensor_kernels.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// A manifold's radius as a number of Tensor<T, N>.
template <class T, int N, class V>
typename Tensor<T, N>::Value tensor_number(const V& x) {
  if constexpr (N == 1 && is_expansion_v<V>) {
    return x.limb[0];
  } else {
    return x;
  }
}

/// The compiled operation, or f for every point where there is none.
template <TensorOperation operation, class M, class F, class T, int N, class... More>
Tensor<T, N> kernel_or_each(const char* name, const M& m, const F& f, const Tensor<T, N>& x,
                            const More&... more) {
  if constexpr (HasPointKernels<M, T, N>) {
    return tensor_detail::run<T, N>(tensor_detail::ModelOf<M>::value, operation,
                                    tensor_number<T, N>(m.radius), {&x, &more...});
  } else {
    return each_point(name, m, f, x, more...);
  }
}

}  // namespace detail

/// The origin, of n coordinates: shape (n).
template <PointManifold M>
auto origin(const M& m, int n) {
  const Shape leading = detail::leading_shape_of("origin", m, Shape{n});
  return detail::pointwise(
      "origin", n, n, [&](std::int64_t) { return m.origin(n); }, detail::IndexOperand{leading});
}

#define MCT_TENSOR_METHOD_1(name, x)                             \
  template <class M, class T, int N>                             \
  requires TensorManifold<M, T, N>                               \
  auto name(const M& m, const Tensor<T, N>& x) {                 \
    return detail::each_point(                                   \
        #name, m, [&m](const auto& a) { return m.name(a); }, x); \
  }
#define MCT_TENSOR_METHOD_2(name, x, y)                                               \
  template <class M, class T, int N>                                                  \
  requires TensorManifold<M, T, N>                                                    \
  auto name(const M& m, const Tensor<T, N>& x, const Tensor<T, N>& y) {               \
    return detail::each_point(                                                        \
        #name, m, [&m](const auto& a, const auto& b) { return m.name(a, b); }, x, y); \
  }
#define MCT_TENSOR_METHOD_3(name, x, y, z)                                                       \
  template <class M, class T, int N>                                                             \
  requires TensorManifold<M, T, N>                                                               \
  auto name(const M& m, const Tensor<T, N>& x, const Tensor<T, N>& y, const Tensor<T, N>& z) {   \
    return detail::each_point(                                                                   \
        #name, m, [&m](const auto& a, const auto& b, const auto& c) { return m.name(a, b, c); }, \
        x, y, z);                                                                                \
  }
#define MCT_TENSOR_KERNEL_2(name, x, y)                                                 \
  template <class M, class T, int N>                                                    \
  requires TensorManifold<M, T, N> Tensor<T, N> name(const M& m, const Tensor<T, N>& x, \
                                                     const Tensor<T, N>& y) {           \
    return detail::kernel_or_each<TensorOperation::name>(                               \
        #name, m, [&m](const auto& a, const auto& b) { return m.name(a, b); }, x, y);   \
  }
/// From the origin.
#define MCT_TENSOR_FROM_ORIGIN(name, operation, x)                                        \
  template <class M, class T, int N>                                                      \
  requires TensorManifold<M, T, N> Tensor<T, N> name(const M& m, const Tensor<T, N>& x) { \
    if constexpr (HasPointKernels<M, T, N>) {                                             \
      detail::require_points_of(#name, m, x);                                             \
      return operation(m, origin(m, int(x.size(-1))), x);                                 \
    } else {                                                                              \
      return detail::each_point(                                                          \
          #name, m, [&m](const auto& a) { return m.name(a); }, x);                        \
    }                                                                                     \
  }

/// Lengths: leading dimensions only.
MCT_TENSOR_KERNEL_2(dist, x, y)
MCT_TENSOR_FROM_ORIGIN(dist0, dist, x)
MCT_TENSOR_METHOD_3(inner, x, u, v)
MCT_TENSOR_METHOD_2(norm, x, u)
/// Points and tangent vectors.
MCT_TENSOR_KERNEL_2(expmap, x, u)
MCT_TENSOR_FROM_ORIGIN(expmap0, expmap, u)
MCT_TENSOR_KERNEL_2(logmap, x, y)
MCT_TENSOR_FROM_ORIGIN(logmap0, logmap, y)
MCT_TENSOR_METHOD_2(retr, x, u)
MCT_TENSOR_METHOD_2(ptransp0, y, u)
MCT_TENSOR_METHOD_1(projx, x)
MCT_TENSOR_METHOD_2(proju, x, u)
MCT_TENSOR_KERNEL_2(egrad2rgrad, x, g)
#undef MCT_TENSOR_METHOD_1
#undef MCT_TENSOR_METHOD_2
#undef MCT_TENSOR_METHOD_3
#undef MCT_TENSOR_KERNEL_2
#undef MCT_TENSOR_FROM_ORIGIN

template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> ptransp(const M& m, const Tensor<T, N>& x,
                                                      const Tensor<T, N>& y,
                                                      const Tensor<T, N>& u) {
  return detail::kernel_or_each<TensorOperation::ptransp>(
      "ptransp", m,
      [&m](const auto& a, const auto& b, const auto& c) { return m.ptransp(a, b, c); }, x, y, u);
}
/// t: one number, or a tensor of them that broadcasts with the leading dimensions.
template <class M, class S, class T, int N>
requires TensorManifold<M, T, N> && TensorNumber<S, typename M::Value, T, N> Tensor<T, N> geodesic(
    const M& m, const S& t, const Tensor<T, N>& x, const Tensor<T, N>& y) {
  using V = typename M::Value;
  detail::require_points_of("geodesic", m, x, y);
  return detail::pointwise(
      "geodesic", int(x.size(-1)), x.size(-1),
      [&m](const V& s, const auto& a, const auto& b) { return m.geodesic(s, a, b); },
      detail::number_operand<V>(t), detail::point_operand<V>("geodesic", x),
      detail::point_operand<V>("geodesic", y));
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
