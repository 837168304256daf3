// Triangular systems by recursion on halves.
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"

namespace mct::linalg_detail {

namespace {

/// Order of the triangles that are solved row by row.
constexpr std::int64_t smallest = 32;

/// Row i of b -= the known rows, then divided by the diagonal.
template <int N>
void solve_rows(Triangle triangle, bool unit_diagonal, const Matrix<N>& a, const Matrix<N>& b) {
  const Rows<N> rows;
  const Elements<N> entries(a);
  const Elements<N> x(b);
  const std::int64_t n = a.size(0);
  const std::int64_t k = b.size(1);
  for (std::int64_t step = 0; step < n; ++step) {
    const bool lower = triangle == Triangle::lower;
    const std::int64_t i = lower ? step : n - 1 - step;
    for (std::int64_t j = lower ? 0 : i + 1; j < (lower ? i : n); ++j)
      rows.axpy(k, -entries.get(i, j), x.row(j), x.row(i));
    if (!unit_diagonal) rows.divide(k, entries.get(i, i), x.row(i));
  }
}

}  // namespace

template <int N>
void subtract_product(const Matrix<N>& c, const Matrix<N>& a, const Matrix<N>& b) {
  if (c.numel() == 0 || a.size(1) == 0) return;
  if (b.size(1) == 1) {
    sub_(c.select(1, 0), mv(a, b.select(1, 0)));
  } else {
    sub_(c, mm(a, b));
  }
}

template <int N>
void solve_triangle(Triangle triangle, bool unit_diagonal, const Matrix<N>& a, const Matrix<N>& b) {
  const std::int64_t n = a.size(0);
  if (n <= smallest) {
    solve_rows(triangle, unit_diagonal, a, b);
    return;
  }
  const std::int64_t half = (n / 2 + smallest - 1) / smallest * smallest;
  const auto first = a.narrow(0, 0, half).narrow(1, 0, half);
  const auto last = a.narrow(0, half, n - half).narrow(1, half, n - half);
  const auto b_first = b.narrow(0, 0, half);
  const auto b_last = b.narrow(0, half, n - half);
  if (triangle == Triangle::lower) {
    solve_triangle(triangle, unit_diagonal, first, b_first);
    subtract_product(b_last, a.narrow(0, half, n - half).narrow(1, 0, half), b_first);
    solve_triangle(triangle, unit_diagonal, last, b_last);
  } else {
    solve_triangle(triangle, unit_diagonal, last, b_last);
    subtract_product(b_first, a.narrow(0, 0, half).narrow(1, half, n - half), b_last);
    solve_triangle(triangle, unit_diagonal, first, b_first);
  }
}

template <int N>
void solve_triangle_anywhere(Triangle triangle, bool unit_diagonal, const Matrix<N>& a,
                             const Matrix<N>& b) {
  if (b.strides()[1] == 1) {
    solve_triangle(triangle, unit_diagonal, a, b);
    return;
  }
  const auto copy = b.clone();
  solve_triangle(triangle, unit_diagonal, a, copy);
  b.copy_(copy);
}

template <int N>
Matrix<N> triangle_of(Triangle triangle, const Matrix<N>& a) {
  Matrix<N> result(a.shape());
  const std::int64_t m = a.size(0);
  const std::int64_t n = a.size(1);
  for (std::int64_t i = 0; i < m; ++i) {
    const bool lower = triangle == Triangle::lower;
    const std::int64_t from = lower ? 0 : std::min(i, n);
    const std::int64_t to = lower ? std::min(i + 1, n) : n;
    if (from < to)
      result.select(0, i)
          .narrow(0, from, to - from)
          .copy_(a.select(0, i).narrow(0, from, to - from));
  }
  return result;
}

#define MCT_INSTANTIATE(N)                                                                   \
  template void subtract_product(const Matrix<N>&, const Matrix<N>&, const Matrix<N>&);      \
  template void solve_triangle(Triangle, bool, const Matrix<N>&, const Matrix<N>&);          \
  template void solve_triangle_anywhere(Triangle, bool, const Matrix<N>&, const Matrix<N>&); \
  template Matrix<N> triangle_of(Triangle, const Matrix<N>&);
MCT_FOR_EACH_LENGTH(MCT_INSTANTIATE)

}  // namespace mct::linalg_detail
