#include "mctensor/linalg/lu.hpp"

#include <numeric>

#include "mctensor/linalg/singular_error.hpp"
#include "src/linalg/equilibrate.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// The place of a zero on the diagonal, or -1.
template <int N>
std::int64_t zero_on_diagonal(const Matrix<N>& a) {
  const std::int64_t step = a.strides()[0] + a.strides()[1];
  for (std::int64_t i = 0; i < a.size(0); ++i)
    if (a.data()[i * step] == 0) return i;
  return -1;
}

/// Row exchanges as the order in which they leave the rows.
std::vector<std::int64_t> order_of(const std::int64_t* pivots, std::int64_t count,
                                   std::int64_t rows) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  for (std::int64_t i = 0; i < count; ++i)
    std::swap(order[std::size_t(i)], order[std::size_t(pivots[i])]);
  return order;
}

}  // namespace

template <class T, int N>
LuFactors<T, N> lu_factor(const Tensor<T, N>& a) {
  require_matrices("lu_factor", a.shape());
  const ExactEnvironment exact;
  const auto work = to_work(a);
  require_finite("lu_factor", work);
  const std::int64_t m = a.size(-2);
  const std::int64_t n = a.size(-1);
  const std::int64_t k = std::min(m, n);
  const Tensor<std::int64_t> pivots(joined(leading_shape(a.shape(), 2), {k}));
  const auto matrices = as_batch(work);
  for_each_matrix(matrices.size(0), cost_of(m, n, N), [&](std::int64_t i) {
    const auto matrix = matrices[i];
    const auto exponents = scale_columns_to_middle(matrix);
    lu_in_place(matrix, pivots.data() + i * k);
    if (all_zero(exponents)) return;
    for (std::int64_t j = 0; j < n; ++j)
      scale_by_power(matrix.select(1, j).narrow(0, 0, std::min(j + 1, k)),
                     exponents[std::size_t(j)]);
  });
  return {from_work<T, N>(work), pivots};
}

template <class T, int N>
Tensor<T, N> lu_solve(const LuFactors<T, N>& factors, const Tensor<T, N>& b, bool transposed) {
  require_square("lu_solve", factors.lu.shape());
  const auto side = right_side("lu_solve", factors.lu.shape(), b.shape());
  const std::int64_t n = factors.lu.size(-1);
  // lu_factor never returns one pivot for all rows: no broadcasting here
  if (factors.pivots.dim() == 0 || factors.pivots.size(-1) != n)
    throw ShapeError("lu_solve: pivots of shape " + to_string(factors.pivots.shape()) +
                     " for factors of shape " + to_string(factors.lu.shape()));
  const ExactEnvironment exact;
  const auto x = to_right_sides(side, b);
  require_finite("lu_solve", x);
  const auto lu = as_batch(to_work(factors.lu.expand(joined(side.batch, {n, n}))));
  const auto pivots = factors.pivots.expand(joined(side.batch, {n})).contiguous();
  for (std::int64_t i = 0; i < pivots.numel(); ++i)  // they come from the caller
    if (pivots.data()[i] < 0 || pivots.data()[i] >= n)
      throw DomainError("lu_solve: pivot " + std::to_string(pivots.data()[i]) +
                        " is not a row of a matrix of shape " + to_string(factors.lu.shape()));
  const auto columns = as_batch(x);
  for_each_matrix(columns.size(0), cost_of(n, n, N), [&](std::int64_t i) {
    if (const auto zero = zero_on_diagonal(lu[i]); zero >= 0)
      throw SingularError("lu_solve: a matrix of shape " + to_string(factors.lu.shape()) +
                          " is singular: pivot " + std::to_string(zero) + " is zero");
    lu_solve_in_place(lu[i], pivots.data() + i * n, columns[i], transposed);
  });
  auto result = from_work<T, N>(x);
  return side.is_vector ? result.squeeze(-1) : result;
}

template <class T, int N>
Lu<T, N> lu(const Tensor<T, N>& a) {
  const auto factors = lu_factor(a);
  const std::int64_t m = a.size(-2);
  const std::int64_t n = a.size(-1);
  const std::int64_t k = std::min(m, n);
  const Shape batch = leading_shape(a.shape(), 2);
  Lu<T, N> result{Tensor<T>(joined(batch, {m, m})), Tensor<T, N>(joined(batch, {m, k})),
                  Tensor<T, N>(joined(batch, {k, n}))};
  const auto p = as_batch(result.p);
  const auto l = as_batch(result.l);
  const auto u = as_batch(result.u);
  const auto lu = as_batch(factors.lu);
  for (std::int64_t i = 0; i < lu.size(0); ++i) {
    const auto order = order_of(factors.pivots.data() + i * k, k, m);
    for (std::int64_t row = 0; row < m; ++row) {
      p[i].set({order[std::size_t(row)], row}, T(1));
      const std::int64_t left = std::min(row, k);
      l[i][row].narrow(0, 0, left).copy_(lu[i][row].narrow(0, 0, left));
      if (row >= k) continue;
      l[i].set({row, row}, typename Tensor<T, N>::Value(T(1)));
      u[i][row].narrow(0, row, n - row).copy_(lu[i][row].narrow(0, row, n - row));
    }
  }
  return result;
}

#define MCT_INSTANTIATE(T, N)                                                        \
  template LuFactors<T, N> lu_factor(const Tensor<T, N>&);                           \
  template Tensor<T, N> lu_solve(const LuFactors<T, N>&, const Tensor<T, N>&, bool); \
  template Lu<T, N> lu(const Tensor<T, N>&);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
