// Compiled loops for plain variables, which would otherwise take many passes over memory.
//
// Rows are the last dimension. Sums are computed in double and in an order that depends on the
// shape alone. Operands may have any layout.
//
// Softmax, its logarithm, their gradients and the gradient of GELU are computed in lanes of double
// by kernels of the processor's instruction set, and rounded once. All instruction sets with fma
// give the same bits. Error for half, bfloat16 and float: 0.5 ulp and 2^-38 of the terms
// (exponentials have an error of 2^-40). For double: 0.5 ulp and (n / 8 + 12) u of the terms, for n
// numbers in a row. For the error of a gradient, the given result counts as exact.
// (tests/autograd/row_kernels_test.cpp)
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::autograd_detail {

/// The gradient of gelu: x, its result r, the gradient g of the result. Any x is allowed: the slope
/// is 1 at +infinity, 0 at -infinity, and 1/2 at 0.
template <class T>
Tensor<T> gelu_backward(const Tensor<T>& x, const Tensor<T>& r, const Tensor<T>& g);

/// Softmax and its logarithm of every row: NaN if the row has a NaN or +infinity, or if all its
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

/// (x - mean) / sqrt(variance + eps) of every row; `scale` gets the reciprocal of the root.
template <class T>
Tensor<T> normalize_rows(const Tensor<T>& x, double eps, Tensor<T>& scale);
/// The gradient of x from the normalized rows, their scale and their gradient.
template <class T>
Tensor<T> normalize_rows_backward(const Tensor<T>& normalized, const Tensor<T>& scale,
                                  const Tensor<T>& g);

/// -log softmax(x)[target] for every row of x (n, c); 0 where the target is `ignore_index`.
/// `probabilities` gets the softmax.
template <class T>
Tensor<T> cross_entropy_rows(const Tensor<T>& x, const Tensor<std::int64_t>& target,
                             std::int64_t ignore_index, Tensor<T>& probabilities);
/// The gradient of cross_entropy_rows: (probabilities - one at the target) g[row], 0 in ignored
/// rows; g (n).
template <class T>
Tensor<T> cross_entropy_rows_backward(const Tensor<T>& probabilities,
                                      const Tensor<std::int64_t>& target, std::int64_t ignore_index,
                                      const Tensor<T>& g);

}  // namespace mct::autograd_detail
