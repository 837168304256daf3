// Solves systems of linear equations, with a radius for every element of the solution.
//
//   const auto x = mct::solve_certified(a, b);   // x.value is linalg::solve(a, b)
//   x.radius(i);                                 // the exact x_i is no farther away
//
// The operands count as exact. R is an approximate inverse of a, and x is any approximate solution.
// Then
//
//   exact - x = R (b - a x) + (I - R a) (exact - x).
//
// Let alpha = |I - R a|_inf. If alpha < 1, a is not singular, and |exact - x|_inf <= |R (b - a
// x)|_inf / (1 - alpha). Both residuals are products with radii (certified/products.hpp): b - a x
// has one component more than x, I - R a at least two.
//
// Domain: every operand. If alpha may be above 1/2 (the condition number of a is above about 1e30),
// every radius is infinite. Source: Rump: Verification methods, Acta Numerica 19, 2010, section 10.
#pragma once

#include <algorithm>
#include <limits>

#include "mctensor/certified/products.hpp"
#include "mctensor/linalg/solve.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace certified_detail {

/// Upper bounds of |x|. The components after the first are together below 2u times the first.
template <int M>
Tensor<double> most_of(const Tensor<double, M>& x) {
  Tensor<double> most = mct::abs(x.plane(0));
  return most * (1 + 8 * FloatTraits<double>::u);
}

/// Upper bounds of sums and products of n numbers, none of them negative, from the computed
/// results.
inline Tensor<double> raised(const Tensor<double>& x, std::int64_t n) {
  return x * (1 + (4 * double(n) + 64) * FloatTraits<double>::u);
}

/// Upper bounds of the sums of the magnitudes in each row of I - R a.
template <int M>
Tensor<double> rows_of_lack(const Tensor<double, M>& inverse, const Tensor<double, M>& a) {
  const CertifiedTensor<double, M> product = mm_certified(inverse, a);
  const Tensor<double> lack = most_of(product.value - eye<double, M>(a.size(0))) + product.radius;
  return raised(sum(lack, {1}), a.size(0));
}

/// Upper bounds of |R (b - a x)|, from residuals in one component more than x has.
template <int N, int M>
Tensor<double> most_of_correction(const Tensor<double, M>& inverse, const Tensor<double, N>& a,
                                  const Tensor<double, N>& x, const Tensor<double, N>& b) {
  const auto product = mm_certified(convert<double, N + 1>(a), convert<double, N + 1>(x));
  const Tensor<double, N + 1> residual = convert<double, N + 1>(b) - product.value;
  // the difference is rounded, and then rounded to the components of R
  const double rounding = error_bounds<N + 1>.add * unit<double, N + 1>() + unit<double, M>();
  const Tensor<double> lost =
      (product.radius + most_of(residual) * (2 * rounding)) * (1 + 8 * FloatTraits<double>::u);
  const auto correction = mm_certified(inverse, convert<double, M>(residual));
  const Tensor<double> of_lost = mm(most_of(inverse), lost);  // no element is negative
  return raised(most_of(correction.value) + correction.radius + of_lost, a.size(0));
}

}  // namespace certified_detail

/// The solution x of a x = b, with radii. a is (n, n), b is (n) or (n, k), both of doubles. The
/// value is linalg::solve(a, b). The radius of an element is about the error of the value as long
/// as the condition number of a is far below 1e30; for N >= 2 it is then some 3 u^N |x|_inf.
///
/// Throws as linalg::solve does, and ShapeError for batches.
template <int N>
CertifiedTensor<double, N> solve_certified(const Tensor<double, N>& a, const Tensor<double, N>& b) {
  using namespace certified_detail;
  static_assert(N <= 3, "the residual has one component more");
  if (a.dim() != 2 || b.dim() < 1 || b.dim() > 2)
    throw ShapeError("solve_certified: shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()) + " are not (n, n) and (n) or (n, k)");
  CertifiedTensor<double, N> x;
  x.value = linalg::solve(a, b);
  x.radius = full<double, 1>(x.value.shape(), std::numeric_limits<double>::infinity());
  if (x.value.numel() == 0) return x;
  const std::int64_t n = a.size(0), k = b.dim() == 1 ? 1 : b.size(1);
  constexpr int M = std::max(N, 2);
  Tensor<double, M> inverse;
  try {
    inverse = linalg::inv(convert<double, M>(a));
  } catch (const SingularError&) {  // a is singular, but in plain doubles solve did not see it
    return x;
  }
  const Tensor<double> lack = rows_of_lack(inverse, convert<double, M>(a));
  const double alpha = max(lack).item();
  if (!(alpha < 0.5)) return x;  // or a NaN
  const Tensor<double> correction =
      most_of_correction<N, M>(inverse, a, x.value.reshape({n, k}), b.reshape({n, k}));
  const Tensor<double> rest = lack.unsqueeze(1) * (max(correction, {0}) / (1 - alpha));
  // products may underflow, here and in the sums of most_of_correction
  const double underflow = (double(n) + 4) * FloatTraits<double>::eta;
  const Tensor<double> bound = raised(correction + rest, 1) + underflow;
  x.radius = where(bound >= 0.0, bound, x.radius.reshape({n, k})).reshape(x.value.shape());
  return x;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
