// Sums and products of tensors with a radius for every element, an upper bound of the element's
// error.
//
//   const auto c = mct::mm_certified(a, b);      // c.value is mm(a, b)
//   c.value(0, 0), c.radius(0, 0);               // the exact element is at most this far away
//
// The operands are taken as exact. A radius is the stated bound of the function
// (linalg/products.hpp, tensor/reduce.hpp), rounded upward. The bound of a matrix product has the
// sum of |a_i| |b_i|. mm_certified uses a larger number instead, the product of the Euclidean norms
// of the row and the column (Cauchy and Schwarz). So its radii need no second matrix product: they
// take two passes over the operands and one product for each element of the result.
//
// Domain: every operand. The radius is infinite where a result or a norm is not finite. Throws
// ShapeError as the function without a radius does. Source: Rump: Fast and parallel interval
// arithmetic, BIT 39(3), 1999, for bounds by norms.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mctensor/certified/tensors.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace certified_detail {

/// Upper bounds of the Euclidean norm and of the largest magnitude of a row of `count` elements.
struct RowSize {
  double norm = 0, largest = 0;
};

/// An upper bound of an exact sum of numbers >= 0. `sum` is the computed sum, with `terms`
/// roundings.
inline double raised_sum(double sum, double terms) {
  constexpr double u = FloatTraits<double>::u;
  return sum * (1 + (2 * terms + 32) * u) + FloatTraits<double>::eta;
}

/// The RowSize of a row. Only first components are read. A factor covers the other components,
/// which are together below 2u times the first.
template <class T>
RowSize row_size(const T* first, std::int64_t stride, std::int64_t count) {
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = std::fabs(double(first[i * stride]));
    if (!(x <= largest) && largest == largest) largest = x;  // a NaN stays
  }
  if (!(largest > 0) || !std::isfinite(largest)) return {largest, largest};
  // Elements are scaled by two powers of two, because one power may overflow. Their squares are at
  // most 1 and cannot overflow. raised_sum below counts the underflow.
  const int half = -(std::ilogb(largest) + 1) / 2;
  const double scale = std::ldexp(1.0, half);
  const double other = std::ldexp(1.0, -(std::ilogb(largest) + 1) - half);
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = double(first[i * stride]) * scale * other;
    sum += x * x;
  }
  const double limbs = 1 + 8 * double(FloatTraits<T>::u);  // for the components after the first
  const double norm =
      std::sqrt(raised_sum(sum + double(count) * FloatTraits<double>::eta, double(count)));
  return {raised_sum(norm / scale / other, 4) * limbs, raised_sum(largest, 1) * limbs};
}

/// u^N of T.
template <class T, int N>
double unit() {
  return std::ldexp(1.0, -N * FloatTraits<T>::p);
}
/// A bound of the underflow in a sum of n products.
template <class T, int N>
double underflow(double n) {
  return n * 4 * function_eta<N> * double(FloatTraits<T>::eta);
}
inline double bound_of(double bound, double value) {
  return std::isfinite(value) && bound >= 0 ? bound : std::numeric_limits<double>::infinity();
}

}  // namespace certified_detail

/// a b of matrices (m, k) and (k, n) with radii. A radius is product_bound<T, N>(k) u^N |row|_2
/// |column|_2 plus a bound of the underflow. With MatmulAccuracy::normwise, f64x1 to f64x3 use
/// normwise_bound with the largest elements of row and column instead.
template <class T, int N>
CertifiedTensor<T, N> mm_certified(const Tensor<T, N>& a, const Tensor<T, N>& b,
                                   MatmulAccuracy accuracy = MatmulAccuracy::componentwise) {
  using namespace certified_detail;
  CertifiedTensor<T, N> c;
  c.value = mm(a, b, accuracy);
  const std::int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  const auto sizes = [&](const Tensor<T, N>& x, std::int64_t count, int line, int along) {
    std::vector<RowSize> all;
    all.reserve(std::size_t(count));
    for (std::int64_t i = 0; i < count; ++i)
      all.push_back(row_size(x.data() + i * x.strides()[std::size_t(line)],
                             x.strides()[std::size_t(along)], k));
    return all;
  };
  const std::vector<RowSize> rows = sizes(a, m, 0, 1);
  const std::vector<RowSize> columns = sizes(b, n, 1, 0);
  constexpr bool is_whole = std::is_same_v<T, double> && N <= 3;
  const bool by_largest = is_whole && accuracy == MatmulAccuracy::normwise;
  // the last factor covers the rounding of the radius itself
  const double factor =
      (by_largest ? normwise_bound<N>(double(k)) : product_bound<T, N>(double(k))) * unit<T, N>() *
      (1 + 0x1p-40);
  const double least = underflow<T, N>(double(k));
  c.radius = Tensor<double>::uninitialized(c.value.shape());
  double* radius = c.radius.data();
  for (std::int64_t i = 0; i < m; ++i) {
    const RowSize& row = rows[std::size_t(i)];
    for (std::int64_t j = 0; j < n; ++j) {
      const RowSize& column = columns[std::size_t(j)];
      const double value = double(c.value.data()[i * c.value.strides()[0] + j]);
      double bound = factor * (by_largest ? row.largest * column.largest : row.norm * column.norm);
      if (by_largest) bound += std::fabs(value) * unit<T, N>() * (1 + 0x1p-10);
      *radius++ = bound_of(bound + least, value);
    }
  }
  return c;
}

/// The inner product of two vectors of n elements; the result has no dimensions. The radius is
/// product_bound<T, N>(n) u^N times the sum of the products' magnitudes, plus a bound of the
/// underflow.
template <class T, int N>
CertifiedTensor<T, N> dot_certified(const Tensor<T, N>& x, const Tensor<T, N>& y) {
  using namespace certified_detail;
  CertifiedTensor<T, N> r{dot(x, y), Tensor<double>::uninitialized({})};
  const auto n = double(x.numel());
  double sum = 0;
  for (std::int64_t i = 0; i < x.numel(); ++i)
    sum += std::fabs(double(x.data()[i * x.strides()[0]])) *
           std::fabs(double(y.data()[i * y.strides()[0]]));
  const double limbs = 1 + 16 * double(FloatTraits<T>::u);
  sum += n * FloatTraits<double>::eta;  // products may have underflowed
  const double bound = product_bound<T, N>(n) * unit<T, N>() * raised_sum(sum, n) * limbs;
  r.radius.data()[0] =
      bound_of(bound * (1 + 0x1p-40) + underflow<T, N>(n), double(r.value.data()[0]));
  return r;
}

/// The sum of all n elements; the result has no dimensions. The radius is accumulate_bound<N>(n)
/// u^N times the sum of the elements' magnitudes, plus a bound of the underflow.
template <class T, int N>
CertifiedTensor<T, N> sum_certified(const Tensor<T, N>& x) {
  using namespace certified_detail;
  CertifiedTensor<T, N> r{sum(x), Tensor<double>::uninitialized({})};
  const auto n = double(x.numel());
  const Tensor<T> first = x.plane(0).contiguous();
  double magnitudes = 0;
  for (std::int64_t i = 0; i < x.numel(); ++i) magnitudes += std::fabs(double(first.data()[i]));
  const double limbs = 1 + 8 * double(FloatTraits<T>::u);
  const double bound =
      accumulate_bound<N>(n) * unit<T, N>() * raised_sum(magnitudes, n) * limbs * (1 + 0x1p-40);
  r.radius.data()[0] =
      bound_of(bound + function_eta<N> * double(FloatTraits<T>::eta), double(r.value.data()[0]));
  return r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
