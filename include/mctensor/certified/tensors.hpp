// Tensors whose elements carry their error.
//
//   const mct::CertifiedTensor x(a);          // a: Tensor<double, 2>, exact
//   const auto y = exp(x) * x - 1.0;          // y.value is exp(a) * a - 1.0
//   y.radius;                                 // how far each exact element may be from the value
//
// Values have the bits of the same operations on tensors without radii, and use the same kernels
// and threads. A second pass computes the radii in double, from the first components of the values.
// Its formulas are those of Certified numbers (certified/radius.hpp, certified/spread.hpp), with
// the stated bounds of the kernels that computed the values.
//
// The operators, pow and hypot take tensors and numbers, with or without radii. Operands without
// radii count as exact. (A literal such as 0.1 is the double that it becomes.) Call functions
// without mct::, as in pow(x, y). Shapes broadcast as in NumPy; if they cannot, ShapeError names
// them. ShapeError is also thrown if a radius has another shape than its value. Domain: every
// operand. If a radius is negative or NaN, or a value is not finite, nothing is known about the
// exact element. Source: radius.hpp and spread.hpp.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "mctensor/certified/functions.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct {

template <class T, int N>
struct CertifiedTensor;

namespace tensor_detail {

// The compiled loops. They compute the radius of each element of `result`, which is `op` of the
// operands' values. x, y are the operands' values, r, s their radii. For log1p, x is the operand
// plus 1.
template <class T>
void run_radius(Unary op, int components, const Tensor<double>& radius, const Tensor<T>& x,
                const Tensor<double>& r, const Tensor<T>& result);
template <class T>
void run_radius(Binary op, int components, const Tensor<double>& radius, const Tensor<T>& x,
                const Tensor<double>& r, const Tensor<T>& y, const Tensor<double>& s,
                const Tensor<T>& result);

/// Writes a lower bound of each exact element to `out` if this bound is positive, else a number
/// that is not positive. For an element with radius 0 the bound is the element itself.
template <class T>
void run_lowest(const Tensor<double>& out, const Tensor<T>& x, const Tensor<double>& r);

/// Throws ShapeError if the radius has another shape than its value.
void require_radius_of(const Shape& value, const Shape& radius);

/// `value` with its radius. The value is op of x; for log1p it is log1p of x - 1.
template <class T, int N>
CertifiedTensor<T, N> with_radius(Unary op, const Tensor<T, N>& value, const Tensor<T, N>& x,
                                  const Tensor<double>& r) {
  require_radius_of(x.shape(), r.shape());
  CertifiedTensor<T, N> result{value, Tensor<double>::uninitialized(value.shape())};
  run_radius(op, N, result.radius, x.plane(0), r, value.plane(0));
  return result;
}
template <class T, int N>
CertifiedTensor<T, N> with_radius(Binary op, const Tensor<T, N>& value,
                                  const CertifiedTensor<T, N>& x, const CertifiedTensor<T, N>& y) {
  require_radius_of(x.value.shape(), x.radius.shape());
  require_radius_of(y.value.shape(), y.radius.shape());
  CertifiedTensor<T, N> result{value, Tensor<double>::uninitialized(value.shape())};
  run_radius(op, N, result.radius, x.value.plane(0), x.radius, y.value.plane(0), y.radius,
             value.plane(0));
  return result;
}

}  // namespace tensor_detail

/// A tensor, and a tensor of the same shape with a radius for each element.
template <class T, int N>
struct CertifiedTensor {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>,
                "bounds of sums are stated for components of double and float");
  Tensor<T, N> value;
  Tensor<double> radius;

  CertifiedTensor() = default;
  /// Throws ShapeError where the shapes differ.
  CertifiedTensor(const Tensor<T, N>& numbers, const Tensor<double>& radii)
      : value(numbers), radius(radii) {
    tensor_detail::require_radius_of(value.shape(), radius.shape());
  }
  /// The tensor itself, exactly. Do not write to this radius: all elements share one zero.
  CertifiedTensor(const Tensor<T, N>& exact)  // NOLINT(google-explicit-constructor)
      : CertifiedTensor(exact, Tensor<double>::scalar(0.0).expand(exact.shape())) {}
  /// A plain tensor, exactly.
  CertifiedTensor(const Tensor<T, 1>& exact)  // NOLINT(google-explicit-constructor)
      requires(N > 1)
      : CertifiedTensor(with_components<N>(exact)) {}
  /// One number with its radius, as a tensor without dimensions.
  MCT_ALWAYS_INLINE CertifiedTensor(
      const Certified<T, N>& x)  // NOLINT(google-explicit-constructor)
      : CertifiedTensor(Tensor<T, N>::scalar(static_cast<typename Tensor<T, N>::Value>(x.value())),
                        Tensor<double>::scalar(double(x.radius()))) {}
  /// A number that N components hold exactly, as a tensor without dimensions.
  template <class X>
  requires(certified_detail::is_exact<X, T, N>) MCT_ALWAYS_INLINE
      CertifiedTensor(const X& exact)  // NOLINT(google-explicit-constructor)
      : CertifiedTensor(Certified<T, N>(exact)) {}

  /// The element at one index per dimension, as Tensor::at; the radius of a float is rounded
  /// upward.
  MCT_ALWAYS_INLINE Certified<T, N> at(const Shape& index) const {
    const Expansion<T, N> number(value.at(index));
    const double r = certified_detail::checked_radius(double(number.limb[0]), radius.at(index));
    T above = T(r);
    if (double(above) < r) above = std::nextafter(above, std::numeric_limits<T>::infinity());
    return {number, above};
  }

  friend CertifiedTensor operator-(const CertifiedTensor& x) {
    return {neg(x.value), x.radius.clone()};
  }
#define MCT_CERTIFIED_BINARY(function, name)                                            \
  friend CertifiedTensor function(const CertifiedTensor& x, const CertifiedTensor& y) { \
    return tensor_detail::with_radius(Binary::name, mct::name(x.value, y.value), x, y); \
  }
  /// The radius of a quotient is infinite where the divisor may be zero. The radius of pow is
  /// infinite where the base may be zero or negative. If both operands are exact, the radius is
  /// infinite only where the value is not finite.
  MCT_CERTIFIED_BINARY(operator+, add)
  MCT_CERTIFIED_BINARY(operator-, sub)
  MCT_CERTIFIED_BINARY(operator*, mul)
  MCT_CERTIFIED_BINARY(operator/, div)
  MCT_CERTIFIED_BINARY(pow, pow)
  MCT_CERTIFIED_BINARY(hypot, hypot)
#undef MCT_CERTIFIED_BINARY
  CertifiedTensor& operator+=(const CertifiedTensor& y) { return *this = *this + y; }
  CertifiedTensor& operator-=(const CertifiedTensor& y) { return *this = *this - y; }
  CertifiedTensor& operator*=(const CertifiedTensor& y) { return *this = *this * y; }
  CertifiedTensor& operator/=(const CertifiedTensor& y) { return *this = *this / y; }

  /// True where it is certain that x > 0.
  friend Tensor<bool> is_positive(const CertifiedTensor& x) {
    tensor_detail::require_radius_of(x.value.shape(), x.radius.shape());
    const auto low = Tensor<double>::uninitialized(x.value.shape());
    tensor_detail::run_lowest(low, x.value.plane(0), x.radius);
    return low > 0.0;
  }
  /// True where it is certain that x < y. False means that x < y is wrong or not certain.
  friend Tensor<bool> is_less(const CertifiedTensor& x, const CertifiedTensor& y) {
    return is_positive(y - x);
  }
  /// False where the number is certainly outside the enclosure, else true.
  friend Tensor<bool> contains(const CertifiedTensor& x, const Tensor<T, N>& numbers) {
    const CertifiedTensor difference = x - CertifiedTensor(numbers);
    return logical_not(logical_or(is_positive(difference), is_positive(-difference)));
  }
};

template <class T, int N>
CertifiedTensor(const Tensor<T, N>&) -> CertifiedTensor<T, N>;
template <class T, int N>
CertifiedTensor(const Tensor<T, N>&, const Tensor<double>&) -> CertifiedTensor<T, N>;

#define MCT_CERTIFIED_UNARY(name, ...)                                                     \
  template <class T, int N>                                                                \
  CertifiedTensor<T, N> name(const CertifiedTensor<T, N>& x) {                             \
    return tensor_detail::with_radius(Unary::name, mct::name(x.value), x.value, x.radius); \
  }
/// The functions of one operand; their radii are derived in certified/spread.hpp.
MCT_CERTIFIED_UNARY(sqrt)
MCT_FOR_EACH_SPREAD(MCT_CERTIFIED_UNARY)
#undef MCT_CERTIFIED_UNARY
/// |x|.
template <class T, int N>
CertifiedTensor<T, N> abs(const CertifiedTensor<T, N>& x) {
  return {mct::abs(x.value), x.radius.clone()};
}
/// log(1 + x).
template <class T, int N>
CertifiedTensor<T, N> log1p(const CertifiedTensor<T, N>& x) {
  return tensor_detail::with_radius(Unary::log1p, mct::log1p(x.value), x.value + T(1), x.radius);
}

}  // namespace mct
