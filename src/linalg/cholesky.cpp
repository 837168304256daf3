#include "mctensor/linalg/cholesky.hpp"

#include "src/linalg/equilibrate.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

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
