// Singular value decomposition.
//
// svdvals has the errors, domain and exceptions of svd. Source: Golub, Van Loan, section 8.6.3.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// a = u diag(s) vh. s (..., k) descends, with k = min(m, n). u is (..., m, m) and vh is (..., n,
/// n). Without full_matrices they are (..., m, k) and (..., k, n).
template <class T, int N>
struct Svd {
  Tensor<T, N> u;
  Tensor<T, N> s;
  Tensor<T, N> vh;
};

/// The decomposition of a (..., m, n), by one-sided Jacobi rotations after qr. With several
/// components, rotations start from a decomposition in fewer components. Rotations are not blocked.
/// They take about 50 (min(m, n))^3 operations, so the function is meant for hundreds of rows, not
/// thousands.
///
/// Errors, measured, with e = 4 (max(m, n) + 8) u^N: |a - u diag(s) vh|_F <= e |a|_F, |u^T u - I|_F
/// and |vh vh^T - I|_F <= e, |s - true| <= e s_0. Sources: Demmel, Veselic 1992; Zhang, Bai
/// 2022; Golub, Van Loan, section 8.6.3. Throws DomainError if an entry is not finite or the
/// rotations do not converge, and ShapeError for fewer than two dimensions.
template <class T, int N>
Svd<T, N> svd(const Tensor<T, N>& a, bool full_matrices = true);

/// The singular values alone.
template <class T, int N>
Tensor<T, N> svdvals(const Tensor<T, N>& a);

}  // namespace mct::linalg
