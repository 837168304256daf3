#include "mctensor/linalg/lstsq.hpp"

#include "mctensor/linalg/products.hpp"
#include "mctensor/linalg/svd.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "src/linalg/elements.hpp"
#include "src/linalg/jacobi.hpp"
#include "src/linalg/refine.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// A finished QR decomposition.
template <int N>
struct Factors {
  Matrix<N> a;
  Matrix<N> t;

  explicit Factors(const Matrix<N>& matrix) : a(matrix), t({matrix.size(1), matrix.size(1)}) {
    qr_in_place(a, t);
  }
  Matrix<N> r() const { return a.narrow(0, 0, a.size(1)); }

  /// Whether 1 / cond(R) is above `threshold`, to within a small factor.
  bool has_full_rank(double threshold) const {
    const std::int64_t n = a.size(1);
    const auto upper = triangle_of(Triangle::upper, r());
    for (std::int64_t i = 0; i < n; ++i)
      if (upper.fc()(i, i) == 0) return false;
    if (n == 0) return true;
    const auto apply = [&](bool transposed) {
      return [&, transposed](linalg_detail::Vector& v) {
        const auto x = more_components<N>(Tensor<double>::from_values(v, {n, 1}));
        solve_triangle(transposed ? Triangle::lower : Triangle::upper, false,
                       transposed ? upper.t() : upper, x);
        for (std::int64_t i = 0; i < n; ++i) v[std::size_t(i)] = x.data()[i];
      };
    };
    const double norm = upper.fc().abs().sum({0}).max().item();
    return norm * inverse_norm_estimate(n, apply(false), apply(true)) * threshold < 1;
  }
};

/// The solution if a has full rank; `solved` tells whether it has. a is not changed.
template <int N>
Matrix<N> full_rank_solution(const Matrix<N>& a, const Matrix<N>& b, double rcond, bool* solved) {
  const std::int64_t m = a.size(0);
  const std::int64_t n = a.size(1);
  const Factors<N> factors(m >= n ? a.clone() : a.t().clone());
  *solved = factors.has_full_rank(rcond);
  if (!*solved) return {};
  if (m >= n) {
    auto x = multiply_by_q_transposed(factors.a, factors.t, b).narrow(0, 0, n).clone();
    solve_triangle(Triangle::upper, false, factors.r(), x);
    return x;
  }
  // the solution in the span of the rows: a = R^T Q^T, x = Q R^-T b
  const auto y = b.clone();
  solve_triangle(Triangle::lower, false, factors.r().t(), y);
  return mm(explicit_q(factors.a, factors.t, m), y);
}

template <int N>
Matrix<N> solution_by_svd(const Matrix<N>& a, const Matrix<N>& b, double rcond,
                          std::int64_t* rank) {
  const auto [u, s, vh] = svd(a, false);
  *rank = 0;
  for (std::int64_t i = 0; i < s.numel(); ++i)
    if (s.data()[i] > rcond * s.data()[0]) ++*rank;
  if (*rank == 0) return Matrix<N>({a.size(1), b.size(1)});
  auto y = mm(u.narrow(1, 0, *rank).t(), b);
  div_(y, s.narrow(0, 0, *rank).unsqueeze(1));
  return mm(vh.narrow(0, 0, *rank).t(), y);
}

}  // namespace

template <class T, int N>
LeastSquares<T, N> lstsq(const Tensor<T, N>& a, const Tensor<T, N>& b, double rcond) {
  if (a.dim() != 2 || b.dim() < 1 || b.dim() > 2 || b.size(0) != a.size(0))
    throw ShapeError("lstsq: shapes " + to_string(a.shape()) + " and " + to_string(b.shape()) +
                     " do not fit, expected (m, n) and (m) or (m, k)");
  const ExactEnvironment exact;
  const std::int64_t m = a.size(0);
  const std::int64_t n = a.size(1);
  auto matrix = to_work(a);
  auto right = to_work(b.dim() == 1 ? b.unsqueeze(1) : b);
  require_finite("lstsq", matrix);
  require_finite("lstsq", right);
  const int exponent_a = scale_for_squares(matrix);
  const int exponent_b = scale_for_squares(right);
  if (rcond < 0) rcond = std::ldexp(double(std::max(m, n)), -FloatTraits<T>::p * N);
  LeastSquares<T, N> result;
  result.rank = std::min(m, n);
  bool solved = false;
  auto x = full_rank_solution(matrix, right, rcond, &solved);
  if (!solved) x = solution_by_svd(matrix, right, rcond, &result.rank);
  if (m > n && result.rank == n) {
    const auto rest = sub(right, mm(matrix, x));
    const auto squares = rest.square().sum({0});
    scale_by_power(squares, 2 * exponent_b);
    result.residuals = from_work<T, N>(squares);
    if (b.dim() == 1) result.residuals = result.residuals.squeeze(0);
  }
  scale_by_power(x, exponent_b - exponent_a);
  result.x = from_work<T, N>(x);
  if (b.dim() == 1) result.x = result.x.squeeze(1);
  return result;
}

#define MCT_INSTANTIATE(T, N) \
  template LeastSquares<T, N> lstsq(const Tensor<T, N>&, const Tensor<T, N>&, double);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
