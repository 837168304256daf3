// More differentiable functions of one variable: those of tensor/elementwise.hpp that hyperbolic
// geometry and losses are made of. g: the gradient of the result, r: the result.
//
// Error: values have the bound of the function on tensors; each gradient that of the operations in
// its formula. Domain: that of the function on tensors; outside it NaN. Source: the rules of
// derivatives, each beside its function.
#pragma once

#include "mctensor/autograd/functions.hpp"

namespace mct {

namespace autograd_detail {

/// quick(a), but slow(a) of elements whose squares overflow: for these alone, which are few.
template <class T, int M, class Quick, class Slow>
Tensor<T, M> where_squares_fit(const Tensor<T, M>& a, const Quick& quick, const Slow& slow) {
  const auto fit = mct::abs(a.fc()) < pow2<T>(FloatTraits<T>::emax / 2);
  if (all(fit)) return quick(a);
  return where(fit, quick(a), slow(a));
}

/// 1 / sqrt(a^2 + 1), 1 / sqrt(a^2 - 1) and 1 / (a^2 + 1).
template <class T, int M>
Tensor<T, M> asinh_slope(const Tensor<T, M>& a) {
  return where_squares_fit(
      a, [](const auto& x) { return mct::rsqrt(mct::square(x) + T(1)); },
      [](const auto& x) { return T(1) / mct::hypot(x, T(1)); });
}
template <class T, int M>
Tensor<T, M> acosh_slope(const Tensor<T, M>& a) {
  return where_squares_fit(
      a, [](const auto& x) { return mct::rsqrt((x - T(1)) * (x + T(1))); },
      [](const auto& x) { return mct::rsqrt(x - T(1)) * mct::rsqrt(x + T(1)); });
}
template <class T, int M>
Tensor<T, M> atan_slope(const Tensor<T, M>& a) {
  return where_squares_fit(
      a, [](const auto& x) { return T(1) / (mct::square(x) + T(1)); },
      [](const auto& x) { return mct::square(T(1) / mct::hypot(x, T(1))); });
}

}  // namespace autograd_detail

// slope(a, r): the derivative, given the argument and the result as factors of the gradient
#define MCT_VARIABLE_FUNCTION(name, slope)                                            \
  template <class T, int N, int M>                                                    \
  Variable<T, N, M> name(const Variable<T, N, M>& x) {                                \
    using namespace autograd_detail;                                                  \
    const auto result = name(x.value());                                              \
    return record(                                                                    \
        result,                                                                       \
        [a = saved<M>(x), r = grad_value<M>(result)](const auto& to, const auto& g) { \
          to.give(0, g*(slope));                                                      \
        },                                                                            \
        x);                                                                           \
  }

/// 1 / sqrt(x). Gradient -g r^3 / 2.
MCT_VARIABLE_FUNCTION(rsqrt, (r * T(-0.5)) * mct::square(r))
/// e^x - 1. Gradient g (r + 1).
MCT_VARIABLE_FUNCTION(expm1, r + T(1))
/// log(1 + x). Gradient g / (1 + x).
MCT_VARIABLE_FUNCTION(log1p, T(1) / (a + T(1)))
/// Gradients g cosh(x), g sinh(x).
MCT_VARIABLE_FUNCTION(sinh, mct::cosh(a))
MCT_VARIABLE_FUNCTION(cosh, mct::sinh(a))
/// log(1 + e^x). Gradient g sigmoid(x).
MCT_VARIABLE_FUNCTION(softplus, mct::sigmoid(a))
/// Gradients g cos(x), -g sin(x).
MCT_VARIABLE_FUNCTION(sin, mct::cos(a))
MCT_VARIABLE_FUNCTION(cos, -mct::sin(a))
/// Gradients g (1 + r^2), g / sqrt(1 - x^2), -g / sqrt(1 - x^2), g / (1 + x^2).
MCT_VARIABLE_FUNCTION(tan, mct::square(r) + T(1))
MCT_VARIABLE_FUNCTION(asin, mct::rsqrt((T(1) - a) * (T(1) + a)))
MCT_VARIABLE_FUNCTION(acos, -mct::rsqrt((T(1) - a) * (T(1) + a)))
MCT_VARIABLE_FUNCTION(atan, atan_slope(a))
/// Gradients g / sqrt(x^2 + 1), g / sqrt(x^2 - 1), g / (1 - x^2).
MCT_VARIABLE_FUNCTION(asinh, asinh_slope(a))
MCT_VARIABLE_FUNCTION(acosh, acosh_slope(a))
MCT_VARIABLE_FUNCTION(atanh, T(1) / ((T(1) - a) * (T(1) + a)))
/// The cube root. Gradient g / (3 r^2).
MCT_VARIABLE_FUNCTION(cbrt, T(1) / (mct::square(r) * T(3)))
#undef MCT_VARIABLE_FUNCTION

}  // namespace mct
