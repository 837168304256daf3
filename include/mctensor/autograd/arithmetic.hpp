// Differentiable operations of two operands: arithmetic, extremes, selection.
//
// Operands are variables, tensors and numbers in any mixture, with at least one variable. They must
// have the same component type; plain operands and operands of N components mix. Shapes broadcast
// as in NumPy (ShapeError), and a gradient is summed over the dimensions in which its operand was
// stretched. Values are the same as for tensors.
//
// Error: values have the error of the operation on tensors. Gradients have the errors of the
// operations in their formulas. Domain: every value; infinities and NaN follow IEEE 754, as on
// tensors. Source: the rules of derivatives, each beside its function.
#pragma once

#include "mctensor/autograd/record.hpp"

namespace mct {

/// x + y. Gradients g, g.
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto add(const X& x, const Y& y) {
  using namespace autograd_detail;
  return record(
      mct::add(value_of(x), value_of(y)),
      [](const auto& to, const auto& g) {
        to.give(0, g);
        to.give(1, g);
      },
      x, y);
}

/// x - y. Gradients g, -g.
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto sub(const X& x, const Y& y) {
  using namespace autograd_detail;
  return record(
      mct::sub(value_of(x), value_of(y)),
      [](const auto& to, const auto& g) {
        to.give(0, g);
        if (to.needs(1)) to.give(1, -g);
      },
      x, y);
}

/// x y. Gradients g y, g x.
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto mul(const X& x, const Y& y) {
  using namespace autograd_detail;
  constexpr int M = grad_components_of<X, Y>();
  return record(
      mct::mul(value_of(x), value_of(y)),
      [a = saved<M>(x), b = saved<M>(y)](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, g * b);
        if (to.needs(1)) to.give(1, g * a);
      },
      x, y);
}

/// x / y. Gradients g / y, -g (x / y) / y.
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto div(const X& x, const Y& y) {
  using namespace autograd_detail;
  constexpr int M = grad_components_of<X, Y>();
  const auto quotient = mct::div(value_of(x), value_of(y));
  return record(
      quotient,
      [b = saved<M>(y), q = grad_value<M>(quotient)](const auto& to, const auto& g) {
        if (!to.needs(0) && !to.needs(1)) return;
        const auto gx = g / b;
        to.give(0, gx);
        if (to.needs(1)) to.give(1, -(gx * q));
      },
      x, y);
}

namespace autograd_detail {
/// Records a maximum or a minimum. The gradient goes to the operand that was chosen; where both are
/// equal, each gets half of it.
template <int M, class R, class X, class Y, class Mask>
auto record_extreme(R value, const X& x, const Y& y, const Mask& x_wins, const Mask& tie) {
  using T = typename R::Component;
  return record(
      std::move(value),
      [x_wins, tie](const auto& to, const auto& g) {
        const auto half = g * T(0.5);
        if (to.needs(0)) to.give(0, where(tie, half, masked(x_wins, g)));
        if (to.needs(1)) to.give(1, where(tie, half, masked(logical_not(x_wins), g)));
      },
      x, y);
}
}  // namespace autograd_detail

/// The larger and the smaller operand. The gradient goes to the operand that was chosen; where both
/// are equal, each gets half of it.
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto maximum(const X& x, const Y& y) {
  using namespace autograd_detail;
  const auto& a = value_of(x);
  const auto& b = value_of(y);
  return record_extreme<grad_components_of<X, Y>()>(mct::maximum(a, b), x, y, a > b, a == b);
}
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto minimum(const X& x, const Y& y) {
  using namespace autograd_detail;
  const auto& a = value_of(x);
  const auto& b = value_of(y);
  return record_extreme<grad_components_of<X, Y>()>(mct::minimum(a, b), x, y, a < b, a == b);
}

/// mask ? x : y. The gradient goes to the operand that was chosen.
template <class X, class Y>
requires autograd_detail::Operands<X, Y>
auto where(const Tensor<bool>& mask, const X& x, const Y& y) {
  using namespace autograd_detail;
  return record(
      mct::where(mask, value_of(x), value_of(y)),
      [mask](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, masked(mask, g));
        if (to.needs(1)) to.give(1, masked(logical_not(mask), g));
      },
      x, y);
}

#define MCT_VARIABLE_OPERATOR(op, name)    \
  template <class X, class Y>              \
  requires autograd_detail::Operands<X, Y> \
  auto operator op(const X& x, const Y& y) { return name(x, y); }
MCT_VARIABLE_OPERATOR(+, add)
MCT_VARIABLE_OPERATOR(-, sub)
MCT_VARIABLE_OPERATOR(*, mul)
MCT_VARIABLE_OPERATOR(/, div)
#undef MCT_VARIABLE_OPERATOR

}  // namespace mct
