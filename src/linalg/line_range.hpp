// How large the numbers of a line are: what decides about the integers that it is cut to.
// No code: it may be included under any instruction set.
#pragma once

#include <cstdint>

namespace mct::linalg_detail {

/// What decides about a line (a row of the left or a column of the right operand): the bits of
/// doubles, whose order is that of the numbers.
struct LineRange {
  std::int64_t largest = 0;           // of all limbs' magnitudes
  std::int64_t smallest = INT64_MAX;  // of the nonzero leading limbs' magnitudes
  std::int64_t normalized = 1;        // not 0 if every second limb is below 2^-50 of the first
};

}  // namespace mct::linalg_detail
