// Systems of linear equations and inverses.
//
// For N >= 2 components the matrix is factored in plain double, by blocks on mm. The solution is
// then refined with residuals in N components, at last in N + 1. Refinement ends when the error of
// the solution itself, not only the residual, is as small as the type allows. If the condition
// number is too large for that (above about 1e14), the matrix is factored again in f64x2, f64x3 and
// f64x4.
//
// For one component this is LU with partial pivoting, as in NumPy. If you need all digits of a
// double, solve in f64x2.
//
// Sources: Higham, Accuracy and Stability of Numerical Algorithms, chapters 12 and 15; Demmel,
// Hida, Kahan, Li, Mukherjee, Riedy, Error bounds from extra-precise iterative refinement, ACM TOMS
// 32(2), 2006 (LAPACK working note 165); Carson, Higham, SIAM J. Sci. Comput. 40(2), 2018.
#pragma once

#include "mctensor/linalg/singular_error.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// How a solution was found. For a batch each member has its worst value.
struct SolveReport {
  /// The largest |b - a x| / (|a| |x| + |b|) over the right sides, in infinity norms, for the
  /// scaled system.
  double relative_residual = 0;
  /// An estimate of |a|_1 |a^-1|_1, nearly always within a factor of 3 below it (Higham's version
  /// of Hager's method: LAPACK's dlacn2).
  double condition = 0;
  int refinements = 0;          ///< how often x was corrected
  int factor_components = 1;    ///< the number of components of the last factors
  int residual_components = 0;  ///< components of the last residual; 0: no refinement
};

/// The solution x of a x = b. a is (..., n, n). If b is one vector (n), x is (..., n). Else b is
/// matrices (..., n, k), and their leading dimensions broadcast with those of a. If `report` is not
/// null, it is filled in; this costs a residual and about five solutions.
///
/// Error, for N >= 2: |x - true|_inf <= (2 u^N + 8 n cond u^4) |true|_inf for every column, where
/// u^4 is the u^4 of f64x4, and cond is the condition number after rows and columns have been
/// scaled. So results have all digits of f64x2 and of floats if n cond < 1e31, and all digits of
/// f64x3 if n cond < 1e15. If columns of a differ in size by more than 2^6, |x| is the largest
/// |x_j| |column j of a|. For N = 1 the backward error is below n u (the Frobenius norm of b - a x
/// divided by the norm of |a| |x|). An x_j that is smaller than the largest |x_j| by more than
/// 1e280 may be lost.
///
/// Throws SingularError if a is singular. For N >= 2 it also throws SingularError if cond is beyond
/// about 1e60, where f64x4 has no digits left. Throws DomainError if an operand is not finite.
/// Throws ShapeError, naming the shapes, if they do not fit.
template <class T, int N>
Tensor<T, N> solve(const Tensor<T, N>& a, const Tensor<T, N>& b, SolveReport* report = nullptr);

/// The same with a plain operand beside an operand of several components.
template <class T, int A, int B>
requires(A != B && (A == 1 || B == 1)) auto solve(const Tensor<T, A>& a, const Tensor<T, B>& b,
                                                  SolveReport* report = nullptr) {
  constexpr int N = A > B ? A : B;
  if constexpr (A == 1) {
    return solve(with_components<N>(a), b, report);
  } else {
    return solve(a, with_components<N>(b), report);
  }
}

/// The inverse of a (..., n, n). Each column is computed as by solve, from a column of the
/// identity, and has the bound of solve. Throws as solve does.
template <class T, int N>
Tensor<T, N> inv(const Tensor<T, N>& a, SolveReport* report = nullptr);

}  // namespace mct::linalg
