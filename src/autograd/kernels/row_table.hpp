// The kernels of softmax, its logarithm and GELU for one row of numbers, compiled once per
// instruction set. This header has no code, so it may be included under any instruction set.
#pragma once

#include <cstdint>

#include "src/tensor/kernels/registry.hpp"

namespace mct::autograd_detail {

/// The divisor of softmax: total e^largest.
struct RowPowers {
  double largest, total;
};

/// Of rows of n numbers. Everything is computed in double, exponentials to a relative 2^-40 for
/// shorter numbers and 2^-60 for double, sums by eight partial sums in an order that does not
/// depend on the instruction set, and rounded once to T.
template <class T>
struct RowTable {
  /// e^(x - largest) / total; `powers` is memory for n numbers.
  RowPowers (*softmax)(const T* x, std::int64_t n, double* powers, T* out);
  /// x - largest - log total.
  void (*log_softmax)(const T* x, std::int64_t n, T* out);
  /// r (g - sum of g r).
  void (*softmax_backward)(const T* r, const T* g, std::int64_t n, T* out);
  /// g - e^r (sum of g).
  void (*log_softmax_backward)(const T* r, const T* g, std::int64_t n, T* out);
  /// g (Phi(x) + x phi(x)), from the result r = x Phi(x) too.
  void (*gelu_backward)(const T* x, const T* r, const T* g, std::int64_t n, T* out);
};

MCT_DECLARE_KERNELS(template <class T> const RowTable<T>& row_table();)

template <class T>
const RowTable<T>& find_row_table() {
  return MCT_SELECT_KERNELS(row_table<T>());
}

}  // namespace mct::autograd_detail
