// Solutions by iterative refinement: see mctensor/linalg/solve.hpp.
#pragma once

#include "mctensor/linalg/solve.hpp"
#include "src/linalg/blocks.hpp"

namespace mct::linalg_detail {

/// Whether a solution was found; if not, the place of a zero pivot, or -1 if there was none and
/// refinement did not converge.
struct Outcome {
  bool solved = true;
  std::int64_t zero_pivot = -1;
};

/// Replaces b (n, k) by x with a x = b for one matrix a (n, n), or scales it if a is singular. N =
/// 1: no refinement.
template <int N>
Outcome solve_one(const Matrix<N>& a, const Matrix<N>& b, linalg::SolveReport* report);

}  // namespace mct::linalg_detail
