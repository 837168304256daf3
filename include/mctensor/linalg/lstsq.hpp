// Linear least squares.
//
// Source: Higham, Accuracy and Stability, chapter 20; Golub, Van Loan, section 5.5, for matrices
// without full rank.
#pragma once

#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

template <class T, int N>
struct LeastSquares {
  Tensor<T, N> x;  ///< (n) or (n, k)
  Tensor<T, N>
      residuals;  ///< |b - a x|^2 for each column: (), or (k); shape (0) unless m > n = rank
  std::int64_t rank = 0;  ///< the rank of a
};

/// Among all x that minimize |b - a x|, the x with the smallest norm, as in NumPy. a is one matrix
/// (m, n), and b is (m) or (m, k). x is computed by qr, or by svd if a does not have full rank.
/// Singular values below rcond times the largest one count as zero; rcond < 0 stands for max(m, n)
/// u^N.
///
/// x is the solution for a matrix within about (max(m, n) + 8) u^N of a (Higham, Accuracy and
/// Stability, theorem 20.3). The error of x is this number times cond(a), or times cond(a)^2 if the
/// residual is large. There is no refinement. Throws DomainError if an operand is not finite, and
/// ShapeError if shapes do not fit.
template <class T, int N>
LeastSquares<T, N> lstsq(const Tensor<T, N>& a, const Tensor<T, N>& b, double rcond = -1);

/// The same for one plain operand and one operand of several components.
template <class T, int A, int B>
requires(A != B && (A == 1 || B == 1)) auto lstsq(const Tensor<T, A>& a, const Tensor<T, B>& b,
                                                  double rcond = -1) {
  constexpr int N = A > B ? A : B;
  if constexpr (A == 1) {
    return lstsq(with_components<N>(a), b, rcond);
  } else {
    return lstsq(a, with_components<N>(b), rcond);
  }
}

}  // namespace mct::linalg
