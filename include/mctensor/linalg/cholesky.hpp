// Cholesky decomposition.
//
// Source: Higham, Accuracy and Stability, chapter 10; the recursion as in Toledo 1997.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// The lower triangular l with a = l l^T, for symmetric positive definite a (..., n, n). Only the
/// lower triangle of a is read. The method is recursion on halves, so nearly all work is in mm.
///
/// Backward error, measured: |a - l l^T| <= 4 (n + 4) u^N |l| |l^T|, element by element (Higham,
/// Accuracy and Stability, theorem 10.3). Throws DomainError if an entry is not finite, or if a
/// leading minor is not positive; the message names the first such minor. Throws ShapeError unless
/// the matrices are square.
template <class T, int N>
Tensor<T, N> cholesky(const Tensor<T, N>& a);

}  // namespace mct::linalg
