// Differentiable functions of one variable, element by element.
//
// Values are those of the function on tensors. Where a function has a corner, the gradient is one
// of its one-sided slopes or their mean, as in PyTorch; each is named below. g: the gradient of the
// result, r: the result.
//
// Error: values have the bound of the function on tensors; each gradient that of the operations in
// its formula. Domain: that of the function on tensors; outside it NaN. Source: the rules of
// derivatives, each beside its function.
#pragma once

#include "mctensor/autograd/kernels.hpp"
#include "mctensor/autograd/record.hpp"
#include "mctensor/expansion/io.hpp"

namespace mct {

/// -x. Gradient -g.
template <class T, int N, int M>
Variable<T, N, M> neg(const Variable<T, N, M>& x) {
  return autograd_detail::record(
      neg(x.value()), [](const auto& to, const auto& g) { to.give(0, -g); }, x);
}
template <class T, int N, int M>
Variable<T, N, M> operator-(const Variable<T, N, M>& x) {
  return neg(x);
}

/// |x|. Gradient g sign(x), 0 at 0.
template <class T, int N, int M>
Variable<T, N, M> abs(const Variable<T, N, M>& x) {
  return autograd_detail::record(
      abs(x.value()),
      [a = x.value()](const auto& to, const auto& g) { to.give(0, g * autograd_detail::sign(a)); },
      x);
}

/// x^2. Gradient 2 g x.
template <class T, int N, int M>
Variable<T, N, M> square(const Variable<T, N, M>& x) {
  return autograd_detail::record(
      square(x.value()),
      [a = autograd_detail::saved<M>(x)](const auto& to, const auto& g) {
        to.give(0, mul_(g * a, T(2)));
      },
      x);
}

/// The square root. Gradient g / (2 r): infinite at 0.
template <class T, int N, int M>
Variable<T, N, M> sqrt(const Variable<T, N, M>& x) {
  const auto root = sqrt(x.value());
  return autograd_detail::record(
      root,
      [r = autograd_detail::grad_value<M>(root)](const auto& to, const auto& g) {
        to.give(0, mul_(g / r, T(0.5)));
      },
      x);
}

/// Gradient g r.
template <class T, int N, int M>
Variable<T, N, M> exp(const Variable<T, N, M>& x) {
  const auto power = exp(x.value());
  return autograd_detail::record(
      power,
      [r = autograd_detail::grad_value<M>(power)](const auto& to, const auto& g) {
        to.give(0, g * r);
      },
      x);
}

/// Gradient g / x.
template <class T, int N, int M>
Variable<T, N, M> log(const Variable<T, N, M>& x) {
  return autograd_detail::record(
      log(x.value()),
      [a = autograd_detail::saved<M>(x)](const auto& to, const auto& g) { to.give(0, g / a); }, x);
}

/// Gradient g (1 - r^2), as (1 - r) (1 + r).
template <class T, int N, int M>
Variable<T, N, M> tanh(const Variable<T, N, M>& x) {
  const auto result = tanh(x.value());
  return autograd_detail::record(
      result,
      [r = autograd_detail::grad_value<M>(result)](const auto& to, const auto& g) {
        to.give(0, g * ((T(1) - r) * (T(1) + r)));
      },
      x);
}

/// Gradient g r (1 - r).
template <class T, int N, int M>
Variable<T, N, M> sigmoid(const Variable<T, N, M>& x) {
  const auto result = sigmoid(x.value());
  return autograd_detail::record(
      result,
      [r = autograd_detail::grad_value<M>(result)](const auto& to, const auto& g) {
        to.give(0, g * (r * (T(1) - r)));
      },
      x);
}

namespace autograd_detail {
/// 1 / sqrt(2 pi).
template <class T, int M>
Expansion<T, M> normal_density() {
  static const auto value = from_string<Expansion<T, M>>(
      "0.39894228040143267793994605993438186847585863116493465766592582967065792589930183850");
  return value;
}

/// Phi(x) + x phi(x) from r = x Phi(x).
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
  // beyond 64, where squares may overflow, x phi(x) is nothing
  const auto far = size > T(64);
  if (!any(far)) return slope;
  return where(far, where(x > T(0), Tensor<T, M>::scalar(typename Tensor<T, M>::Value(T(1))), T(0)),
               slope);
}
}  // namespace autograd_detail

/// x Phi(x), Phi the normal distribution. Gradient g (Phi(x) + x phi(x)).
template <class T, int N, int M>
Variable<T, N, M> gelu(const Variable<T, N, M>& x) {
  using namespace autograd_detail;
  const auto result = gelu(x.value());
  return record(
      result,
      [a = saved<M>(x), r = grad_value<M>(result)](const auto& to, const auto& g) {
        if constexpr (N == 1 && M == 1) {
          to.give(0, gelu_backward(a, r, g));
        } else {
          to.give(0, g * gelu_slope(a, r));
        }
      },
      x);
}

/// max(x, 0). Gradient g where x > 0, else 0.
template <class T, int N, int M>
Variable<T, N, M> relu(const Variable<T, N, M>& x) {
  const auto result = relu(x.value());
  return autograd_detail::record(
      result,
      [r = result.fc()](const auto& to, const auto& g) {
        to.give(0, autograd_detail::masked(r > T(0), g));
      },
      x);
}

/// min(max(x, low), high); the bounds are numbers or tensors. Gradient g where low <= x <= high,
/// else 0; the bounds are constants.
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
