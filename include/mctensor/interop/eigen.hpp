// Expansions as scalars of Eigen: Eigen::Matrix<mct::f64x2, ...> and its decompositions.
//
// `out << matrix` uses compiled code (io.hpp), so programs that write matrices must link the
// library; others need not. Eigen's algorithms run without SIMD and with the full accuracy of the
// scalar type. Residuals of LU, QR, Cholesky, SVD and the self-adjoint eigensolver are a modest
// multiple of u^N.
//
// With float components JacobiSVD of Eigen 3.4 may overflow: it squares a quotient of two entries,
// which may exceed 2^64. For ill-conditioned matrices use double components, or the eigensolver of
// A^T A.
#pragma once

#include <Eigen/Core>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/all.hpp"

namespace Eigen {

template <class T, int N>
struct NumTraits<mct::Expansion<T, N>> : GenericNumTraits<mct::Expansion<T, N>> {
  using X = mct::Expansion<T, N>;
  using Real = X;
  using NonInteger = X;
  using Nested = X;
  using Literal = X;

  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,  // trivially copyable
    ReadCost = N,
    AddCost = N == 2 ? 20 : 30 * N,  // in floating-point operations
    MulCost = N == 2 ? 10 : 20 * N
  };

  static X epsilon() { return std::numeric_limits<X>::epsilon(); }
  /// The tolerance of Eigen's fuzzy comparisons.
  static X dummy_precision() { return X(T(1024)) * epsilon(); }
  static X highest() { return std::numeric_limits<X>::max(); }
  static X lowest() { return std::numeric_limits<X>::lowest(); }
  static X infinity() { return std::numeric_limits<X>::infinity(); }
  static X quiet_NaN() { return std::numeric_limits<X>::quiet_NaN(); }
  static int digits10() { return std::numeric_limits<X>::digits10; }
  static int max_digits10() { return std::numeric_limits<X>::max_digits10; }
};

}  // namespace Eigen
