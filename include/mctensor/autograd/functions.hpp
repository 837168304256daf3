// Differentiable element-wise functions: clamp, and the functions in the list of operations
// (tensor/operation.hpp). The list also states their gradients.
//
// Values are the same as for tensors. Where a function has a corner, the gradient is one of its
// one-sided slopes or their mean, as in PyTorch. Functions of two operands take the operands of
// arithmetic.hpp. g is the gradient of the result.
//
// Error: values have the bound of the function on tensors. Gradients have the errors of the
// operations in their formulas. Domain: as the function on tensors; outside it results are NaN.
// Source: the rules of derivatives.
#pragma once

#include "mctensor/autograd/gradients.hpp"

namespace mct {

#define MCT_VARIABLE_FUNCTION(name, Type, kind, meaning, domain, exact, ufuncs, keeps, gradient)   \
  template <class T, int N, int M>                                                                 \
  Variable<T, N, M> name(const Variable<T, N, M>& x) {                                             \
    using namespace autograd_detail;                                                               \
    return record_function<Keeps::keeps>(x, mct::name(x.value()),                                  \
                                         [](const auto& g, [[maybe_unused]] const auto& a,         \
                                            [[maybe_unused]] const auto& r) { return gradient; }); \
  }

/// The functions of one operand, with the gradients of the list.
MCT_FOR_EACH_UNARY(MCT_VARIABLE_FUNCTION)
#undef MCT_VARIABLE_FUNCTION

template <class T, int N, int M>
Variable<T, N, M> operator-(const Variable<T, N, M>& x) {
  return neg(x);
}

#define MCT_VARIABLE_FUNCTION_OF_TWO(name, Type, kind, meaning, domain, exact, ufuncs, by_x, by_y) \
  template <class X, class Y>                                                                      \
  requires autograd_detail::Operands<X, Y>                                                         \
  auto name(const X& x, const Y& y) {                                                              \
    using namespace autograd_detail;                                                               \
    constexpr int M = grad_components_of<X, Y>();                                                  \
    const auto result = mct::name(value_of(x), value_of(y));                                       \
    return record(                                                                                 \
        result,                                                                                    \
        [a = saved<M>(x), b = saved<M>(y), r = grad_value<M>(result)](const auto& to,              \
                                                                      const auto& g) {             \
          if (to.needs(0)) to.give(0, by_x);                                                       \
          if (to.needs(1)) to.give(1, by_y);                                                       \
        },                                                                                         \
        x, y);                                                                                     \
  }

/// The functions of two operands.
MCT_FOR_EACH_BINARY_FUNCTION(MCT_VARIABLE_FUNCTION_OF_TWO)
#undef MCT_VARIABLE_FUNCTION_OF_TWO

/// min(max(x, low), high). low and high are numbers or tensors, and count as constants. The
/// gradient is g where low <= x <= high, else 0.
template <class T, int N, int M, class L, class H>
requires tensor_detail::Operands<Tensor<T, N>, L, H> Variable<T, N, M> clamp(
    const Variable<T, N, M>& x, const L& low, const H& high) {
  const auto& a = x.value();
  return autograd_detail::record(
      clamp(a, low, high),
      [inside = logical_and(a >= low, a <= high)](const auto& to, const auto& g) {
        to.give(0, autograd_detail::masked(inside, g));
      },
      x);
}

}  // namespace mct
