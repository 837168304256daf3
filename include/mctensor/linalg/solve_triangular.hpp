// Systems with a triangular matrix.
//
// Source: substitution by blocks; Higham, Accuracy and Stability, chapter 8.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// Which triangle of a matrix counts: solve_triangular(a, b, {.lower = true}).
struct TriangularOptions {
  bool lower = false;          ///< the lower triangle, not the upper one
  bool transposed = false;     ///< solve a^T x = b
  bool unit_diagonal = false;  ///< the diagonal has only ones and is not read
};

/// x with a x = b for a triangular a (..., n, n), whose other triangle is not read. b is one vector
/// (n), or matrices (..., n, k) whose leading dimensions broadcast with the leading dimensions of
/// a. The method works by blocks; all but 32 n k operations are in mm.
///
/// Backward error, measured: |b - a x| <= 4 (n + 4) u^N |a| |x|, element by element (Higham,
/// Accuracy and Stability, theorem 8.5). Throws SingularError for a zero on the diagonal,
/// DomainError if an entry is not finite, and ShapeError if shapes do not fit. Overflow gives
/// infinities or NaN.
template <class T, int N>
Tensor<T, N> solve_triangular(const Tensor<T, N>& a, const Tensor<T, N>& b,
                              const TriangularOptions& options = {});

}  // namespace mct::linalg
