// Norms of matrices and condition numbers.
//
// Error of cond: as inv or svd. Source: Golub, Van Loan, sections 2.3 and 2.6.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// - frobenius: the root of the sum of squares;
/// - one: the largest sum of magnitudes of a column;
/// - infinity: the largest sum of magnitudes of a row;
/// - two: the largest singular value;
/// - nuclear: the sum of all singular values.
enum class MatrixNorm { frobenius, one, infinity, two, nuclear };

/// The norm of matrices a (..., m, n): (...). For vectors use mct::norm. Error: as sums (one,
/// infinity), as mct::norm (frobenius), or as svd (two, nuclear). Throws ShapeError for less than
/// two dimensions, and if there is no row or column to take the largest of. If an entry is not
/// finite, the norms two and nuclear throw DomainError; the other norms are NaN or infinite.
template <class T, int N>
Tensor<T, N> norm(const Tensor<T, N>& a, MatrixNorm order = MatrixNorm::frobenius);

/// The condition numbers |a| |a^-1| of matrices a (..., n, n): (...). They are infinite if a is
/// singular. With MatrixNorm::two, a condition number is the quotient of the largest and the
/// smallest singular value; a may then be (..., m, n). Throws DomainError if an entry is not
/// finite, ShapeError for other shapes.
template <class T, int N>
Tensor<T, N> cond(const Tensor<T, N>& a, MatrixNorm order = MatrixNorm::two);

}  // namespace mct::linalg
