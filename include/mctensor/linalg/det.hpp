// Determinants.
//
// slogdet: the absolute error of the logarithm is as large as the relative error of det. It throws
// as det does. Source: Higham, Accuracy and Stability, section 14.6.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// The determinant of a (..., n, n), with the shape (...). It is the product of LU's pivots; this
/// product overflows or underflows only if the determinant does. It is the exact determinant of a
/// matrix within the backward error of lu_factor, so its relative error is about n cond(a) u^N. It
/// is 0 for a zero pivot and 1 for n = 0. Throws ShapeError unless the matrices are square, and
/// DomainError if an entry is not finite.
template <class T, int N>
Tensor<T, N> det(const Tensor<T, N>& a);

/// det(a) = sign exp(logabsdet), for matrices whose det would leave the range. sign (...) is 1 or
/// -1. For a zero pivot it is 0, and logabsdet is -infinity.
template <class T, int N>
struct SignAndLogDet {
  Tensor<T> sign;
  Tensor<T, N> logabsdet;
};
template <class T, int N>
SignAndLogDet<T, N> slogdet(const Tensor<T, N>& a);

}  // namespace mct::linalg
