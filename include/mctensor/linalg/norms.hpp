// Norms of matrices and condition numbers.
//
// Errors of cond: the relative errors of inv or of svd. Source: Golub, Van Loan, sections 2.3 and
// 2.6.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// frobenius: the root of the sum of squares; one: the largest sum of magnitudes of a column;
/// infinity: the largest sum of magnitudes of a row; two: the largest singular value; nuclear: the
/// sum of all singular values.
enum class MatrixNorm { frobenius, one, infinity, two, nuclear };

/// The norm of matrices a (..., m, n): (...). For vectors there is mct::norm. Errors: the errors of
/// sums (one, infinity), of mct::norm (frobenius) or of svd. Throws ShapeError for less than two
/// dimensions, and where a largest row or column does not exist. If an entry is not finite, norms
/// by singular values throw DomainError, and other norms are NaN or infinite.
template <class T, int N>
Tensor<T, N> norm(const Tensor<T, N>& a, MatrixNorm order = MatrixNorm::frobenius);

/// |a| |a^-1| of a (..., n, n): (...); infinity if a is singular. With MatrixNorm::two it is the
/// quotient of the largest and the smallest singular value, also for a (..., m, n). Throws
/// DomainError if an entry is not finite; ShapeError.
template <class T, int N>
Tensor<T, N> cond(const Tensor<T, N>& a, MatrixNorm order = MatrixNorm::two);

}  // namespace mct::linalg
