// Cholesky by recursion on halves.
#include "mctensor/linalg/cholesky.hpp"

#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"
#include "src/linalg/equilibrate.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

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

/// a = L L^T; L in the lower triangle, which alone is read. Returns the order of the first leading
/// minor that is not positive, or 0.
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

}  // namespace

template <class T, int N>
Tensor<T, N> cholesky(const Tensor<T, N>& a) {
  require_square("cholesky", a.shape());
  const std::int64_t n = a.size(-1);
  const ExactEnvironment exact;
  const auto work = to_work(a);
  const auto matrices = as_batch(work);
  for_each_matrix(matrices.size(0), cost_of(n, n, N), [&](std::int64_t i) {
    const auto matrix = triangle_of(Triangle::lower, matrices[i]);
    require_finite("cholesky", matrix);
    const auto exponents = scale_diagonal_to_one(matrix);
    if (const auto failed = cholesky_in_place(matrix); failed > 0)
      throw DomainError("cholesky: a matrix of shape " + to_string(a.shape()) +
                        " is not positive definite: its leading minor of order " +
                        std::to_string(failed) + " is not positive");
    const auto lower = triangle_of(Triangle::lower, matrix);
    scale_each(lower, exponents, {n, 1}, 1);
    matrices[i].copy_(lower);
  });
  return from_work<T, N>(work);
}

#define MCT_INSTANTIATE(T, N) template Tensor<T, N> cholesky(const Tensor<T, N>&);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
