// Tensors whose elements carry their error.
//
//   const mct::CertifiedTensor x(a), y = exp(x) * x - 1;   // a: Tensor<double, 2>, exact
//   y.value;                                              // exp(a) * a - 1
//   y.radius;                                             // how far each exact element may be from
//   it
//
// Values have the bits of the same operations on tensors without radii, and use the same kernels
// and threads. Radii are those of Certified numbers, computed in double in a second pass over the
// first components: by the same formulas (certified/radius.hpp, certified/spread.hpp) and with the
// stated bounds of the kernels that computed the values.
//
// Operands: tensors with radii, tensors and numbers without, which count as exact. Shapes broadcast
// as in NumPy; if they cannot, ShapeError names them. ShapeError too where a radius has not the
// shape of its value. Domain: every operand; a radius that is negative or NaN, or a value that is
// not finite, says that nothing is known.
// Source: radius.hpp and spread.hpp.
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

// The compiled loops: the radius of each element of `result`, which is `op` of the operands'
// values. In log1p the first argument is 1 + x.
template <class T>
void run_radius(Unary op, int components, const Tensor<double>& radius, const Tensor<T>& x,
                const Tensor<double>& r, const Tensor<T>& result);
template <class T>
void run_radius(Binary op, int components, const Tensor<double>& radius, const Tensor<T>& x,
                const Tensor<double>& r, const Tensor<T>& y, const Tensor<double>& s,
                const Tensor<T>& result);

/// Throws ShapeError where the radius has not the shape of its value.
void require_radius_of(const Shape& value, const Shape& radius);

/// `value`, which is op of x, or of x - 1 for log1p, with its radius.
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

/// A tensor and, of the same shape, how far each exact element may be from it.
template <class T, int N>
struct CertifiedTensor {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>,
                "bounds of sums are stated for components of double and float");
  Tensor<T, N> value;
  Tensor<double> radius;

  CertifiedTensor() = default;
  CertifiedTensor(const Tensor<T, N>& numbers, const Tensor<double>& radii)
      : value(numbers), radius(radii) {}
  /// The tensor itself, exactly. All elements share one radius, so that it is not to be written.
  CertifiedTensor(const Tensor<T, N>& exact)  // NOLINT(google-explicit-constructor)
      : CertifiedTensor(exact, Tensor<double>::scalar(0.0).expand(exact.shape())) {}
  /// A number that N components hold exactly, of no dimensions.
  template <class X>
  requires(certified_detail::is_exact<X, T, N>)
      CertifiedTensor(const X& exact)  // NOLINT(google-explicit-constructor)
      : CertifiedTensor(Tensor<T, N>::scalar(
            static_cast<typename Tensor<T, N>::Value>(Expansion<T, N>(exact)))) {}

  /// The element at one index per dimension, as of tensors; of floats the radius is rounded upward.
  Certified<T, N> at(const Shape& index) const {
    const double r = radius.at(index);
    const T nearest = T(r);
    const T above = std::nextafter(nearest, std::numeric_limits<T>::infinity());
    return {Expansion<T, N>(value.at(index)), double(nearest) < r ? above : nearest};
  }

  friend CertifiedTensor operator-(const CertifiedTensor& x) {
    return {neg(x.value), x.radius.clone()};
  }
  friend CertifiedTensor abs(const CertifiedTensor& x) {
    return {mct::abs(x.value), x.radius.clone()};
  }
#define MCT_CERTIFIED_BINARY(function, name)                                            \
  friend CertifiedTensor function(const CertifiedTensor& x, const CertifiedTensor& y) { \
    return tensor_detail::with_radius(Binary::name, mct::name(x.value, y.value), x, y); \
  }
  /// The radius of a quotient is infinite where the divisor may be zero, of pow where the base may
  /// be zero or negative.
  MCT_CERTIFIED_BINARY(operator+, add)
  MCT_CERTIFIED_BINARY(operator-, sub)
  MCT_CERTIFIED_BINARY(operator*, mul)
  MCT_CERTIFIED_BINARY(operator/, div)
  MCT_CERTIFIED_BINARY(pow, pow)
  MCT_CERTIFIED_BINARY(hypot, hypot)
#undef MCT_CERTIFIED_BINARY
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
/// log(1 + x).
template <class T, int N>
CertifiedTensor<T, N> log1p(const CertifiedTensor<T, N>& x) {
  return tensor_detail::with_radius(Unary::log1p, mct::log1p(x.value), x.value + T(1), x.radius);
}

/// True where it is certain that x > 0.
template <class T, int N>
Tensor<bool> is_positive(const CertifiedTensor<T, N>& x) {
  // as certified_detail::lowest, in tensors of double
  const Tensor<double> lead = convert<double, 1>(x.value.plane(0));
  const double lowered = 1 - 4 * double(FloatTraits<T>::u);
  const Tensor<double> low =
      (lead * lowered - x.radius) * lowered - 4 * double(FloatTraits<T>::eta);
  return where(x.radius > 0.0, low, lead) > 0.0;
}
/// True where it is certain that x < y. False means that it is not so, or not known.
template <class T, int N>
Tensor<bool> is_less(const CertifiedTensor<T, N>& x, const CertifiedTensor<T, N>& y) {
  return is_positive(y - x);
}
/// True where the enclosure cannot be shown to leave out the number.
template <class T, int N>
Tensor<bool> contains(const CertifiedTensor<T, N>& x, const Tensor<T, N>& numbers) {
  const auto difference = x - CertifiedTensor<T, N>(numbers);
  return logical_not(logical_or(is_positive(difference), is_positive(-difference)));
}

}  // namespace mct
