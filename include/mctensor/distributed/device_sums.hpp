// Exact sums of rows in device memory that another library owns, such as PyTorch. Link
// mctensor::cuda.
//
// Error: sums are exact and rounded once, with the bits of exact_sum.hpp. Sums of products are
// exact where no product is below 2^-969, where its rounding error would underflow. Domain: every
// value; rows whose sum three doubles do not hold, and rows that are not finite, are marked.
// Source: exact_sums.hpp.
#pragma once

#include <cstdint>

#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// The form in which the exact sum of a row is returned.
enum class SumResult {
  levels,   ///< three doubles whose sum it is
  nearest,  ///< rounded to the nearest double
  to_odd,   ///< rounded to odd: rounding that to at most 51 bits rounds the sum once
  mean,     ///< rounded to 106 bits and divided by `divisor` in f64x2: the leading component
  mean_to_odd
};

/// The sums of `count` rows of `length` doubles without gaps; of products, if y is not null.
struct DeviceSums {
  const double *x, *y;
  std::int64_t count, length;  ///< a row has at least one element
  /// A row is cut into pieces of so many elements, and every piece has a sum: length / piece sums,
  /// rounded up, one after another. Pieces shorter than a row are allowed for `levels` alone,
  /// because these are summed once more.
  std::int64_t piece;
  SumResult result;
  double divisor;
  double* out;
  /// 1 for sums that are not in `out`, else 0.
  std::uint8_t* left;
};

/// Returns without waiting. Throws DomainError for pieces of fewer elements than one, and for
/// pieces of rows that are rounded.
void start_exact_sums(const DeviceSums& of, const Stream& stream);

}  // namespace mct::cuda
