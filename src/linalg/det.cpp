#include "mctensor/linalg/det.hpp"

#include "mctensor/math/numbers.hpp"
#include "src/linalg/elements.hpp"
#include "src/linalg/equilibrate.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// mantissa 2^exponent with 1/2 <= |mantissa| < 1, or 0.
template <int N>
struct Scaled {
  Expansion<double, N> mantissa;
  std::int64_t exponent = 0;
};

/// Overwrites the matrix.
template <int N>
Scaled<N> determinant(const Matrix<N>& matrix) {
  const std::int64_t n = matrix.size(0);
  std::vector<std::int64_t> pivots(static_cast<std::size_t>(n));
  const Equilibrated<N> equilibrated(matrix, harmless);
  const Matrix<N>& a = equilibrated.a;
  Scaled<N> result{Expansion<double, N>(1.0), 0};
  for (std::size_t i = 0; i < pivots.size(); ++i)
    result.exponent += equilibrated.rows[i] + equilibrated.columns[i];
  lu_in_place(a, pivots.data());
  const Rows<N> rows;
  const Elements<N> entries(a);
  for (std::int64_t i = 0; i < n; ++i) {
    int of_pivot = 0;
    int of_product = 0;
    entries.set(i, i, frexp(entries.get(i, i), &of_pivot));
    rows.scale(1, result.mantissa, entries.row(i, i));
    result.mantissa = frexp(entries.get(i, i), &of_product);
    result.exponent += of_pivot + of_product;
    if (pivots[std::size_t(i)] != i) result.mantissa = -result.mantissa;
  }
  return result;
}

/// f(i, determinant of matrix i) for every matrix.
template <class T, int N, class F>
void for_each_determinant(const char* name, const Tensor<T, N>& a, const F& f) {
  require_square(name, a.shape());
  const ExactEnvironment exact;
  const auto work = to_work(a);
  require_finite(name, work);
  const auto matrices = as_batch(work);
  for_each_matrix(matrices.size(0), cost_of(a.size(-1), a.size(-1), N),
                  [&](std::int64_t i) { f(i, determinant(matrices[i])); });
}

template <int N>
void store(const Tensor<double, N>& x, std::int64_t i, const Expansion<double, N>& value) {
  for (int k = 0; k < N; ++k) x.data(k)[i] = value.limb[k];
}

}  // namespace

template <class T, int N>
Tensor<T, N> det(const Tensor<T, N>& a) {
  require_square("det", a.shape());
  const WorkTensor<T, N> result(leading_shape(a.shape(), 2));
  for_each_determinant("det", a, [&](std::int64_t i, const auto& d) {
    store(result, i, ldexp(d.mantissa, int(std::clamp<std::int64_t>(d.exponent, -5000, 5000))));
  });
  return from_work<T, N>(result);
}

template <class T, int N>
SignAndLogDet<T, N> slogdet(const Tensor<T, N>& a) {
  require_square("slogdet", a.shape());
  constexpr int W = work_components<T, N>;
  const Tensor<T> sign(leading_shape(a.shape(), 2));
  const WorkTensor<T, N> mantissa(leading_shape(a.shape(), 2));
  const WorkTensor<T, N> exponent(leading_shape(a.shape(), 2));
  for_each_determinant("slogdet", a, [&](std::int64_t i, const auto& d) {
    const double lead = d.mantissa.limb[0];
    sign.data()[i] = T(double(lead > 0) - double(lead < 0));
    store(mantissa, i, d.mantissa);
    exponent.data()[i] = double(d.exponent);
  });
  const auto logarithm =
      add(log(abs(mantissa)), mul(exponent, numbers::ln2_v<Expansion<double, W>>));
  return {sign, from_work<T, N>(logarithm)};
}

#define MCT_INSTANTIATE(T, N)                     \
  template Tensor<T, N> det(const Tensor<T, N>&); \
  template SignAndLogDet<T, N> slogdet(const Tensor<T, N>&);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
