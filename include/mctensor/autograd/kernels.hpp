// Compiled loops for plain variables, which would otherwise take many passes over memory.
//
// A row is a vector along the last dimension. Sums are computed in double, in an order that depends
// only on the shape. Operands may have any layout.
//
// Softmax, its logarithm, their gradients and the gradient of GELU are computed in lanes of double
// by kernels of the processor's instruction set, and rounded once. All instruction sets with fma
// give the same bits. Error for half, bfloat16 and float: 0.5 ulp plus 2^-38 of the terms
// (exponentials have an error of 2^-40). Error for double: 0.5 ulp plus (n / 8 + 12) u of the
// terms, for n numbers in a row. In the bounds of gradients, the given result counts as exact.
// (tests/autograd/row_kernels_test.cpp)
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::autograd_detail {

/// The gradient of gelu by x, from the result r and the gradient g of the result. Any x is allowed:
/// the slope is 1 at +infinity, 0 at -infinity, and 1/2 at 0.
template <class T>
Tensor<T> gelu_backward(const Tensor<T>& x, const Tensor<T>& r, const Tensor<T>& g);

/// Softmax and its logarithm of every row. NaN if the row has a NaN or +infinity, or if all its
/// elements are -infinity.
template <class T>
Tensor<T> softmax_rows(const Tensor<T>& x);
template <class T>
Tensor<T> log_softmax_rows(const Tensor<T>& x);
/// The gradients of softmax and its logarithm, from the result r and its gradient g.
template <class T>
Tensor<T> softmax_rows_backward(const Tensor<T>& r, const Tensor<T>& g);
template <class T>
Tensor<T> log_softmax_rows_backward(const Tensor<T>& r, const Tensor<T>& g);

/// (x - mean) / sqrt(variance + eps) of every row. `scale` becomes the reciprocal of the root.
template <class T>
Tensor<T> normalize_rows(const Tensor<T>& x, double eps, Tensor<T>& scale);
/// The gradient of normalize_rows by x, from the result, its `scale` and the gradient g of the
/// result.
template <class T>
Tensor<T> normalize_rows_backward(const Tensor<T>& normalized, const Tensor<T>& scale,
                                  const Tensor<T>& g);

/// -log softmax(x)[target] for every row of x (n, c); 0 where the target is `ignore_index`.
/// `probabilities` becomes softmax(x). Throws ShapeError for another target outside 0 ... c - 1.
template <class T>
Tensor<T> cross_entropy_rows(const Tensor<T>& x, const Tensor<std::int64_t>& target,
                             std::int64_t ignore_index, Tensor<T>& probabilities);
/// The gradient of cross_entropy_rows, for g of shape (n): g[row] (probabilities - e), where e is 1
/// at the target and else 0. It is 0 in ignored rows.
template <class T>
Tensor<T> cross_entropy_rows_backward(const Tensor<T>& probabilities,
                                      const Tensor<std::int64_t>& target, std::int64_t ignore_index,
                                      const Tensor<T>& g);

}  // namespace mct::autograd_detail
