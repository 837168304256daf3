// Determinants.
//
// slogdet: the absolute error of the logarithm is as large as the relative error of det; it throws
// as det. Source: Higham, Accuracy and Stability, section 14.6.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// The determinant of a (..., n, n): (...). It is the product of LU's pivots, which cannot overflow
/// or underflow unless the determinant does. It is the exact determinant of a matrix within the
/// backward error of lu_factor, so its relative error is about n cond(a) u^N. 0 for a zero pivot, 1
/// for n = 0. Throws ShapeError, and DomainError if an entry is not finite.
template <class T, int N>
Tensor<T, N> det(const Tensor<T, N>& a);

/// det(a) = sign exp(logabsdet), for matrices whose det would leave the range: sign (...) is 1, -1
/// or, for a zero pivot, 0 with logabsdet = -infinity.
template <class T, int N>
struct SignAndLogDet {
  Tensor<T> sign;
  Tensor<T, N> logabsdet;
};
template <class T, int N>
SignAndLogDet<T, N> slogdet(const Tensor<T, N>& a);

}  // namespace mct::linalg
