// LU with partial pivoting by recursion on halves of the columns (S. Toledo, Locality of reference
// in LU decomposition with partial pivoting, SIAM J. Matrix Anal. Appl. 18(4), 1997).
#include <algorithm>
#include <cmath>

#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"

namespace mct::linalg_detail {

namespace {

/// Columns that are factored one by one, transposed so that each is contiguous.
template <int N>
constexpr std::int64_t panel_width = N == 1 ? 32 : 16;

/// The place of the largest magnitude among leading components from `from` on; of equal magnitudes,
/// the first place.
std::int64_t largest(const double* x, std::int64_t from, std::int64_t to) {
  std::int64_t best = from;
  for (std::int64_t i = from + 1; i < to; ++i)
    if (std::fabs(x[i]) > std::fabs(x[best])) best = i;
  return best;
}

/// lu_in_place of a panel whose columns are the rows of `columns`.
template <int N>
std::int64_t factor_columns(const Matrix<N>& columns, std::int64_t* pivots) {
  const Rows<N> rows;
  const Elements<N> p(columns);
  const std::int64_t width = columns.size(0);
  const std::int64_t m = columns.size(1);
  std::int64_t failed = -1;
  for (std::int64_t k = 0; k < std::min(m, width); ++k) {
    const std::int64_t pivot = largest(p.row(k)[0], k, m);
    pivots[k] = pivot;
    if (pivot != k)
      for (std::int64_t j = 0; j < width; ++j) p.swap(j, k, j, pivot);
    if (p.lead(k, k) == 0) {
      if (failed < 0) failed = k;
      continue;
    }
    rows.divide(m - k - 1, p.get(k, k), p.row(k, k + 1));
    for (std::int64_t j = k + 1; j < width; ++j)
      rows.axpy(m - k - 1, -p.get(j, k), p.row(k, k + 1), p.row(j, k + 1));
  }
  return failed;
}

template <int N>
std::int64_t factor_panel(const Matrix<N>& a, std::int64_t* pivots) {
  const auto columns = a.t().clone();
  const std::int64_t failed = factor_columns(columns, pivots);
  a.copy_(columns.t());
  return failed;
}

/// Exchanges rows as lu_in_place did with the rows of a, or in the opposite order.
template <int N>
void exchange_rows(const Matrix<N>& b, const std::int64_t* pivots, std::int64_t count,
                   bool backwards = false) {
  const Elements<N> rows(b);
  const std::int64_t n = b.size(1);
  for (std::int64_t step = 0; step < count; ++step) {
    const std::int64_t i = backwards ? count - 1 - step : step;
    if (pivots[i] == i) continue;
    const auto x = rows.row(i);
    const auto y = rows.row(pivots[i]);
    for (std::size_t k = 0; k < std::size_t(N); ++k) std::swap_ranges(x[k], x[k] + n, y[k]);
  }
}

}  // namespace

template <int N>
std::int64_t lu_in_place(const Matrix<N>& a, std::int64_t* pivots) {
  const std::int64_t m = a.size(0);
  const std::int64_t n = a.size(1);
  const std::int64_t rank = std::min(m, n);
  if (rank == 0) return -1;
  constexpr std::int64_t width = panel_width<N>;
  if (rank <= width && n <= 2 * width) return factor_panel(a, pivots);
  const std::int64_t half = std::max(rank / 2 / width * width, std::min(width, rank));
  const auto left = a.narrow(1, 0, half);
  const auto right = a.narrow(1, half, n - half);
  const std::int64_t failed_left = lu_in_place(left, pivots);
  exchange_rows(right, pivots, half);
  const auto top = right.narrow(0, 0, half);
  const auto rest = right.narrow(0, half, m - half);
  solve_triangle(Triangle::lower, true, left.narrow(0, 0, half), top);
  const auto below = left.narrow(0, half, m - half);
  subtract_product(rest, below, top);
  const std::int64_t failed_right = lu_in_place(rest, pivots + half);
  exchange_rows(below, pivots + half, rank - half);
  for (std::int64_t i = half; i < rank; ++i) pivots[i] += half;
  if (failed_left >= 0) return failed_left;
  return failed_right < 0 ? -1 : failed_right + half;
}

template <int N>
void lu_solve_in_place(const Matrix<N>& lu, const std::int64_t* pivots, const Matrix<N>& b,
                       bool transposed) {
  const std::int64_t n = lu.size(0);
  if (transposed) {
    solve_triangle(Triangle::lower, false, lu.t(), b);
    solve_triangle(Triangle::upper, true, lu.t(), b);
    exchange_rows(b, pivots, n, true);
  } else {
    exchange_rows(b, pivots, n);
    solve_triangle(Triangle::lower, true, lu, b);
    solve_triangle(Triangle::upper, false, lu, b);
  }
}

#define MCT_INSTANTIATE(N)                                            \
  template std::int64_t lu_in_place(const Matrix<N>&, std::int64_t*); \
  template void lu_solve_in_place(const Matrix<N>&, const std::int64_t*, const Matrix<N>&, bool);
MCT_FOR_EACH_LENGTH(MCT_INSTANTIATE)

}  // namespace mct::linalg_detail
