// Exact sums of rows in device memory that another library owns, such as PyTorch. Link
// mctensor::cuda.
//
// Error: sums are exact and rounded once, with the bits of exact_sum.hpp. Sums of products are
// exact if no product is below 2^-969; the rounding error of a smaller product may underflow.
// Domain: every value; `left` marks rows that are not finite and rows whose sum does not fit into
// three doubles. Source: exact_sums.hpp.
#pragma once

#include <cstdint>

#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// The form in which the exact sum of a row is returned.
enum class SumResult {
  levels,      ///< three doubles whose sum is the exact sum
  nearest,     ///< rounded to the nearest double
  to_odd,      ///< rounded to odd. Rounded again to at most 51 bits, it is the sum rounded once
  mean,        ///< rounded to 106 bits and divided by `divisor` in f64x2; the leading component
  mean_to_odd  ///< the same quotient, rounded to odd
};

/// The sums of `count` rows of `length` doubles without gaps. If y is not null, these are sums of
/// the products x y.
struct DeviceSums {
  const double *x, *y;
  std::int64_t count, length;  ///< a row has at least one element
  /// The number of elements of a piece. Rows are cut into pieces, and each piece has one sum. The
  /// sums of a row, length / piece rounded up, follow each other in `out`. Only `levels` allows
  /// pieces shorter than a row, because the caller can add levels exactly.
  std::int64_t piece;
  SumResult result;
  double divisor;
  double* out;
  /// 1 for each sum that is not in `out`, else 0.
  std::uint8_t* left;
};

/// Starts the computation and returns without waiting. Throws DomainError if `length` or `piece` is
/// below 1. Also throws it if a piece is shorter than a row and the result is not `levels`.
void start_exact_sums(const DeviceSums& of, const Stream& stream);

}  // namespace mct::cuda
