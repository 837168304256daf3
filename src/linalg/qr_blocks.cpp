// Householder QR by recursion on halves of the columns, with the reflections gathered in one
// product I - V T V^T (E. Elmroth, F. Gustavson, Applying recursion to serial and parallel QR
// factorization, IBM J. Res. Dev. 44(4), 2000; R. Schreiber, C. Van Loan, 1989).
#include <cmath>

#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"

namespace mct::linalg_detail {

namespace {

constexpr std::int64_t narrow_columns = 8;

/// Turns x (n numbers) into the vector v = (1, v_1, ...) of the reflection I - tau v v^T that maps
/// x to (beta, 0, ...), and returns tau; beta takes the place of v_0 = 1, which is not stored.
template <int N>
Expansion<double, N> reflect(const Rows<N>& rows, std::int64_t n,
                             const typename Elements<N>::Row& x) {
  using Value = Expansion<double, N>;
  double top = 0;
  for (std::int64_t i = 1; i < n; ++i) top = std::fmax(top, std::fabs(x[0][i]));
  if (top == 0) return Value{};
  top = std::fmax(top, std::fabs(x[0][0]));
  // a column far below the others would underflow in its squares
  const int shift = -std::ilogb(top);
  for (double* plane : x)
    for (std::int64_t i = 0; i < n; ++i) plane[i] = std::ldexp(plane[i], shift);
  Value alpha;
  typename Elements<N>::Row tail;
  for (std::size_t k = 0; k < std::size_t(N); ++k) {
    alpha.limb[k] = x[k][0];
    tail[k] = x[k] + 1;
  }
  const auto [beta, tau] = rows.reflection(alpha, rows.dot(n, x, x));
  rows.divide(n - 1, alpha - beta, tail);
  const Value scaled = ldexp(beta, -shift);
  for (std::size_t k = 0; k < std::size_t(N); ++k) x[k][0] = scaled.limb[k];
  return tau;
}

/// qr_in_place of a panel whose columns are the rows of p.
template <int N>
void factor_columns(const Matrix<N>& columns, const Matrix<N>& t) {
  using Value = Expansion<double, N>;
  const Rows<N> rows;
  const Elements<N> p(columns);
  const Elements<N> triangle(t);
  const Matrix<N> coefficients({1, columns.size(0)});
  const Elements<N> w(coefficients);
  const std::int64_t n = columns.size(0);
  const std::int64_t m = columns.size(1);
  for (std::int64_t k = 0; k < n; ++k) {
    const Value tau = reflect(rows, m - k, p.row(k, k));
    const Value beta = p.get(k, k);
    p.set(k, k, Value(1.0));
    for (std::int64_t j = 0; j < n; ++j)
      w.set(0, j, j == k ? Value{} : rows.dot(m - k, p.row(j, k), p.row(k, k)));
    rows.scale(n, -tau, w.row(0));
    for (std::int64_t j = k + 1; j < n; ++j)
      rows.axpy(m - k, w.get(0, j), p.row(k, k), p.row(j, k));
    // the new column of T: -tau T V^T v
    for (std::int64_t i = 0; i < k; ++i)
      triangle.set(i, k, rows.dot(k - i, triangle.row(i, i), w.row(0, i)));
    triangle.set(k, k, tau);
    p.set(k, k, beta);
  }
}

/// The vectors that qr_in_place left below the diagonal, as a matrix.
template <int N>
Matrix<N> reflection_vectors(const Matrix<N>& a) {
  auto v = triangle_of(Triangle::lower, a);
  for (std::int64_t i = 0; i < a.size(1); ++i) Elements<N>(v).set(i, i, Expansion<double, N>(1.0));
  return v;
}

}  // namespace

template <int N>
void qr_in_place(const Matrix<N>& a, const Matrix<N>& t) {
  const std::int64_t m = a.size(0);
  const std::int64_t n = a.size(1);
  if (n <= narrow_columns) {
    const auto columns = a.t().clone();
    factor_columns(columns, t);
    a.copy_(columns.t());
    return;
  }
  const std::int64_t half = (n / 2 + narrow_columns - 1) / narrow_columns * narrow_columns;
  const auto left = a.narrow(1, 0, half);
  const auto right = a.narrow(1, half, n - half);
  const auto t_first = t.narrow(0, 0, half).narrow(1, 0, half);
  const auto t_last = t.narrow(0, half, n - half).narrow(1, half, n - half);
  qr_in_place(left, t_first);
  const auto v = reflection_vectors(left);
  subtract_product(right, v, mm(t_first.t(), mm(v.t(), right)));
  const auto rest = right.narrow(0, half, m - half);
  qr_in_place(rest, t_last);
  const auto w = reflection_vectors(rest);
  const auto inner = mm(v.narrow(0, half, m - half).t(), w);
  t.narrow(0, 0, half).narrow(1, half, n - half).copy_(neg(mm(t_first, mm(inner, t_last))));
}

template <int N>
Matrix<N> explicit_q(const Matrix<N>& a, const Matrix<N>& t, std::int64_t columns) {
  const auto v = reflection_vectors(a);
  const auto product = mm(t, v.narrow(0, 0, columns).t());
  auto q = neg(mm(v, product));
  const Elements<N> entries(q);
  for (std::int64_t i = 0; i < columns; ++i)
    entries.set(i, i, entries.get(i, i) + Expansion<double, N>(1.0));
  return q;
}

template <int N>
Matrix<N> multiply_by_q_transposed(const Matrix<N>& a, const Matrix<N>& t, const Matrix<N>& b) {
  const auto v = reflection_vectors(a);
  return sub(b, mm(v, mm(t.t(), mm(v.t(), b))));
}

#define MCT_INSTANTIATE(N)                                                         \
  template void qr_in_place(const Matrix<N>&, const Matrix<N>&);                   \
  template Matrix<N> explicit_q(const Matrix<N>&, const Matrix<N>&, std::int64_t); \
  template Matrix<N> multiply_by_q_transposed(const Matrix<N>&, const Matrix<N>&, const Matrix<N>&);
MCT_FOR_EACH_LENGTH(MCT_INSTANTIATE)

}  // namespace mct::linalg_detail
