// The parts of every differentiable operation: its operands, and the record that it leaves.
//
// An operation computes its value from the operands' tensors and calls record() with a function
// that computes the operands' gradients from the gradient of the value. That function keeps
// tensors, never variables: a variable would keep its graph alive after the user has dropped all
// handles.
#pragma once

#include <memory>
#include <utility>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct {

namespace autograd_detail {

/// True for the types that may be operands beside a variable: tensors of numbers, and numbers.
template <class X>
inline constexpr bool is_operand_v = is_variable_v<X> || tensor_detail::is_operand_v<X>;

template <class... X>
concept Operands = (is_operand_v<X> && ...) && (is_variable_v<X> || ...);

/// Components of the gradient of the first variable among the operands.
template <class First, class... Rest>
constexpr int grad_components_of() {
  if constexpr (is_variable_v<First>) {
    static_assert(
        ((!is_variable_v<Rest> || grad_components_of<Rest>() == First::grad_components) && ...),
        "variables whose gradients have different numbers of components");
    return First::grad_components;
  } else if constexpr (sizeof...(Rest) > 0) {
    return grad_components_of<Rest...>();
  } else {
    return 0;
  }
}

/// The tensor of a variable; any other operand itself.
template <class X>
const auto& value_of(const X& x) {
  if constexpr (is_variable_v<X>) {
    return x.value();
  } else {
    return x;
  }
}

/// A view of x as a factor of gradients of M components. For M = 1 it is the leading component,
/// which is the value rounded to T.
template <int M, class T, int N>
auto grad_value(const Tensor<T, N>& x) {
  if constexpr (M == 1) {
    return x.fc();
  } else {
    static_assert(N == 1 || N == M, "components of value and gradient do not go together");
    return x;
  }
}

/// An operand to be kept for the backward pass.
template <int M, class X>
auto saved(const X& x) {
  if constexpr (is_variable_v<X> || is_tensor_v<X>) {
    return grad_value<M>(value_of(x));
  } else {
    return x;
  }
}

template <class X>
bool wants_gradient(const X& x) {
  if constexpr (is_variable_v<X>) {
    return x.requires_grad();
  } else {
    return false;
  }
}

template <class X>
std::shared_ptr<Node> input_node(const X& x) {
  if constexpr (is_variable_v<X>) {
    return x.requires_grad() ? std::shared_ptr<Node>(x.node()) : nullptr;
  } else {
    return nullptr;
  }
}

/// The result of an operation. `backward(to, grad)` calls to.give(i, gradient of operand i), where
/// i counts `operands` from 0. to.needs(i) tells whether operand i needs a gradient.
template <class T, int N, class Backward, class... X>
auto record(Tensor<T, N> value, Backward&& backward, const X&... operands) {
  constexpr int M = grad_components_of<X...>();
  auto node = std::make_shared<ValueNode<T, N, M>>(std::move(value));
  if ((wants_gradient(operands) || ...) && grad_enabled()) {
    node->inputs.reserve(sizeof...(X));
    (node->inputs.push_back(input_node(operands)), ...);
    node->requires_grad = true;
    node->is_leaf = false;
    node->backward = std::forward<Backward>(backward);
  }
  return Variable<T, N, M>(std::move(node));
}

/// The same for any number of operands of one type.
template <class T, int N, int M, class Backward>
Variable<T, N, M> record_list(Tensor<T, N> value, Backward&& backward,
                              const std::vector<Variable<T, N, M>>& operands) {
  auto node = std::make_shared<ValueNode<T, N, M>>(std::move(value));
  for (const auto& x : operands) {
    node->requires_grad = node->requires_grad || (x.requires_grad() && grad_enabled());
    node->inputs.push_back(input_node(x));
  }
  if (node->requires_grad) {
    node->is_leaf = false;
    node->backward = std::forward<Backward>(backward);
  } else {
    node->inputs.clear();
  }
  return Variable<T, N, M>(std::move(node));
}

template <class T, int M>
Tensor<T, M> masked(const Tensor<bool>& mask, const Tensor<T, M>& x) {
  return where(mask, x, T(0));
}

/// -1, 0 or 1 by the sign of x. 0 for NaN: the other factor of the gradient is then NaN already.
template <class T, int N>
Tensor<T, 1> sign(const Tensor<T, N>& x) {
  const Tensor<T, 1> one = Tensor<T, 1>::scalar(T(1));
  return where(x > T(0), one, where(x < T(0), Tensor<T, 1>::scalar(T(-1)), T(0)));
}

}  // namespace autograd_detail

}  // namespace mct
