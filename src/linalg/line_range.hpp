// The range of the numbers of a line. It determines the integers to which the line is cut. No code:
// it may be included under any instruction set.
#pragma once

#include <cstdint>

namespace mct::linalg_detail {

/// The range of a line (a row of the left or a column of the right operand), as bits of doubles:
/// they have the same order as the numbers.
struct LineRange {
  std::int64_t largest = 0;           // of all limbs' magnitudes
  std::int64_t smallest = INT64_MAX;  // of the nonzero leading limbs' magnitudes
  std::int64_t normalized = 1;        // not 0 if no second limb exceeds 2^-50 of the first
};

}  // namespace mct::linalg_detail
