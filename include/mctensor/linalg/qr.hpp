// QR decomposition.
//
// Source: Elmroth, Gustavson 2000 (recursion); Schreiber, Van Loan 1989 (I - V T V^T).
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// The shapes, with k = min(m, n).
/// - reduced: q (..., m, k) and r (..., k, n);
/// - complete: q (..., m, m) and r (..., m, n);
/// - r: only r, as in reduced; q has the shape (0).
enum class QrMode { reduced, complete, r };

template <class T, int N>
struct Qr {
  Tensor<T, N> q;
  Tensor<T, N> r;
};

/// a = q r with orthonormal columns of q and upper triangular (trapezoidal) r, for a (..., m, n).
/// As in LAPACK, the diagonal of r may be negative. The method is recursion on halves with
/// Householder reflections, gathered as I - V T V^T, so nearly all work is in mm.
///
/// Errors, measured, with e = 4 (max(m, n) + 8) u^N: |a - q r|_F <= e |a|_F and |q^T q - I|_F <= e
/// (Higham, Accuracy and Stability, theorem 19.4). Throws DomainError if an entry is not finite,
/// and ShapeError for fewer than two dimensions.
template <class T, int N>
Qr<T, N> qr(const Tensor<T, N>& a, QrMode mode = QrMode::reduced);

}  // namespace mct::linalg
