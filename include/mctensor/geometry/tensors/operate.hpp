// The operations of manifolds on tensors of points; see tensors.hpp.
//
// Error: manifold_bound, as for points (docs/geometry.md); a point outside the model gives NaN.
// Source: the formulas of the model.
#pragma once

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/tensors/kernels.hpp"
#include "mctensor/geometry/tensors/pointwise.hpp"

namespace mct::geometry {

/// An operand of an operation on tensors: a tensor, a single point, which is used for all points of
/// the tensors, or a number (see TensorNumber).
template <class X, class V>
concept TensorOperand = is_tensor_v<X> || is_point_v<X> || std::is_convertible_v<X, V>;

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// A number of the manifold as a number of Tensor<T, N>.
template <class T, int N, class V>
typename Tensor<T, N>::Value tensor_number(const V& x) {
  if constexpr (N == 1 && is_expansion_v<V>) {
    return x.limb[0];
  } else {
    return x;
  }
}

/// Operand i of an operation in the form that `pointwise` takes.
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

/// Adds the shape of operand i to `shapes` if it is of the kind p.
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
/// The number of coordinates of an operation's points. Throws ShapeError unless all points have the
/// same number and M allows this number.
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
/// The number of coordinates of a result that is a point or vector, for operands of n coordinates.
template <class Op, class M, class X, class... More>
int result_coordinates(const M& m, int n, const X& x, const More&...) {
  if constexpr (Op::operands[0] == 'q') return own_coordinates(x);
  if constexpr (requires { Op::coordinates(m.formulas(), n); })
    return Op::coordinates(m.formulas(), n);
  return n;
}

/// The operation, point by point.
template <class Op, class M, class... X, std::size_t... i>
auto each_by_formula(std::index_sequence<i...> all, const M& m, const X&... x) {
  using V = typename M::Value;
  const int n = coordinates_of<Op>(all, m, x...);
  return pointwise(
      Op::name, result_coordinates<Op>(m, n, x...), n,
      [&m](const auto&... point) { return operate<Op>(m, point...); },
      pointwise_operand<Op, i, V>(x)...);
}

/// The number of an operation among those compiled for a model.
template <class Op, class M>
inline constexpr tensor_detail::CompiledOperation compiled_operation = {};
template <class Op, class M>
requires requires { Op::number, tensor_detail::ModelOf<M>::value; }
inline constexpr tensor_detail::CompiledOperation compiled_operation<Op, M> = {
    tensor_detail::ModelOf<M>::value, Op::number};
template <template <class> class To, class M>
requires requires {
  tensor_detail::ModelOf<M>::value, tensor_detail::ModelOf<To<typename M::Value>>::value;
}
inline constexpr tensor_detail::CompiledOperation compiled_operation<operation::convert<To>, M> = {
    tensor_detail::ModelOf<M>::value, TensorOperation::count,
    tensor_detail::ModelOf<To<typename M::Value>>::value};

/// True if an operand is a tensor of the numbers V, a tensor of one component of their type, or no
/// tensor. Such operands can become tensors of V.
template <class X, class V>
constexpr bool is_compiled_operand() {
  if constexpr (is_tensor_v<X>) {
    return std::is_same_v<X, tensor_of<V>> ||
           std::is_same_v<X, Tensor<typename tensor_of<V>::Component>>;
  } else {
    return true;
  }
}

/// True if the operation is compiled for M and these operands.
template <class Op, class M, class... X>
concept Compiled = compiled_operation<Op, M>
.model != Model::count&& HasPointKernels<M, typename tensor_of<typename M::Value>::Component,
                                         tensor_of<typename M::Value>::components> &&
    (is_compiled_operand<X, typename M::Value>() && ...);

/// Operand i as the tensor that compiled code takes.
template <class V, class X>
tensor_of<V> compiled_operand(const X& x) {
  using Numbers = tensor_of<V>;
  if constexpr (std::is_same_v<X, Numbers>) {
    return x;
  } else if constexpr (is_tensor_v<X>) {
    const Numbers wide(x.shape());
    wide.fc().copy_(x);
    return wide;
  } else if constexpr (is_point_v<X>) {
    auto point = Numbers::uninitialized({x.size()});
    for (int c = 0; c < x.size(); ++c)
      point.set({c}, tensor_number<typename Numbers::Component, Numbers::components>(V(x[c])));
    return point;
  } else {
    return Numbers::scalar(
        tensor_number<typename Numbers::Component, Numbers::components>(static_cast<V>(x)));
  }
}

template <class Op, class M, class... X>
auto by_compiled(const M& m, const X&... x) {
  using V = typename M::Value;
  using Numbers = tensor_of<V>;
  using T = typename Numbers::Component;
  return tensor_detail::run<T, Numbers::components>(
      compiled_operation<Op, M>, tensor_number<T, Numbers::components>(m.radius()),
      {compiled_operand<V>(x)...});
}

}  // namespace detail

/// The operation on tensors of points, whose leading dimensions broadcast.
template <class Op, FormulaManifold M, class... X>
requires((is_tensor_v<X> || ...) && (TensorOperand<X, typename M::Value> && ...) &&
         detail::has_operation<Op, M>()) auto operate(const M& m, const X&... x) {
  if constexpr (detail::Compiled<Op, M, X...>) {
    return detail::by_compiled<Op>(m, x...);
  } else {
    return detail::each_by_formula<Op>(std::index_sequence_for<X...>(), m, x...);
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
