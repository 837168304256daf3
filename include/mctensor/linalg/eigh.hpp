// Eigenvalues and eigenvectors of symmetric matrices.
//
// eigvalsh has the errors, domain and exceptions of eigh. Source: Golub, Van Loan, section 8.5.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// a = v diag(w) v^T. The eigenvalues w (..., n) ascend, and column i of the eigenvectors v (...,
/// n, n) belongs to w[i].
template <class T, int N>
struct Eigh {
  Tensor<T, N> eigenvalues;
  Tensor<T, N> eigenvectors;
};

/// The decomposition of a symmetric a (..., n, n); only the lower triangle is read. The method is
/// cyclic Jacobi rotations. With several components it begins with the vectors that a decomposition
/// in fewer components gives. Rotations are not blocked. They take about 50 n^3 operations, so the
/// function is meant for hundreds of rows, not thousands.
///
/// Errors, measured, with e = 4 (n + 8) u^N: |a v - v diag(w)|_F <= e |a|_F, |v^T v - I|_F <= e,
/// |w - true| <= e |a|_2. Sources: Golub, Van Loan, section 8.5; Zhou 2025.
/// Throws DomainError if an entry is not finite or the rotations do not converge, and ShapeError
/// unless the matrices are square.
template <class T, int N>
Eigh<T, N> eigh(const Tensor<T, N>& a);

/// The eigenvalues alone.
template <class T, int N>
Tensor<T, N> eigvalsh(const Tensor<T, N>& a);

}  // namespace mct::linalg
