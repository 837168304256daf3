// Calls a function of single points for every point of tensors. The tensor forms of the manifolds'
// methods use it if no kernel is compiled.
//
// Operands are points or numbers whose leading dimensions broadcast. Each point is computed alone,
// by one of num_threads() threads. So results have the same bits as calls with single points, for
// any number of threads.
#pragma once

#include <concepts>
#include <tuple>
#include <vector>

#include "mctensor/geometry/tensors/points.hpp"
#include "mctensor/tensor/parallel_for.hpp"

namespace mct::geometry {

/// The tensor of a number type: Tensor<T, 1> for T, Tensor<T, N> for Expansion<T, N>.
template <class V>
struct TensorOfValue {
  using type = Tensor<V, 1>;
};
template <class T, int N>
struct TensorOfValue<Expansion<T, N>> {
  using type = Tensor<T, N>;
};
template <class V>
using tensor_of = typename TensorOfValue<V>::type;

/// A manifold whose points are Point<Value>.
template <class M>
concept PointManifold = requires(const M& m) {
  { m.origin(2) } -> std::same_as<Point<typename M::Value>>;
};

/// A manifold whose points may be the rows of a Tensor<T, N>.
template <class M, class T, int N>
concept TensorManifold =
    PointManifold<M> && std::is_same_v<tensor_of<typename M::Value>, Tensor<T, N>>;

/// A number as an operand beside a Tensor<T, N>: a V, or a type that converts to V. It may also be
/// a tensor of one or N components, whose shape broadcasts with the leading dimensions.
template <class S, class V, class T, int N>
concept TensorNumber = std::is_convertible_v<S, V> || std::is_same_v<S, Tensor<T, N>> ||
    std::is_same_v<S, Tensor<T, 1>>;

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// Operands of a pointwise function. `leading` is the shape without coordinates. bind(all) returns
/// a function of p, which reads element p after broadcasting to the shape `all`.
template <class V, class T, int N, int n = dynamic>
struct PointOperand {
  const Tensor<T, N>& x;
  Shape leading;

  auto bind(const Shape& all) const {
    return [reader = PointReader<T, N>(x, all)](std::int64_t p) {
      return reader.template point<V, n>(p);
    };
  }
};
template <class V, class T, int N>
struct NumberOperand {
  Tensor<T, N> with_coordinate;
  Shape leading;

  auto bind(const Shape& all) const {
    return [reader = PointReader<T, N>(with_coordinate, all)](std::int64_t p) {
      return V(reader.coordinate(reader.at(p), 0));
    };
  }
};
template <class V>
struct ConstantOperand {
  V value;
  Shape leading = {};

  auto bind(const Shape&) const {
    return [v = value](std::int64_t) { return v; };
  }
};
/// An operand whose element p is p.
struct IndexOperand {
  Shape leading;

  auto bind(const Shape&) const {
    return [](std::int64_t p) { return p; };
  }
};

template <class V, int n = dynamic, class T, int N>
auto point_operand(const char* name, const Tensor<T, N>& x) {
  return PointOperand<V, T, N, n>{x, tensor_detail::leading_shape(name, x.shape())};
}
template <class V, class S>
auto number_operand(const S& s) {
  if constexpr (is_tensor_v<S>) {
    return NumberOperand<V, typename S::Component, S::components>{s.unsqueeze(-1), s.shape()};
  } else {
    return ConstantOperand<V>{static_cast<V>(s)};
  }
}

/// Stores the results of a pointwise function: numbers, flags or points.
template <class R>
struct PointwiseResult {
  using V = R;
  tensor_of<R> out;

  PointwiseResult(const Shape& leading, int) : out(tensor_of<R>::uninitialized(leading)) {}
  auto writer() const {
    return [w = PointWriter(out, 1)](std::int64_t p, const R& r) { w.set(p, 0, r); };
  }
};
template <class W, int n>
struct PointwiseResult<Point<W, n>> {
  using V = W;
  tensor_of<V> out;
  int coordinates;

  PointwiseResult(const Shape& leading, int count) : coordinates(count) {
    Shape shape(leading);
    shape.push_back(count);
    out = tensor_of<V>::uninitialized(shape);
  }
  auto writer() const {
    return
        [w = PointWriter(out, coordinates), c = coordinates](std::int64_t p, const Point<W, n>& r) {
          for (int i = 0; i < c; ++i) w.set(p, i, r[i]);
        };
  }
};

/// Calls f for every point of the operands. If f returns points, they have `coordinates`
/// coordinates. `work` is about how many numbers f reads; it alone determines the number of
/// threads.
template <class F, class... Operands>
auto pointwise(const char* name, int coordinates, std::int64_t work, const F& f,
               const Operands&... operands) {
  // nvcc fails on a pack of members
  const auto leading_of = [](const auto& operand) -> const Shape& { return operand.leading; };
  const Shape all = tensor_detail::broadcast_leading(name, {leading_of(operands)...});
  const auto read = std::make_tuple(operands.bind(all)...);
  const auto at = [&](std::int64_t p) {
    return std::apply([&](const auto&... each) { return f(each(p)...); }, read);
  };
  using R = std::remove_cvref_t<decltype(at(0))>;
  const PointwiseResult<R> result(all, coordinates);
  const auto write = result.writer();
  const std::int64_t count = numel(all);
  constexpr int limbs = limbs_of<typename PointwiseResult<R>::V>;
  parallel_for(count, double(count) * double(work) * 100 * limbs * limbs,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t p = begin; p < end; ++p) write(p, at(p));
               });
  return result.out;
}

/// The leading dimensions of points of M. Throws ShapeError unless the points have the number of
/// coordinates that M needs.
template <class M>
Shape leading_shape_of(const char* name, const M& m, const Shape& points) {
  Shape leading = tensor_detail::leading_shape(name, points);
  if constexpr (requires { m.coordinates(); }) {
    tensor_detail::require_exact_coordinates(name, points, m.coordinates());
  } else {
    tensor_detail::require_least_coordinates(name, points,
                                             decltype(m.formulas())::least_coordinates);
  }
  return leading;
}

/// Throws ShapeError unless all points have the same number of coordinates, and M allows that
/// number.
template <class M, class T, int N, class... More>
void require_points_of(const char* name, const M& m, const Tensor<T, N>& x, const More&... more) {
  const std::vector<Shape> shapes{x.shape(), more.shape()...};
  for (const Shape& shape : shapes) tensor_detail::leading_shape(name, shape);
  tensor_detail::require_same_coordinates(name, shapes);
  leading_shape_of(name, m, x.shape());
}

/// Calls f for every point of M. f must not return points.
template <class M, class F, class T, int N, class... More>
auto each_point(const char* name, const M& m, const F& f, const Tensor<T, N>& x,
                const More&... more) {
  require_points_of(name, m, x, more...);
  using V = typename M::Value;
  return pointwise(name, 0, x.size(-1), f, point_operand<V>(name, x),
                   point_operand<V>(name, more)...);
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
