// Cholesky by recursion on halves.
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"

namespace mct::linalg_detail {

namespace {

constexpr std::int64_t smallest = 16;

/// Row by row of the upper factor, whose rows are the columns of L.
template <int N>
std::int64_t factor_block(const Matrix<N>& a) {
  const Rows<N> rows;
  const auto upper = a.t().clone();  // its upper triangle counts
  const Elements<N> u(upper);
  const std::int64_t n = a.size(0);
  for (std::int64_t k = 0; k < n; ++k) {
    if (!(u.lead(k, k) > 0)) return k + 1;
    const auto root = rows.root(u.get(k, k));
    u.set(k, k, root);
    rows.divide(n - k - 1, root, u.row(k, k + 1));
    for (std::int64_t j = k + 1; j < n; ++j)
      rows.axpy(n - j, -u.get(k, j), u.row(k, j), u.row(j, j));
  }
  a.copy_(upper.t());
  return 0;
}

/// The lower triangle of c -= a a^T.
template <int N>
void subtract_square(const Matrix<N>& c, const Matrix<N>& a) {
  const std::int64_t n = c.size(0);
  if (n <= 64) {
    subtract_product(c, a, a.t());
    return;
  }
  const std::int64_t half = n / 2;
  const auto first = a.narrow(0, 0, half);
  const auto last = a.narrow(0, half, n - half);
  subtract_square(c.narrow(0, 0, half).narrow(1, 0, half), first);
  subtract_product(c.narrow(0, half, n - half).narrow(1, 0, half), last, first.t());
  subtract_square(c.narrow(0, half, n - half).narrow(1, half, n - half), last);
}

}  // namespace

template <int N>
std::int64_t cholesky_in_place(const Matrix<N>& a) {
  const std::int64_t n = a.size(0);
  if (n <= smallest) return factor_block(a);
  const std::int64_t half = n / 2;
  const auto first = a.narrow(0, 0, half).narrow(1, 0, half);
  const auto below = a.narrow(0, half, n - half).narrow(1, 0, half);
  const auto rest = a.narrow(0, half, n - half).narrow(1, half, n - half);
  if (const std::int64_t failed = cholesky_in_place(first); failed > 0) return failed;
  solve_triangle_anywhere(Triangle::lower, false, first, below.t());
  subtract_square(rest, below);
  const std::int64_t failed = cholesky_in_place(rest);
  return failed > 0 ? failed + half : 0;
}

#define MCT_INSTANTIATE(N) template std::int64_t cholesky_in_place(const Matrix<N>&);
MCT_FOR_EACH_LENGTH(MCT_INSTANTIATE)

}  // namespace mct::linalg_detail
