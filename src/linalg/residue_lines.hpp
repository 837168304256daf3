// How the lines of two matrices become integers, and how large their product is: what products
// through integers decide before they compute, on the host and for a device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mctensor/linalg/matmul_accuracy.hpp"
#include "src/linalg/line_range.hpp"
#include "src/linalg/residue_plan.hpp"

namespace mct::linalg_detail {

/// What the bits of the integers of a line are derived from.
struct LinePrecision {
  MatmulAccuracy accuracy;
  int limbs;      // of the operand
  int precision;  // bits of the limbs of the result
  int allowance;  // bits that the componentwise bound has to spare

  /// For a product of depth k with a result of so many limbs; `limbs` is to be set.
  static LinePrecision of(MatmulAccuracy accuracy, int result_limbs, double k);
};

/// Lines as integers: x 2^shift, rounded.
struct IntegerLines {
  std::vector<int> shift;
  int bits = 0;  // of the largest integer

  /// Powers of two whose product over both halves is 2^shift, or 2^-shift, each a normal number; 0
  /// from the last line to `padded`.
  std::vector<double> factors(std::int64_t padded, int half, bool inverse) const;
};

/// None if a line has infinities or NaN, or limbs that the componentwise bound is not for.
std::optional<IntegerLines> integer_lines(const std::vector<LineRange>& ranges,
                                          const LinePrecision& precision);

/// How long operands and result of a product are.
struct IntegerSize {
  int operand_digits;
  double result_bits;  // 2 |sum of products| <= 2^bits
};

/// None if they are longer than the digits of a plan. What is refused does not depend on who
/// multiplies.
std::optional<IntegerSize> integer_size(const IntegerLines& left, const IntegerLines& right,
                                        std::int64_t k);

}  // namespace mct::linalg_detail
