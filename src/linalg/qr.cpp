#include "mctensor/linalg/qr.hpp"

#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// q, r of one matrix, which is overwritten; q is written unless it has no columns.
template <int N>
void decompose(const Matrix<N>& a, const Matrix<N>& q, const Matrix<N>& r) {
  const std::int64_t m = a.size(0);
  const std::int64_t n = a.size(1);
  const std::int64_t k = std::min(m, n);
  const int exponent = scale_to_middle(a);
  const auto left = a.narrow(1, 0, k);
  const Matrix<N> t({k, k});
  qr_in_place(left, t);
  if (n > k) a.narrow(1, k, n - k).copy_(multiply_by_q_transposed(left, t, a.narrow(1, k, n - k)));
  const auto upper = triangle_of(Triangle::upper, a.narrow(0, 0, k));
  scale_by_power(upper, exponent);
  r.narrow(0, 0, k).copy_(upper);
  if (q.numel() > 0) q.copy_(explicit_q(left, t, q.size(1)));
}

}  // namespace

template <class T, int N>
Qr<T, N> qr(const Tensor<T, N>& a, QrMode mode) {
  require_matrices("qr", a.shape());
  const std::int64_t m = a.size(-2);
  const std::int64_t n = a.size(-1);
  const std::int64_t k = mode == QrMode::complete ? m : std::min(m, n);
  const ExactEnvironment exact;
  const auto work = to_work(a);
  require_finite("qr", work);
  const Shape batch = leading_shape(a.shape(), 2);
  const WorkTensor<T, N> q(joined(batch, {m, mode == QrMode::r ? 0 : k}));
  const WorkTensor<T, N> r(joined(batch, {k, n}));
  const auto matrices = as_batch(work);
  const auto q_batch = as_batch(q);
  const auto r_batch = as_batch(r);
  for_each_matrix(matrices.size(0), cost_of(m, n, N),
                  [&](std::int64_t i) { decompose(matrices[i], q_batch[i], r_batch[i]); });
  Qr<T, N> result;
  if (mode != QrMode::r) result.q = from_work<T, N>(q);
  result.r = from_work<T, N>(r);
  return result;
}

#define MCT_INSTANTIATE(T, N) template Qr<T, N> qr(const Tensor<T, N>&, QrMode);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
