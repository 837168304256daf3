// Parts of the gradients in the list of operations (tensor/operation.hpp).
//
// Error: the errors of the operations in each formula. Domain: as the function on tensors; outside
// it a gradient has no meaning. Source: the rules of derivatives.
#pragma once

#include "mctensor/autograd/kernels.hpp"
#include "mctensor/autograd/record.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/numbers.hpp"

namespace mct::autograd_detail {

template <class T, int M>
constexpr Expansion<T, M> ln2() {
  return numbers::ln2_v<Expansion<T, M>>;
}

/// quick(a); slow(a) for the few elements whose squares overflow.
template <class T, int M, class Quick, class Slow>
Tensor<T, M> where_squares_fit(const Tensor<T, M>& a, const Quick& quick, const Slow& slow) {
  const auto fit = mct::abs(a.fc()) < pow2<T>(FloatTraits<T>::emax / 2);
  if (all(fit)) return quick(a);
  return where(fit, quick(a), slow(a));
}

/// The derivatives of asinh, acosh and atan: 1 / sqrt(a^2 + 1), 1 / sqrt(a^2 - 1) and 1 / (a^2 +
/// 1).
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

/// The derivative of asin, 1 / sqrt(1 - a^2).
template <class T, int M>
Tensor<T, M> asin_slope(const Tensor<T, M>& a) {
  return mct::rsqrt((T(1) - a) * (T(1) + a));
}
/// The derivative of erf, 2 / sqrt(pi) e^(-a^2).
template <class T, int M>
Tensor<T, M> erf_slope(const Tensor<T, M>& a) {
  return mct::exp(-mct::square(a)) * (numbers::inv_sqrtpi_v<Expansion<T, M>> * T(2));
}

/// 1 / sqrt(2 pi).
template <class T, int M>
Expansion<T, M> normal_density() {
  static const auto value = from_string<Expansion<T, M>>(
      "0.39894228040143267793994605993438186847585863116493465766592582967065792589930183850");
  return value;
}

/// The derivative of gelu, Phi(x) + x phi(x), from x and the result r = x Phi(x).
template <class T, int M>
Tensor<T, M> gelu_slope(const Tensor<T, M>& x, const Tensor<T, M>& r) {
  constexpr int digits = FloatTraits<T>::p * M;
  constexpr int smallest = FloatTraits<T>::emin + digits + 2;  // where r has all limbs
  const T tiny = pow2<T>(smallest < -digits / 5 - 1 ? smallest : -digits / 5 - 1);
  const auto size = mct::abs(x.fc());
  const auto phi = mct::exp(mul_(mct::square(x), T(-0.5))) * normal_density<T, M>();
  // r / x is Phi without the cancellation of 1 + erf; near zero it is the first terms of its series
  auto cumulative = r / x;
  if (const auto near = size < tiny; any(near)) {
    const auto third = normal_density<T, M>() / Expansion<T, M>(T(6));
    cumulative =
        where(near, T(0.5) + x * (normal_density<T, M>() - mct::square(x) * third), cumulative);
  }
  const auto slope = cumulative + x * phi;
  // beyond 64, squares may overflow, and x phi(x) is far below the rounding error
  const auto far = size > T(64);
  if (!any(far)) return slope;
  return where(far, where(x > T(0), Tensor<T, M>::scalar(typename Tensor<T, M>::Value(T(1))), T(0)),
               slope);
}
/// The gradient of gelu on tensors of N components.
template <int N, class T, int M>
Tensor<T, M> gelu_gradient(const Tensor<T, M>& g, const Tensor<T, M>& a, const Tensor<T, M>& r) {
  if constexpr (N == 1 && M == 1) {
    return gelu_backward(a, r, g);
  } else {
    return g * gelu_slope(a, r);
  }
}

/// The gradients of x^y. The gradient of x is g y x^(y - 1), and 0 where y = 0. The gradient of y
/// is g x^y log(x), and 0 where x = 0 and y >= 0. Operands are tensors or numbers.
template <class T, int M, class X, class Y>
Tensor<T, M> pow_gradient_of_base(const Tensor<T, M>& g, const X& x, const Y& y) {
  // the base gets M components, because its logarithm is needed with M components
  const auto base = tensor_detail::widen<T, M>(tensor_detail::as_tensor<T, M>(x));
  const auto& exponent = tensor_detail::as_tensor<T, M>(y);
  const auto slope = exponent * mct::pow(base, exponent - T(1));
  return g * where(exponent == T(0), T(0), slope);
}
template <class T, int M, class X, class Y, int R>
Tensor<T, M> pow_gradient_of_exponent(const Tensor<T, M>& g, const X& x, const Y& y,
                                      const Tensor<T, R>& r) {
  const auto base = tensor_detail::widen<T, M>(tensor_detail::as_tensor<T, M>(x));
  const auto& exponent = tensor_detail::as_tensor<T, M>(y);
  const auto slope = r * mct::log(base);
  return g * where(logical_and(base == T(0), exponent >= T(0)), T(0), slope);
}

/// x / r, and 0 where r = 0.
template <class X, class T, int R>
auto part_of(const X& x, const Tensor<T, R>& r) {
  return where(r == T(0), T(0), x / r);
}

/// The tensors that an operation keeps for its gradient.
enum class Keeps { nothing, argument, result, both };

/// Records a function of one variable x with its result. gradient(g, a, r) is the gradient as the
/// list of operations states it, for the argument a and the result r. Of these, a tensor that is
/// not kept is empty.
template <Keeps keeps, class T, int N, int M, class Gradient>
Variable<T, N, M> record_function(const Variable<T, N, M>& x, const Tensor<T, N>& result,
                                  const Gradient& gradient) {
  using Kept = decltype(grad_value<M>(result));
  const bool keeps_argument = keeps == Keeps::argument || keeps == Keeps::both;
  const bool keeps_result = keeps == Keeps::result || keeps == Keeps::both;
  return record(
      result,
      [gradient, a = keeps_argument ? saved<M>(x) : Kept(),
       r = keeps_result ? grad_value<M>(result) : Kept()](const auto& to, const auto& g) {
        to.give(0, gradient(g, a, r));
      },
      x);
}

}  // namespace mct::autograd_detail
