// LU decomposition with partial pivoting.
//
// For every decomposition of this folder: matrices are the last two dimensions of tensors of double
// or float with 1 to 4 components; leading dimensions are a batch. Float is computed in double (in
// f64x2 for several components) and rounded. Matrices are scaled by powers of two, so entries near
// the ends of the range do no harm unless a result itself underflows. Functions throw DomainError
// for a NaN or an infinity, and ShapeError for a shape that does not fit. Results do not depend on
// the number of threads.
//
// lu has the errors of lu_factor. Source: Toledo 1997; Higham, Accuracy and Stability, chapter 9.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// P a = L U for a (..., m, n). L is below the diagonal of `lu`; its diagonal of ones is not
/// stored. U is on and above the diagonal. For i = 0, 1, ... row i was exchanged with row pivots[i]
/// >= i.
template <class T, int N>
struct LuFactors {
  Tensor<T, N> lu;              ///< (..., m, n)
  Tensor<std::int64_t> pivots;  ///< (..., min(m, n))
};

/// Backward error, measured: |P a - L U| <= 4 (n + 4) u^N |L| |U|, element by element (float: the
/// error of rounding the result). A zero pivot is no error; U then has a zero on its diagonal. The
/// method is recursion on halves, so nearly all work is in mm.
///
/// Source: Toledo 1997; Higham, Accuracy and Stability of Numerical Algorithms, chapter 9.
template <class T, int N>
LuFactors<T, N> lu_factor(const Tensor<T, N>& a);

/// x with a x = b, or a^T x = b, from the factors of square matrices a (..., n, n). b is one vector
/// (n), or matrices (..., n, k) whose leading dimensions broadcast with the leading dimensions of
/// a. Backward error: as lu_factor, because this function does not refine x as solve does. Throws
/// SingularError for a zero pivot, and DomainError if an entry of `pivots` is not the number of a
/// row.
template <class T, int N>
Tensor<T, N> lu_solve(const LuFactors<T, N>& factors, const Tensor<T, N>& b,
                      bool transposed = false);

/// a = p l u with k = min(m, n), by the convention of SciPy and PyTorch. p (..., m, m) is a
/// permutation, l (..., m, k) is lower trapezoidal with ones on its diagonal, and u (..., k, n) is
/// upper trapezoidal.
template <class T, int N>
struct Lu {
  Tensor<T> p;
  Tensor<T, N> l;
  Tensor<T, N> u;
};
template <class T, int N>
Lu<T, N> lu(const Tensor<T, N>& a);

}  // namespace mct::linalg
