#include "mctensor/linalg/solve.hpp"

#include "mctensor/tensor/create.hpp"
#include "src/linalg/refine.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// The worst of both.
SolveReport worst_of(const SolveReport& x, const SolveReport& y) {
  return {std::max(x.relative_residual, y.relative_residual), std::max(x.condition, y.condition),
          std::max(x.refinements, y.refinements),
          std::max(x.factor_components, y.factor_components),
          std::max(x.residual_components, y.residual_components)};
}

SingularError singular(const std::string& name, const Shape& shape, std::int64_t zero_pivot) {
  const std::string what = zero_pivot < 0 ? ", or cannot be told from a singular one in f64x4"
                                          : ": pivot " + std::to_string(zero_pivot) + " is zero";
  return SingularError(name + ": a matrix of shape " + to_string(shape) + " is singular" + what);
}

/// Replaces the right sides (..., n, k) by solutions, for matrices of the same batch.
template <int N>
void solve_all(const char* name, const Shape& shape, const Tensor<double, N>& a,
               const Tensor<double, N>& x, SolveReport* report) {
  require_finite(name, a);
  require_finite(name, x);
  const auto matrices = as_batch(a);
  const auto columns = as_batch(x);
  const std::int64_t count = columns.size(0);
  std::vector<SolveReport> reports(report == nullptr ? 0 : std::size_t(count));
  for_each_matrix(count, cost_of(shape.back(), shape.back(), N), [&](std::int64_t i) {
    auto* own = report == nullptr ? nullptr : &reports[std::size_t(i)];
    const auto outcome = solve_one(matrices[i], columns[i], own);
    if (!outcome.solved) throw singular(name, shape, outcome.zero_pivot);
  });
  if (report == nullptr) return;
  *report = {};
  for (const auto& one : reports) *report = worst_of(*report, one);
}

}  // namespace

template <class T, int N>
Tensor<T, N> solve(const Tensor<T, N>& a, const Tensor<T, N>& b, SolveReport* report) {
  require_square("solve", a.shape());
  const auto side = right_side("solve", a.shape(), b.shape());
  const std::int64_t n = a.size(-1);
  const ExactEnvironment exact;
  const auto x = to_right_sides(side, b);
  if (numel(leading_shape(a.shape(), 2)) == 1 && x.dim() > 2) {
    // one matrix for the whole batch is factored once: all right sides are columns
    const auto batch = as_batch(x);
    const auto columns = batch.permute({1, 0, 2}).reshape({1, n, batch.size(0) * side.columns});
    solve_all("solve", a.shape(), as_work(a).reshape({1, n, n}), columns, report);
    batch.permute({1, 0, 2}).copy_(columns.reshape({n, batch.size(0), side.columns}));
  } else {
    solve_all("solve", a.shape(), as_work(a.expand(joined(side.batch, {n, n}))), x, report);
  }
  auto result = from_work<T, N>(x);
  return side.is_vector ? result.squeeze(-1) : result;
}

template <class T, int N>
Tensor<T, N> inv(const Tensor<T, N>& a, SolveReport* report) {
  require_square("inv", a.shape());
  const std::int64_t n = a.size(-1);
  const ExactEnvironment exact;
  const auto x = eye<double, work_components<T, N>>(n).expand(a.shape()).clone();
  solve_all("inv", a.shape(), as_work(a), x, report);
  return from_work<T, N>(x);
}

#define MCT_INSTANTIATE(T, N)                                                          \
  template Tensor<T, N> solve(const Tensor<T, N>&, const Tensor<T, N>&, SolveReport*); \
  template Tensor<T, N> inv(const Tensor<T, N>&, SolveReport*);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
