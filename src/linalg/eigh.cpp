#include "mctensor/linalg/eigh.hpp"

#include "src/linalg/elements.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// The symmetric matrix with the lower triangle of a.
template <int N>
Matrix<N> from_lower(const Matrix<N>& a) {
  auto result = triangle_of(Triangle::lower, a);
  const Elements<N> entries(result);
  for (std::int64_t i = 0; i < a.size(0); ++i)
    for (std::int64_t j = 0; j < i; ++j) entries.set(j, i, entries.get(i, j));
  return result;
}

}  // namespace

template <class T, int N>
Eigh<T, N> eigh(const Tensor<T, N>& a) {
  require_square("eigh", a.shape());
  const std::int64_t n = a.size(-1);
  const Shape batch = leading_shape(a.shape(), 2);
  const ExactEnvironment exact;
  const auto work = to_work(a);
  const WorkTensor<T, N> values(joined(batch, {n}));
  const auto value_rows = values.reshape({numel(batch), n});
  const auto matrices = as_batch(work);
  for_each_matrix(matrices.size(0), 20 * cost_of(n, n, N), [&](std::int64_t i) {
    const auto matrix = from_lower(matrices[i]);
    require_finite("eigh", matrix);
    const int exponent = scale_for_squares(matrix);
    const auto eigen = jacobi_eigen(matrix);
    scale_by_power(eigen.values, exponent);
    value_rows[i].copy_(eigen.values);
    matrices[i].copy_(eigen.vectors.t());
  });
  return {from_work<T, N>(values), from_work<T, N>(work)};
}

template <class T, int N>
Tensor<T, N> eigvalsh(const Tensor<T, N>& a) {
  return eigh(a).eigenvalues;
}

#define MCT_INSTANTIATE(T, N)                    \
  template Eigh<T, N> eigh(const Tensor<T, N>&); \
  template Tensor<T, N> eigvalsh(const Tensor<T, N>&);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
