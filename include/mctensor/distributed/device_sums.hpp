// Exact sums of rows in device memory that another library owns, such as PyTorch. Link
// mctensor::cuda.
//
// Error: sums are exact and rounded once; they have the bits of exact_sum.hpp. Domain: every value.
// Rows whose sum three doubles do not hold and rows that are not finite are marked. Source:
// exact_sums.hpp.
#pragma once

#include <cstdint>

#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// What becomes of the exact sum of a row.
enum class SumResult {
  levels,   ///< three doubles whose sum is the exact sum
  nearest,  ///< rounded to the nearest double
  to_odd,   ///< rounded to odd: rounding that to at most 51 bits rounds the sum once
  mean,     ///< rounded to 106 bits and divided by `divisor` in f64x2: the leading component
  mean_to_odd
};

/// The sums of `count` rows of `length` doubles without gaps; of products, if y is not null.
struct DeviceSums {
  const double *x, *y;
  std::int64_t count, length;
  /// The number of elements of a piece. A row has length / piece pieces, rounded up, one behind
  /// another; each gets its own sum. It may be less than the length for `levels` only, because
  /// these are summed once more.
  std::int64_t piece;
  SumResult result;
  double divisor;
  double* out;
  /// It gets 1 for each sum that is not in `out`, else 0.
  std::uint8_t* left;
};

/// Returns without waiting. Throws DomainError for pieces of fewer elements than one, and for
/// pieces of rows that are rounded.
void start_exact_sums(const DeviceSums& of, const Stream& stream);

}  // namespace mct::cuda
