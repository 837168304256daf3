// QR decomposition.
//
// Source: Elmroth, Gustavson 2000 (recursion); Schreiber, Van Loan 1989 (I - V T V^T).
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// reduced: q (..., m, k), r (..., k, n) with k = min(m, n); complete: q (..., m, m), r (..., m,
/// n); r: no q (shape (0)), r as reduced.
enum class QrMode { reduced, complete, r };

template <class T, int N>
struct Qr {
  Tensor<T, N> q;
  Tensor<T, N> r;
};

/// a = q r with orthonormal columns of q and upper triangular (trapezoidal) r, for a (..., m, n).
/// As in LAPACK, the diagonal of r may be negative. Householder reflections by recursion on halves,
/// gathered as I - V T V^T: nearly all work is in mm.
///
/// Errors, measured, with e = 4 (max(m, n) + 8) u^N: |a - q r|_F <= e |a|_F and |q^T q - I|_F <= e
/// (Higham, Accuracy and Stability, theorem 19.4). Throws DomainError if an entry is not finite;
/// ShapeError.
template <class T, int N>
Qr<T, N> qr(const Tensor<T, N>& a, QrMode mode = QrMode::reduced);

}  // namespace mct::linalg
