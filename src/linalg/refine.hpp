// Solutions by iterative refinement: see mctensor/linalg/solve.hpp.
#pragma once

#include "mctensor/linalg/solve.hpp"
#include "src/linalg/blocks.hpp"

namespace mct::linalg_detail {

/// Replaces b (n, k) by x with a x = b for one matrix a (n, n). N = 1: no refinement. False, and b
/// is scaled, if a is singular.
template <int N>
bool solve_one(const Matrix<N>& a, const Matrix<N>& b, linalg::SolveReport* report);

}  // namespace mct::linalg_detail
