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
/// b = a^-1 b, or a^-T b, from the result of lu_in_place. Rows of b must be contiguous.
template <int N>
void lu_solve_in_place(const Matrix<N>& lu, const std::int64_t* pivots, const Matrix<N>& b,
                       bool transposed = false);

/// a = Q R for m >= n: R on and above the diagonal, below it the vectors V of the reflections (ones
/// on its diagonal are not stored), with Q = I - V T V^T. T (n, n) is written to `t`.
template <int N>
void qr_in_place(const Matrix<N>& a, const Matrix<N>& t);
/// The first `columns` columns of Q.
template <int N>
Matrix<N> explicit_q(const Matrix<N>& a, const Matrix<N>& t, std::int64_t columns);
/// Q^T b.
template <int N>
Matrix<N> multiply_by_q_transposed(const Matrix<N>& a, const Matrix<N>& t, const Matrix<N>& b);

/// A copy of the lower or upper triangle (trapezoid, if not square), the other entries zero.
template <int N>
Matrix<N> triangle_of(Triangle triangle, const Matrix<N>& a);

}  // namespace mct::linalg_detail
