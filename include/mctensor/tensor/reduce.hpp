// Reductions over all elements or over some dimensions: sums, means, norms, and extremes (the
// largest and the smallest element) and their positions.
//
// `dims` names the dimensions to reduce. Negative numbers count from the end; empty `dims` means
// all dimensions. With keepdim these dimensions stay with size 1. Results keep all components. The
// order of a sum depends only on the shape, so the bits do not depend on the number of threads or
// on strides. Throws ShapeError for dimensions that do not exist or are named twice.
//
// The error of a mean is the error of the sum and of one division. Extremes are exact. Source:
// Ogita, Rump, Oishi 2005, for sums (Accumulator in expansion/accumulator.hpp).
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// The sum. For double, error <= accumulate_bound<N>(n) u^N times the sum of the n magnitudes.
/// Narrower components are summed in double and rounded once, so their error is smaller. A sum that
/// is not finite is the IEEE 754 sum of the leading components. The sum of no elements is 0.
template <class T, int N>
Tensor<T, N> sum(const Tensor<T, N>& x, const Shape& dims = {}, bool keepdim = false) {
  return x.sum(dims, keepdim);
}

/// The sum divided by the number of elements; NaN if there are no elements.
template <class T, int N>
Tensor<T, N> mean(const Tensor<T, N>& x, const Shape& dims = {}, bool keepdim = false) {
  return x.mean(dims, keepdim);
}

/// The exact largest and smallest element; NaN if an element is NaN. Throws ShapeError if there are
/// no elements.
template <class T, int N>
Tensor<T, N> max(const Tensor<T, N>& x, const Shape& dims = {}, bool keepdim = false) {
  return x.max(dims, keepdim);
}
template <class T, int N>
Tensor<T, N> min(const Tensor<T, N>& x, const Shape& dims = {}, bool keepdim = false) {
  return x.min(dims, keepdim);
}

/// The position of the largest and of the smallest element along a dimension; a negative dimension
/// counts from the end. It is the first position of equal elements, and of the first NaN if there
/// is one, as in NumPy. Throws ShapeError for a dimension that does not exist, or where there are
/// no elements.
template <class T, int N>
Tensor<std::int64_t> argmax(const Tensor<T, N>& x, std::int64_t dim, bool keepdim = false) {
  return x.argmax(dim, keepdim);
}
template <class T, int N>
Tensor<std::int64_t> argmin(const Tensor<T, N>& x, std::int64_t dim, bool keepdim = false) {
  return x.argmin(dim, keepdim);
}
/// The position of the largest and of the smallest of all elements in x.flatten(), as a tensor of
/// shape ().
template <class T, int N>
Tensor<std::int64_t> argmax(const Tensor<T, N>& x) {
  return x.argmax();
}
template <class T, int N>
Tensor<std::int64_t> argmin(const Tensor<T, N>& x) {
  return x.argmin();
}

/// The p-norm for p = 1, 2 or infinity. Elements are scaled by a power of two, so that squares and
/// sums do not overflow or underflow if the largest magnitude is a normal number. Error for p = 2:
/// half the error of the sum of squares, plus the error of a square root. Throws DomainError for
/// any other p.
template <class T, int N>
Tensor<T, N> norm(const Tensor<T, N>& x, double p = 2, const Shape& dims = {},
                  bool keepdim = false) {
  return x.norm(p, dims, keepdim);
}

}  // namespace mct
