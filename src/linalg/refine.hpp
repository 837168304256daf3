// Solutions by iterative refinement: see mctensor/linalg/solve.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

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

// An estimate of a condition number from a few solutions.

using Vector = std::vector<double>;

/// An estimate of |A^-1|_1, never above it: Higham's version of Hager's method, as LAPACK's dlacn2
/// (Higham, Accuracy and Stability, algorithm 15.1 for one column; ACM TOMS 14(4), 1988). solve(x)
/// = A^-1 x and solve_transposed(x) = A^-T x in place.
template <class Solve, class SolveTransposed>
double inverse_norm_estimate(std::int64_t n, const Solve& solve,
                             const SolveTransposed& solve_transposed) {
  const auto sum = [](const Vector& x) {
    double total = 0;
    for (const double value : x) total += std::fabs(value);
    return total;
  };
  if (n == 0) return 0;
  const auto count = static_cast<std::size_t>(n);
  Vector x(count, 1 / double(n));
  solve(x);
  double estimate = sum(x);
  std::size_t last = count;
  for (int step = 0; step < 5 && n > 1; ++step) {
    Vector signs(count);
    for (std::size_t i = 0; i < count; ++i) signs[i] = std::copysign(1.0, x[i]);
    solve_transposed(signs);
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (std::fabs(signs[i]) > std::fabs(signs[best])) best = i;
    if (best == last) break;
    last = best;
    x.assign(count, 0);
    x[best] = 1;
    solve(x);
    const double next = sum(x);
    if (!(next > estimate)) break;
    estimate = next;
  }
  // against cancellation in the method
  for (std::size_t i = 0; i < count; ++i)
    x[i] = (i % 2 == 0 ? 1 : -1) * (1 + (n == 1 ? 0 : double(i) / double(n - 1)));
  solve(x);
  return std::fmax(estimate, 2 * sum(x) / (3 * double(n)));
}

}  // namespace mct::linalg_detail
