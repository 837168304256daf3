// The operations of manifolds on tensors of points; see tensors.hpp.
//
// Error: manifold_bound, as for points (docs/geometry.md); a point outside the model gives NaN.
// Source: the formulas of the model.
#pragma once

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/tensors/kernels.hpp"
#include "mctensor/geometry/tensors/pointwise.hpp"

namespace mct::geometry {

/// What an operation on tensors takes: tensors of the manifold's numbers; beside them single
/// points, the same for all; for a number a V or a tensor (see TensorNumber).
template <class X, class V>
concept TensorOperand = is_tensor_v<X> || is_point_v<X> || std::is_convertible_v<X, V>;

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

/// Operand i of an operation as `pointwise` reads it.
template <class Op, std::size_t i, class V, class X>
auto pointwise_operand(const X& x) {
  if constexpr (Op::operands[i] == 'n') {
    return number_operand<V>(x);
  } else if constexpr (is_tensor_v<X>) {
    return point_operand<V>(Op::name, x);
  } else {
    return ConstantOperand<Point<V>>{Point<V>(x)};
  }
}

/// The shapes of all operands that are points.
template <class Op, std::size_t i, class X>
void note_shape(std::vector<Shape>& shapes, const X& x) {
  if constexpr (Op::operands[i] == 'p') {
    if constexpr (is_tensor_v<X>) {
      shapes.push_back(x.shape());
    } else {
      shapes.push_back({x.size()});
    }
  }
}
/// The number of coordinates of an operation's points. Throws ShapeError unless it is one number,
/// and one that M has.
template <class Op, class M, class... X, std::size_t... i>
int coordinates_of(std::index_sequence<i...>, const M& m, const X&... x) {
  std::vector<Shape> shapes;
  (note_shape<Op, i>(shapes, x), ...);
  for (const Shape& shape : shapes) tensor_detail::leading_shape(Op::name, shape);
  tensor_detail::require_same_coordinates(Op::name, shapes);
  leading_shape_of(Op::name, m, shapes[0]);
  return int(shapes[0].back());
}

/// The number of coordinates of one operand.
template <class X>
int own_coordinates(const X& x) {
  if constexpr (is_tensor_v<X>) {
    return int(x.size(-1));
  } else if constexpr (is_point_v<X>) {
    return x.size();
  } else {
    return 1;
  }
}
/// The number of coordinates of a result that is a point or vector, of operands of n.
template <class Op, class M, class X, class... More>
int result_coordinates(const M& m, int n, const X& x, const More&...) {
  if constexpr (Op::operands[0] == 'q') return own_coordinates(x);
  if constexpr (requires { Op::coordinates(m.formulas(), n); })
    return Op::coordinates(m.formulas(), n);
  return n;
}

/// The operation for every point.
template <class Op, class M, class... X, std::size_t... i>
auto each_by_formula(std::index_sequence<i...> all, const M& m, const X&... x) {
  using V = typename M::Value;
  const int n = coordinates_of<Op>(all, m, x...);
  return pointwise(
      Op::name, result_coordinates<Op>(m, n, x...), n,
      [&m](const auto&... point) { return operate<Op>(m, point...); },
      pointwise_operand<Op, i, V>(x)...);
}

/// The compiled kernel of an operation, if there is one: that of two points also from the origin.
template <class Op>
inline constexpr TensorOperation kernel_of = TensorOperation::count;
#define MCT_NAME_KERNEL(op) \
  template <>               \
  inline constexpr TensorOperation kernel_of<operation::op> = TensorOperation::op;
MCT_NAME_KERNEL(dist)
MCT_NAME_KERNEL(dist_gradient)
MCT_NAME_KERNEL(expmap)
MCT_NAME_KERNEL(logmap)
MCT_NAME_KERNEL(ptransp)
MCT_NAME_KERNEL(egrad2rgrad)
#undef MCT_NAME_KERNEL
template <>
inline constexpr TensorOperation kernel_of<operation::dist0> = TensorOperation::dist;
template <>
inline constexpr TensorOperation kernel_of<operation::expmap0> = TensorOperation::expmap;
template <>
inline constexpr TensorOperation kernel_of<operation::logmap0> = TensorOperation::logmap;
template <>
inline constexpr TensorOperation kernel_of<operation::mobius_add> = TensorOperation::mobius_add;

constexpr bool has_compiled(TensorModel model, TensorOperation operation) {
  return operation != TensorOperation::mobius_add || model == TensorModel::ball;
}
template <class Op, class M, class... X>
concept HasKernel = kernel_of<Op>
!= TensorOperation::count && (is_tensor_v<X> && ...) &&
    (HasPointKernels<M, typename X::Component, X::components> && ...) &&
    has_compiled(tensor_detail::ModelOf<M>::value, kernel_of<Op>);

template <class Op, class M, class T, int N, class... More>
Tensor<T, N> by_kernel(const M& m, const Tensor<T, N>& x, const More&... more) {
  const auto run = [&](const auto&... operands) {
    return tensor_detail::run<T, N>(tensor_detail::ModelOf<M>::value, kernel_of<Op>,
                                    tensor_number<T, N>(m.radius()), {&operands...});
  };
  if constexpr (Op::operands[1] == 0) {
    coordinates_of<Op>(std::index_sequence<0>(), m, x);
    const int n = int(x.size(-1));
    return run(
        pointwise(
            "origin", n, n, [&](std::int64_t) { return m.origin(n); }, IndexOperand{Shape{}}),
        x);
  } else {
    return run(x, more...);
  }
}

/// The model that an operation converts to.
template <class Op, class V>
struct ConversionOf {
  using type = void;
};
template <template <class> class To, class V>
struct ConversionOf<operation::convert<To>, V> {
  using type = To<V>;
};
template <class Op, class M>
using conversion_of = typename ConversionOf<Op, typename M::Value>::type;
template <class Op, class M, class... X>
concept HasConversion =
    (is_tensor_v<X> && ...) && !std::is_same_v<M, conversion_of<Op, M>> &&
    (HasPointKernels<M, typename X::Component, X::components> && ...) &&
    (HasPointKernels<conversion_of<Op, M>, typename X::Component, X::components> && ...);

template <class Op, class M, class T, int N>
Tensor<T, N> by_conversion(const M& m, const Tensor<T, N>& x) {
  return tensor_detail::run_convert<T, N>(tensor_detail::ModelOf<M>::value,
                                          tensor_detail::ModelOf<conversion_of<Op, M>>::value,
                                          tensor_number<T, N>(m.radius()), x);
}

}  // namespace detail

/// The operation on tensors of points, whose leading dimensions broadcast.
template <class Op, FormulaManifold M, class... X>
requires((is_tensor_v<X> || ...) && (TensorOperand<X, typename M::Value> && ...) &&
         detail::has_operation<Op, M>()) auto operate(const M& m, const X&... x) {
  if constexpr (detail::HasKernel<Op, M, X...>) {
    return detail::by_kernel<Op>(m, x...);
  } else if constexpr (detail::HasConversion<Op, M, X...>) {
    return detail::by_conversion<Op>(m, x...);
  } else {
    return detail::each_by_formula<Op>(std::index_sequence_for<X...>(), m, x...);
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
