#include "mctensor/linalg/norms.hpp"

#include <cmath>
#include <limits>

#include "mctensor/linalg/solve.hpp"
#include "mctensor/linalg/svd.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

namespace {

/// The inverse, or NaN for a matrix without an inverse.
template <class T, int N>
Tensor<T, N> inverse_or_nan(const Tensor<T, N>& a) {
  const auto matrices = as_batch(a.contiguous());
  auto result = Tensor<T, N>(matrices.shape());
  for (std::int64_t i = 0; i < matrices.size(0); ++i) {
    try {
      result[i].copy_(inv(matrices[i]));
    } catch (const SingularError&) {
      result[i].fill_(typename Tensor<T, N>::Value(std::numeric_limits<T>::quiet_NaN()));
    }
  }
  return result.reshape(a.shape());
}

/// The matrices of a. If the largest number of a matrix is near the ends of the range, the matrix
/// is multiplied by a power of two that brings this number near 1: condition numbers have no scale,
/// but norms and inverses may leave the range.
template <class T, int N>
Tensor<T, N> in_the_middle(const Tensor<T, N>& a) {
  if (a.numel() == 0) return a;
  const auto tops = a.fc().abs().max({-2, -1}, true);
  const auto is_far = [](T top) {
    return top > 0 && std::isfinite(top) &&
           std::abs(std::ilogb(top)) > std::numeric_limits<T>::max_exponent / 4;
  };
  Tensor<T> factors(tops.shape());
  bool far = false;
  for (std::int64_t i = 0; i < tops.numel(); ++i) {
    const T top = tops.data()[i];
    far |= is_far(top);
    // two steps, because the inverse of a subnormal number overflows
    factors.data()[i] = is_far(top) ? std::ldexp(T(1), -std::ilogb(top) / 2) : T(1);
  }
  return far ? mul(mul(a, factors), factors) : a;
}

/// Infinity in place of NaN.
template <class T, int N>
Tensor<T, N> nan_as_infinity(const Tensor<T, N>& x) {
  return where(ne(x, x), Tensor<T>::scalar(std::numeric_limits<T>::infinity()), x);
}

}  // namespace

template <class T, int N>
Tensor<T, N> norm(const Tensor<T, N>& a, MatrixNorm order) {
  require_matrices("norm", a.shape());
  switch (order) {
    case MatrixNorm::frobenius:
      return a.norm(2, {-2, -1});
    case MatrixNorm::one:
      return a.abs().sum({-2}).max({-1});
    case MatrixNorm::infinity:
      return a.abs().sum({-1}).max({-1});
    case MatrixNorm::two:
      return svdvals(a).max({-1});
    case MatrixNorm::nuclear:
      return svdvals(a).sum({-1});
  }
  throw DomainError("norm: " + std::to_string(int(order)) + " is not a MatrixNorm");
}

template <class T, int N>
Tensor<T, N> cond(const Tensor<T, N>& a, MatrixNorm order) {
  if (order != MatrixNorm::two) {
    require_square("cond", a.shape());
    const auto scaled = in_the_middle(a);
    return nan_as_infinity(mul(norm(scaled, order), norm(inverse_or_nan(scaled), order)));
  }
  require_matrices("cond", a.shape());
  const auto s = svdvals(a);
  return nan_as_infinity(div(s.max({-1}), s.min({-1})));
}

#define MCT_INSTANTIATE(T, N)                                  \
  template Tensor<T, N> norm(const Tensor<T, N>&, MatrixNorm); \
  template Tensor<T, N> cond(const Tensor<T, N>&, MatrixNorm);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg
