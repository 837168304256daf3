// Decompositions of one matrix in place, by recursion on halves: nearly all work is in mm.
//
// Matrices are tensors (m, n) of doubles of N components, or views of such. Their entries are
// finite and of moderate size (work.hpp scales them), so that no product overflows.
#pragma once

#include <cstdint>

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg_detail {

template <int N>
using Matrix = Tensor<double, N>;

/// c -= a b, in place.
template <int N>
void subtract_product(const Matrix<N>& c, const Matrix<N>& a, const Matrix<N>& b);

/// b = a^-1 b for a lower or upper triangular a (n, n), of which the other triangle is not read,
/// nor the diagonal if it is said to be ones. Rows of b (n, k) must be contiguous. The diagonal has
/// no zero.
enum class Triangle { lower, upper };
template <int N>
void solve_triangle(Triangle triangle, bool unit_diagonal, const Matrix<N>& a, const Matrix<N>& b);
/// The same for a right side of any strides.
template <int N>
void solve_triangle_anywhere(Triangle triangle, bool unit_diagonal, const Matrix<N>& a,
                             const Matrix<N>& b);

/// P a = L U with partial pivoting; L below the diagonal, U on and above it. Rows of a must be
/// contiguous. Row i was exchanged with row pivots[i] >= i. Returns the first column without a
/// nonzero pivot, or -1.
template <int N>
std::int64_t lu_in_place(const Matrix<N>& a, std::int64_t* pivots);
/// Exchanges rows as lu_in_place did with the rows of a; backwards if told so.
template <int N>
void exchange_rows(const Matrix<N>& b, const std::int64_t* pivots, std::int64_t count,
                   bool backwards = false);
/// b = a^-1 b, or a^-T b, from what lu_in_place left. Rows of b must be contiguous.
template <int N>
void lu_solve_in_place(const Matrix<N>& lu, const std::int64_t* pivots, const Matrix<N>& b,
                       bool transposed = false);

/// a = L L^T; L in the lower triangle, which alone is read. Returns the order of the first leading
/// minor that is not positive, or 0.
template <int N>
std::int64_t cholesky_in_place(const Matrix<N>& a);

/// a = Q R for m >= n: R on and above the diagonal, below it the vectors V of the reflections (ones
/// on its diagonal are not stored), with Q = I - V T V^T. T (n, n) is written to `t`.
template <int N>
void qr_in_place(const Matrix<N>& a, const Matrix<N>& t);
/// The vectors that qr_in_place left below the diagonal, as a matrix.
template <int N>
Matrix<N> reflection_vectors(const Matrix<N>& a);
/// The first `columns` columns of Q.
template <int N>
Matrix<N> explicit_q(const Matrix<N>& a, const Matrix<N>& t, std::int64_t columns);
/// Q^T b.
template <int N>
Matrix<N> multiply_by_q_transposed(const Matrix<N>& a, const Matrix<N>& t, const Matrix<N>& b);

/// A copy of the lower or upper triangle (trapezoid, if not square), the other entries zero.
template <int N>
Matrix<N> triangle_of(Triangle triangle, const Matrix<N>& a);

/// Eigenvalues of a symmetric matrix, ascending, and orthonormal eigenvectors: row i of `vectors`
/// belongs to value i.
template <int N>
struct Eigen {
  Matrix<N> values;  // (n)
  Matrix<N> vectors;
};
template <int N>
Eigen<N> jacobi_eigen(const Matrix<N>& a);

/// a = left^T diag(values) right for a square a: values descending, rows of left and right
/// orthonormal.
template <int N>
struct Singular {
  Matrix<N> values;  // (n)
  Matrix<N> left;
  Matrix<N> right;
};
template <int N>
Singular<N> jacobi_singular(const Matrix<N>& a);

}  // namespace mct::linalg_detail
