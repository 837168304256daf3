// The kernels of decompositions on contiguous rows of doubles of N components, compiled once per
// instruction set. No code here: it may be included under any instruction set.
#pragma once

#include <cstddef>

#include "src/tensor/kernels/registry.hpp"

namespace mct::linalg_detail {

/// Operands are given by their planes: x[k] points to limb k of n numbers, scalars to N limbs.
/// Everything is finite: nothing is said of infinities and NaN.
struct RowTable {
  /// y += alpha x.
  void (*axpy)(std::size_t n, const double* alpha, const double* const* x, double* const* y);
  /// y /= alpha.
  void (*divide)(std::size_t n, const double* alpha, double* const* y);
  /// (x, y) = (c x - s y, s x + c y).
  void (*rotate)(std::size_t n, const double* c, const double* s, double* const* x,
                 double* const* y);
};

MCT_DECLARE_KERNELS(template <int N> const RowTable& row_table();)

}  // namespace mct::linalg_detail
