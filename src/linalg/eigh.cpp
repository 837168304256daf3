// Eigenvalues of a symmetric matrix by cyclic Jacobi rotations (Golub, Van Loan, section 8.5).
//
// N > 1 components: the method first runs in half as many; in the basis of those eigenvectors the
// matrix is diagonal but for small entries, so that one or two expensive sweeps are left. The
// change of basis is four products of matrices (Zhou 2025; Higham, Tisseur, Webb, Zhou 2025).
#include "mctensor/linalg/eigh.hpp"

#include "mctensor/error.hpp"
#include "src/linalg/elements.hpp"
#include "src/linalg/jacobi.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// Eigenvalues, ascending, and orthonormal eigenvectors: row i of `vectors` belongs to value i.
template <int N>
struct Eigen {
  Matrix<N> values;  // (n)
  Matrix<N> vectors;
};

template <int N>
class Sweeps {
 public:
  Sweeps(const Matrix<N>& a, const Matrix<N>& vectors)
      : n_(a.size(0)), a_(a), vectors_(vectors), negligible_(0) {
    double top = 0;
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j) top = std::fmax(top, std::fabs(a_.lead(i, j)));
    negligible_ = std::ldexp(top, -53 * N - 10);
  }

  /// Rotates every pair whose entry counts; whether there was one.
  bool sweep() {
    bool rotated = false;
    for (std::int64_t p = 0; p < n_; ++p)
      for (std::int64_t q = p + 1; q < n_; ++q)
        if (counts(p, q)) {
          rotate(p, q);
          rotated = true;
        }
    return rotated;
  }

 private:
  /// An entry below u^N of both diagonal entries changes no eigenvalue.
  bool counts(std::int64_t p, std::int64_t q) const {
    const double x = std::fabs(a_.lead(p, q));
    if (x <= negligible_) return false;
    const double scale = std::sqrt(std::fabs(a_.lead(p, p))) * std::sqrt(std::fabs(a_.lead(q, q)));
    return x > std::ldexp(scale, -53 * N - 1);
  }

  void rotate(std::int64_t p, std::int64_t q) {
    const auto app = a_.get(p, p);
    const auto apq = a_.get(p, q);
    const auto aqq = a_.get(q, q);
    const auto [c, s] = rotation(rows_, app, apq, aqq);
    rows_.rotate(n_, c, s, a_.row(p), a_.row(q));
    rows_.rotate(n_, c, s, vectors_.row(p), vectors_.row(q));
    // the same from the right: columns are rows, but for the block of both
    for (std::int64_t i = 0; i < n_; ++i) {
      if (i == p || i == q) continue;
      a_.set(i, p, a_.get(p, i));
      a_.set(i, q, a_.get(q, i));
    }
    rows_.rotate(1, c, s, a_.row(p, p), a_.row(p, q));
    rows_.rotate(1, c, s, a_.row(q, p), a_.row(q, q));
    a_.set(q, p, a_.get(p, q));
  }

  Rows<N> rows_;
  std::int64_t n_;
  Elements<N> a_;
  Elements<N> vectors_;
  double negligible_;
};

/// (x + x^T) / 2.
template <int N>
Matrix<N> symmetric_part(const Matrix<N>& x) {
  return mul(add(x, x.t()), 0.5);
}

template <int N>
Eigen<N> jacobi_eigen(const Matrix<N>& a) {
  const std::int64_t n = a.size(0);
  auto work = a.clone();
  auto vectors = eye<double, N>(n);
  if constexpr (N > 1) {
    const auto start = jacobi_eigen<fewer<N>>(leading_components<fewer<N>>(work).clone());
    vectors = starting_rows<N>(start.vectors);
    work = symmetric_part(mm(mm(vectors, work), vectors.t()));
  }
  Sweeps<N> sweeps(work, vectors);
  int count = 0;
  while (sweeps.sweep())
    if (++count == most_sweeps) throw DomainError("eigh: the Jacobi method did not converge");
  std::vector<Expansion<double, N>> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(Elements<N>(work).get(i, i));
  const auto order = sorted_order<N>(values, false);
  return {values_in_order<N>(values, order), rows_in_order(final_rows(vectors), order)};
}

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
