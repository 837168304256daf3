#include "mctensor/linalg/svd.hpp"

#include "mctensor/linalg/products.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

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
