// The steps of programs (src/geometry/programs) on rows of lanes, compiled once per instruction
// set.
#pragma once

#include <cstddef>

#include "src/geometry/kernels/manifold_table.hpp"
#include "src/geometry/programs/recording.hpp"

namespace mct::geometry_detail {

/// A step on rows of `block` numbers: those of operand k begin at in[k] and are step[k] numbers
/// apart, 0 where all coordinates have the same.
struct Rows {
  const double* in[2 * most_terms];
  std::ptrdiff_t step[2 * most_terms];
  double* out;
  double* low;   ///< the second result of a step that has two
  int rows;      ///< of the result; of the operands where that is a sum
  double* mask;  ///< 1 for points that the program is for
};
using StepKernel = void (*)(const Rows&);

struct StepTable {
  StepKernel kernel[int(Step::give_four) + 1];
};

}  // namespace mct::geometry_detail
