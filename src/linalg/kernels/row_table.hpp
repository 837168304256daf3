// The kernels of decompositions on contiguous rows of doubles of N components, compiled once per
// instruction set. Operations on single numbers of decompositions (products, quotients, roots)
// belong here, too: their results are then the same on all processors with fma. No code here: it
// may be included under any instruction set.
#pragma once

#include <cstddef>

#include "src/tensor/kernels/registry.hpp"

namespace mct::linalg_detail {

/// Operands are given by their planes: x[k] points to limb k of n numbers, scalars to N limbs.
/// All numbers are finite; results for infinities and NaN are not defined.
struct RowTable {
  /// y += alpha x.
  void (*axpy)(std::size_t n, const double* alpha, const double* const* x, double* const* y);
  /// y *= alpha.
  void (*scale)(std::size_t n, const double* alpha, double* const* y);
  /// y /= alpha.
  void (*divide)(std::size_t n, const double* alpha, double* const* y);
  /// (x, y) = (c x - s y, s x + c y).
  void (*rotate)(std::size_t n, const double* c, const double* s, double* const* x,
                 double* const* y);
  /// y = sqrt(x).
  void (*root)(const double* x, double* y);
  /// The cosine and the sine of an angle of this tangent, c^2 + s^2 = 1 in all components.
  void (*rotation)(double tangent, double* c, double* s);
  /// For x with x_0 = alpha and |x|^2 = square > 0: the beta = -sign(alpha) |x| and tau of the
  /// reflection I - tau v v^T, v_0 = 1, that maps x to (beta, 0, ...). Golub, Van Loan, Matrix
  /// Computations, algorithm 5.1.1, with LAPACK's sign: |alpha - beta| is a sum.
  void (*reflection)(const double* alpha, const double* square, double* beta, double* tau);
};

MCT_DECLARE_KERNELS(template <int N> const RowTable& row_table();)

}  // namespace mct::linalg_detail
