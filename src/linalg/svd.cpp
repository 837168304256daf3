// Singular values of a square matrix by one-sided Jacobi rotations of its rows (Hestenes 1958;
// Demmel, Veselic, Jacobi's method is more accurate than QR, SIAM J. Matrix Anal. Appl. 13(4),
// 1992). Small singular values of a matrix with rows of different size keep their digits.
//
// N > 1 components: first in half as many, whose left vectors make the rows nearly orthogonal
// (Zhang, Bai 2022); see eigh.cpp.
#include "mctensor/linalg/svd.hpp"

#include "mctensor/error.hpp"
#include "mctensor/linalg/products.hpp"
#include "src/linalg/jacobi.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// a = left^T diag(values) right for a square a: values descending, rows of left and right
/// orthonormal.
template <int N>
struct Singular {
  Matrix<N> values;  // (n)
  Matrix<N> left;
  Matrix<N> right;
};

template <int N>
class RowSweeps {
 public:
  using Value = Expansion<double, N>;

  /// Rotates rows of g, and of `left` with them.
  RowSweeps(const Matrix<N>& g, const Matrix<N>& left) : n_(g.size(0)), g_(g), left_(left) {}

  /// Rotates every pair of rows; the largest cosine between two of them before.
  double sweep() {
    for (std::int64_t i = 0; i < n_; ++i) squares_.push_back(rows_.dot(n_, g_.row(i), g_.row(i)));
    double largest = 0;
    for (std::int64_t p = 0; p < n_; ++p)
      for (std::int64_t q = p + 1; q < n_; ++q) largest = std::max(largest, orthogonalize(p, q));
    squares_.clear();
    return largest;
  }

 private:
  /// The cosine between two rows, which are orthogonal afterwards.
  double orthogonalize(std::int64_t p, std::int64_t q) {
    auto& pp = squares_[std::size_t(p)];
    auto& qq = squares_[std::size_t(q)];
    const double scale = std::sqrt(pp.limb[0]) * std::sqrt(qq.limb[0]);
    if (!(scale > 0)) return 0;
    const Value pq = rows_.dot(n_, g_.row(p), g_.row(q));
    const double cosine = std::fabs(pq.limb[0]) / scale;
    if (cosine < std::ldexp(1.0, -53 * N)) return 0;
    const auto [c, s] = rotation(rows_, pp, pq, qq);
    rows_.rotate(n_, c, s, g_.row(p), g_.row(q));
    rows_.rotate(n_, c, s, left_.row(p), left_.row(q));
    pp = rows_.dot(n_, g_.row(p), g_.row(p));
    qq = rows_.dot(n_, g_.row(q), g_.row(q));
    return cosine;
  }

  Rows<N> rows_;
  std::int64_t n_;
  Elements<N> g_;
  Elements<N> left_;
  std::vector<Value> squares_;
};

/// Replaces the rows from `rank` on so that all rows are an orthonormal basis.
template <int N>
void complete_rows(const Matrix<N>& rows, std::int64_t rank) {
  const std::int64_t n = rows.size(0);
  if (rank == n) return;
  auto columns = rows.narrow(0, 0, rank).t().clone();
  Matrix<N> t({rank, rank});
  if (rank > 0) qr_in_place(columns, t);
  const auto q = rank > 0 ? explicit_q(columns, t, n) : eye<double, N>(n);
  rows.narrow(0, rank, n - rank).copy_(q.narrow(1, rank, n - rank).t());
}

template <int N>
Singular<N> jacobi_singular(const Matrix<N>& a) {
  const std::int64_t n = a.size(0);
  auto g = a.clone();
  auto left = eye<double, N>(n);
  if constexpr (N > 1) {
    const auto start = jacobi_singular<fewer<N>>(leading_components<fewer<N>>(g).clone());
    left = starting_rows<N>(start.left);
    g = mm(left, g);
  }
  RowSweeps<N> sweeps(g, left);
  // A sweep squares cosines, but for 2^-53 of them that is left by a tangent in double: after one
  // that began below this bound they are rounding errors.
  const double last = std::ldexp(1.0 / double(n + 16), N == 1 ? -26 : -53 * (N - 1));
  int count = 0;
  while (sweeps.sweep() > last)
    if (++count == most_sweeps) throw DomainError("svd: the Jacobi method did not converge");
  const Rows<N> rows;
  const Elements<N> entries(g);
  std::vector<Expansion<double, N>> values;
  for (std::int64_t i = 0; i < n; ++i)
    values.push_back(rows.root(rows.dot(n, entries.row(i), entries.row(i))));
  const auto order = sorted_order<N>(values, true);
  Singular<N> result{values_in_order<N>(values, order), rows_in_order(final_rows(left), order),
                     rows_in_order(g, order)};
  const Elements<N> right(result.right);
  // Squares of smaller rows lose limbs, and with them right angles. These rows are nothing beside
  // the first one (svd scales it to 2^-64 or more): any that complete the basis will do.
  const double least = std::ldexp(1.0, -500 + 27 * (N - 1));
  std::int64_t rank = 0;
  for (; rank < n && values[std::size_t(order[std::size_t(rank)])].limb[0] > least; ++rank)
    rows.divide(n, values[std::size_t(order[std::size_t(rank)])], right.row(rank));
  complete_rows(result.right, rank);
  return result;
}

/// Of one matrix (m, n) with m >= n, which is overwritten: u (m, n) or (m, m), s (n), vh (n, n).
template <int N>
void decompose(const Matrix<N>& a, const Matrix<N>& u, const Matrix<N>& s, const Matrix<N>& vh) {
  const std::int64_t n = a.size(1);
  const int exponent = scale_for_squares(a);
  const Matrix<N> t({n, n});
  qr_in_place(a, t);
  const auto singular = jacobi_singular(triangle_of(Triangle::upper, a.narrow(0, 0, n)));
  scale_by_power(singular.values, exponent);
  s.copy_(singular.values);
  vh.copy_(singular.right);
  const auto q = explicit_q(a, t, u.size(1));
  u.copy_(q);
  u.narrow(1, 0, n).copy_(mm(q.narrow(1, 0, n), singular.left.t()));
}

}  // namespace

template <class T, int N>
Svd<T, N> svd(const Tensor<T, N>& a, bool full_matrices) {
  require_matrices("svd", a.shape());
  const std::int64_t m = a.size(-2);
  const std::int64_t n = a.size(-1);
  if (m < n) {
    const auto of_transpose = svd(a.t(), full_matrices);
    return {of_transpose.vh.t().contiguous(), of_transpose.s, of_transpose.u.t().contiguous()};
  }
  const Shape batch = leading_shape(a.shape(), 2);
  const ExactEnvironment exact;
  const auto work = to_work(a);
  require_finite("svd", work);
  const WorkTensor<T, N> u(joined(batch, {m, full_matrices ? m : n}));
  const WorkTensor<T, N> s(joined(batch, {n}));
  const WorkTensor<T, N> vh(joined(batch, {n, n}));
  const auto s_rows = s.reshape({numel(batch), n});
  const auto matrices = as_batch(work);
  const auto u_batch = as_batch(u);
  const auto vh_batch = as_batch(vh);
  for_each_matrix(matrices.size(0), 20 * cost_of(m, n, N), [&](std::int64_t i) {
    decompose(matrices[i], u_batch[i], s_rows[i], vh_batch[i]);
  });
  return {from_work<T, N>(u), from_work<T, N>(s), from_work<T, N>(vh)};
}

template <class T, int N>
Tensor<T, N> svdvals(const Tensor<T, N>& a) {
  return svd(a, false).s;
}

#define MCT_INSTANTIATE(T, N)                        \
  template Svd<T, N> svd(const Tensor<T, N>&, bool); \
  template Tensor<T, N> svdvals(const Tensor<T, N>&);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
