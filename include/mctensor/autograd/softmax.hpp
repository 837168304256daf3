// Softmax, its logarithm, and the normalization of layers.
//
// Error: no bound is stated as a number; values and gradients have the errors of exp, a sum and a
// division with N components. Domain: every finite x. Source: the definitions; gradients are in the
// form that needs only the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "mctensor/autograd/arithmetic.hpp"
#include "mctensor/autograd/functions.hpp"
#include "mctensor/autograd/kernels.hpp"
#include "mctensor/autograd/reduce.hpp"
#include "mctensor/base/number_text.hpp"

namespace mct {

namespace autograd_detail {

/// Plain variables have compiled loops over rows.
template <int N, int M>
inline constexpr bool has_kernels = N == 1 && M == 1;

/// f applied with dimension `dim` as the last one, by transposition.
template <class F, class X, class... Rest>
auto along(std::int64_t dim, const F& f, const X& x, const Rest&... rest) {
  if (normalize_dim(dim, x.shape()) + 1 == x.shape().size()) return f(x, rest...);
  return f(x.transpose(dim, -1), rest.transpose(dim, -1)...).transpose(dim, -1);
}
/// The function f of rows, applied along a dimension; backward(result, g) is its gradient.
template <class T, class Backward>
Variable<T> along_rows(const Variable<T>& x, std::int64_t dim, Tensor<T> (*f)(const Tensor<T>&),
                       const Backward& backward) {
  const auto result = along(dim, f, x.value());
  return record(
      result, [=](const auto& to, const auto& g) { to.give(0, along(dim, backward, result, g)); },
      x);
}

/// The largest elements along a dimension, which stays with size 1; 0 if the dimension has no
/// elements.
template <class T, int N>
Tensor<T, N> largest_along(const Tensor<T, N>& x, std::int64_t dim) {
  if (x.size(dim) > 0) return mct::max(x, {dim}, true);
  return Tensor<T, N>(keepdim_shape(x.shape(), {dim}));
}

/// Checks the summand of a variance: throws DomainError if it is negative, infinite or NaN.
inline void require_eps(const char* owner, double eps) {
  if (!(eps >= 0) || !std::isfinite(eps))
    throw DomainError(std::string(owner) + ": eps " + number_text(eps) +
                      " is not a finite number of at least 0");
}

}  // namespace autograd_detail

/// exp(x) / sum of exp(x) along a dimension. The largest element is subtracted from x first, so
/// that no exponential overflows. A row with a NaN or +infinity, or with -infinity alone, gives
/// NaN. If the dimension has no elements, the result has none. Gradient r (g - sum of g r).
template <class T, int N, int M>
Variable<T, N, M> softmax(const Variable<T, N, M>& x, std::int64_t dim) {
  using namespace autograd_detail;
  if constexpr (has_kernels<N, M>) {
    return along_rows(x, dim, softmax_rows<T>, softmax_rows_backward<T>);
  } else {
    const auto& a = x.value();
    const auto powers = mct::exp(a - largest_along(a, dim));
    const auto result = powers / mct::sum(powers, {dim}, true);
    return record(
        result,
        [r = grad_value<M>(result), dim](const auto& to, const auto& g) {
          to.give(0, r * (g - mct::sum(g * r, {dim}, true)));
        },
        x);
  }
}

/// log(softmax(x)), computed without softmax. If the dimension has no elements, the result has
/// none. Gradient g - exp(r) (sum of g).
template <class T, int N, int M>
Variable<T, N, M> log_softmax(const Variable<T, N, M>& x, std::int64_t dim) {
  using namespace autograd_detail;
  if constexpr (has_kernels<N, M>) {
    return along_rows(x, dim, log_softmax_rows<T>, log_softmax_rows_backward<T>);
  } else {
    const auto& a = x.value();
    const auto shifted = a - largest_along(a, dim);
    const auto result = shifted - mct::log(mct::sum(mct::exp(shifted), {dim}, true));
    return record(
        result,
        [r = grad_value<M>(result), dim](const auto& to, const auto& g) {
          to.give(0, g - mct::exp(r) * mct::sum(g, {dim}, true));
        },
        x);
  }
}

namespace autograd_detail {
/// For each row the power of two that brings it near 1 if its squares may leave the range or lose
/// limbs, else 1. The tensor is empty if no row needs scaling.
template <class T, int N>
Tensor<T> to_ordinary_squares(const Tensor<T, N>& x, const Shape& dims, double eps) {
  if (x.numel() == 0) return Tensor<T>({0});
  auto powers = max(abs(x.fc()), dims, true);
  constexpr int limit = FloatTraits<T>::emax / 5;
  bool far = false;
  for (std::int64_t i = 0; i < powers.numel(); ++i) {
    const double top = std::max(double(powers.data()[i]), std::sqrt(eps));
    int exponent = top > 0 && std::isfinite(top) ? std::ilogb(top) : 0;
    if (std::abs(exponent) <= limit) exponent = 0;
    far |= exponent != 0;
    const int most = -FloatTraits<T>::emin;
    powers.data()[i] = T(std::ldexp(1.0, std::clamp(-exponent, -most, most)));
  }
  return far ? powers : Tensor<T>({0});
}
}  // namespace autograd_detail

/// (x - mean) / sqrt(variance + eps) over the last `dims` dimensions, with the variance of the
/// whole population (divided by n). If eps is 0, or rounds to 0 in T, rows of equal elements or
/// their gradients are NaN. Throws ShapeError unless 1 <= dims <= x.dim(). Throws DomainError for
/// an eps that is negative, infinite or NaN.
template <class T, int N, int M>
Variable<T, N, M> normalize(const Variable<T, N, M>& x, int dims, double eps) {
  using namespace autograd_detail;
  if (dims < 1 || dims > x.dim())
    throw ShapeError("normalize: the last " + std::to_string(dims) + " dimensions of shape " +
                     to_string(x.shape()) +
                     " do not exist; dims is at least 1 and at most the number of dimensions");
  require_eps("normalize", eps);
  if constexpr (has_kernels<N, M>) {
    Shape rows = leading_shape(x.shape(), dims);
    rows.push_back(numel(Shape(x.shape().end() - dims, x.shape().end())));
    Tensor<T> scale;
    const auto result = normalize_rows(x.value().reshape(rows), eps, scale);
    return record(
        result.reshape(x.shape()),
        [result, scale](const auto& to, const auto& g) {
          to.give(0, normalize_rows_backward(result, scale, g.reshape(result.shape()))
                         .reshape(to.input_shape(0)));
        },
        x);
  } else {
    Shape last;
    for (int d = 1; d <= dims; ++d) last.push_back(-d);
    const auto powers = to_ordinary_squares(x.value(), last, eps);
    if (powers.numel() > 0) {
      auto scaled_eps = Tensor<T, N>(powers.shape());
      for (std::int64_t i = 0; i < powers.numel(); ++i) {
        const double power = double(powers.data()[i]);
        for (int k = 0; k < N; ++k)
          scaled_eps.data(k)[i] = Expansion<T, N>(eps * power * power).limb[k];
      }
      const auto scaled = x * powers;
      const auto centred = scaled - mean(scaled, last, true);
      return centred * rsqrt(mean(square(centred), last, true) + scaled_eps);
    }
    const auto centred = x - mean(x, last, true);
    return centred * rsqrt(mean(square(centred), last, true) + eps);
  }
}

}  // namespace mct
