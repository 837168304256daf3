// Differentiable reductions: sums, means, extremes, norms. Arguments and results are the same as in
// tensor/reduce.hpp.
//
// Error: values have the errors of tensor/reduce.hpp, gradients the error of one division or
// product. Domain: every value; the mean of no elements is NaN. Source: tensor/reduce.hpp.
#pragma once

#include <cmath>

#include "mctensor/autograd/record.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct {

namespace autograd_detail {

/// The shape with size 1 in the reduced dimensions. An empty `dims` means all dimensions.
inline Shape keepdim_shape(const Shape& shape, const Shape& dims) {
  Shape result = dims.empty() ? Shape(shape.size(), 1) : shape;
  for (const std::int64_t dim : dims) result[normalize_dim(dim, shape)] = 1;
  return result;
}

/// Records a reduction. Its gradient is weigh(g), expanded to the shape of x; g has size 1 in the
/// reduced dimensions.
template <class T, int N, class Weigh, int M>
Variable<T, N, M> record_reduction(Tensor<T, N> value, const Shape& dims, const Weigh& weigh,
                                   const Variable<T, N, M>& x) {
  return record(
      std::move(value),
      [weigh, kept = keepdim_shape(x.shape(), dims)](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, weigh(g.reshape(kept)).expand(to.input_shape(0)));
      },
      x);
}

/// g where the mask is true, divided by the number of true elements along the reduced dimensions.
template <class T, int N>
Tensor<T, N> shared(const Tensor<T, N>& g, const Tensor<bool>& mask, const Shape& dims) {
  if constexpr (std::is_same_v<T, half>) {
    // a count or its inverse may be outside a half's range
    return convert<half, N>(shared(convert<double, N>(g), mask, dims));
  } else {
    const auto ones = where(mask, Tensor<T, 1>::scalar(T(1)), T(0));
    return g * (ones / sum(ones, dims, true));
  }
}

/// g / count, where count may be beyond a half's range. The function divides by a number in [1, 2)
/// and by two powers of 2, so nothing overflows and no factor is subnormal.
template <int N>
Tensor<half, N> divide_by_count(const Tensor<half, N>& g, std::int64_t count) {
  using Value = typename Tensor<half, N>::Value;
  int exponent = 0;
  const double fraction = 2 * std::frexp(double(count), &exponent);
  --exponent;
  const int first = exponent / 2;
  return g / Tensor<half, N>::scalar(Value(fraction)) * half(std::ldexp(1.0, -first)) *
         half(std::ldexp(1.0, first - exponent));
}

template <bool Largest, class T, int N, int M>
Variable<T, N, M> extreme(const Variable<T, N, M>& x, const Shape& dims, bool keepdim) {
  auto result = Largest ? max(x.value(), dims, keepdim) : min(x.value(), dims, keepdim);
  const auto kept = result.reshape(keepdim_shape(x.shape(), dims));
  return record_reduction(
      std::move(result), dims,
      [a = x.value(), kept, dims](const auto& g) { return shared(g, a == kept, dims); }, x);
}

}  // namespace autograd_detail

/// The sum. Every element has the gradient g.
template <class T, int N, int M>
Variable<T, N, M> sum(const Variable<T, N, M>& x, const Shape& dims = {}, bool keepdim = false) {
  return autograd_detail::record_reduction(
      sum(x.value(), dims, keepdim), dims, [](const auto& g) { return g; }, x);
}

/// The mean of n elements. Every element has the gradient g / n.
template <class T, int N, int M>
Variable<T, N, M> mean(const Variable<T, N, M>& x, const Shape& dims = {}, bool keepdim = false) {
  auto result = mean(x.value(), dims, keepdim);
  const std::int64_t count = result.numel() == 0 ? 1 : x.numel() / result.numel();
  return autograd_detail::record_reduction(
      std::move(result), dims,
      [count](const auto& g) {
        if constexpr (std::is_same_v<T, half>) {
          return autograd_detail::divide_by_count(g, count);
        } else {
          return g / count;
        }
      },
      x);
}

/// The largest and the smallest element. Gradient: g divided evenly between the elements that are
/// equal to the result.
template <class T, int N, int M>
Variable<T, N, M> max(const Variable<T, N, M>& x, const Shape& dims = {}, bool keepdim = false) {
  return autograd_detail::extreme<true>(x, dims, keepdim);
}
template <class T, int N, int M>
Variable<T, N, M> min(const Variable<T, N, M>& x, const Shape& dims = {}, bool keepdim = false) {
  return autograd_detail::extreme<false>(x, dims, keepdim);
}

/// The p-norm r for p = 1, 2 or infinity. Gradient for p = 1: g sign(x). For p = 2: g x / r, and 0
/// where r = 0. For infinity: g sign(x), divided evenly between the elements of magnitude r.
template <class T, int N, int M>
Variable<T, N, M> norm(const Variable<T, N, M>& x, double p = 2, const Shape& dims = {},
                       bool keepdim = false) {
  using namespace autograd_detail;
  const auto& a = x.value();
  auto result = norm(a, p, dims, keepdim);
  if (p == 1)
    return record_reduction(
        std::move(result), dims, [a](const auto& g) { return g * sign(a); }, x);
  const auto r = result.reshape(keepdim_shape(a.shape(), dims));
  if (p == 2)
    return record_reduction(
        std::move(result), dims,
        [a = saved<M>(x), r = grad_value<M>(r)](const auto& g) {
          return g * where(r == T(0), T(0), a / r);
        },
        x);
  return record_reduction(
      std::move(result), dims,
      [a, r, dims](const auto& g) { return sign(a) * shared(g, mct::abs(a) == r, dims); }, x);
}

}  // namespace mct
