// A number with a bound of its error: a value and a radius. The exact number lies within the radius
// of the value, also after any computation.
//
//   using mct::Certified;
//   const Certified<double, 2> a(mct::f64x2(2)), b = sqrt(a) * sqrt(a) - a;
//   contains(b, mct::f64x2(0));   // true: the radius is about 3e-31
//
// Each operation computes its value with the algorithm of the expansion. The radius of a result is
// the sum of three parts: the largest change of the result within the operands' radii, the stated
// error of the algorithm, and the rounding error of the radius itself. expansion/error_bounds.hpp
// says how each stated error is known. No rounding mode is changed, so the same code runs for a
// scalar, a SIMD batch and a CUDA thread.
//
// Domain: every value and radius. A result without a value or bound has an infinite radius: a
// quotient whose divisor may be zero, a root of an operand that may be negative, an overflow.
// Source: interval arithmetic in the form of midpoint and radius: Rump: Fast and parallel interval
// arithmetic, BIT 39(3), 1999; Johansson: Arb, IEEE Transactions on Computers 66(8), 2017.
#pragma once

#include <limits>
#include <type_traits>

#include "mctensor/certified/radius.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

template <class V, int N>
class Certified;

namespace certified_detail {

/// True if an Expansion<V, N> holds every value of X exactly.
template <class X, class V, int N>
inline constexpr bool is_exact =
    std::is_same_v<X, Expansion<V, N>> || std::is_same_v<X, V> ||
    (std::is_arithmetic_v<X> && std::numeric_limits<X>::digits <= N * FloatTraits<V>::p &&
     std::numeric_limits<X>::max_exponent <= FloatTraits<V>::emax &&
     (std::is_integral_v<X> ||
      std::numeric_limits<X>::min_exponent - std::numeric_limits<X>::digits >=
          FloatTraits<V>::emin));

/// An upper bound of |x|.
template <class V, int N>
MCT_HD constexpr V most(const Expansion<V, N>& x) {
  return most(Ball<V>{x.limb[0], constant<V>(0), component_of<scalar_t<V>>()});
}
/// An upper bound of |x'| for all x' within the radius of x.
template <class V, int N>
MCT_HD constexpr V farthest_from_zero(const Certified<V, N>& x) {
  return farthest_from_zero(x.ball());
}

}  // namespace certified_detail

/// An expansion of N components V (double or float, or a SIMD batch of them) and a radius. Bound:
/// the enclosure holds for all operands. To first order, the radius is the error that the operands'
/// radii and the algorithm's stated error allow, times 1 + 64 u (u of one component), plus 16
/// smallest subnormals.
template <class V, int N>
class Certified {
 public:
  using Value = Expansion<V, N>;
  using Scalar = scalar_t<V>;
  static_assert(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>,
                "the radius of a Certified number is a double or a float");
  static constexpr int components = N;

  /// Zero, exactly.
  constexpr Certified() = default;
  /// An exact number: an expansion, one component, or a builtin number whose values the expansion
  /// always holds. Others, such as a double for `Certified<float, 1>`, do not compile: round them
  /// yourself and state the radius.
  template <class X>
  requires(certified_detail::is_exact<X, V, N>) MCT_HD constexpr Certified(const X& exact)
      : Certified(Value(exact), V(Scalar(0))) {}
  /// Every number within `radius` of `value`. The radius becomes infinite, which means that nothing
  /// is known, if it is negative or NaN or if `value` is not finite.
  MCT_HD constexpr Certified(const Value& value, const V& radius)
      : value_(value), radius_(certified_detail::checked_radius(value.limb[0], radius)) {}

  MCT_HD constexpr const Value& value() const { return value_; }
  MCT_HD constexpr const V& radius() const { return radius_; }

  MCT_HD friend constexpr Certified operator-(const Certified& x) { return {-x.value_, x.radius_}; }
  MCT_HD friend constexpr Certified operator+(const Certified& x, const Certified& y) {
    return with_error(x.value_ + y.value_, certified_detail::carried_by_sum(x.ball(), y.ball()),
                      error_bounds<N>.add, 0);
  }
  MCT_HD friend constexpr Certified operator-(const Certified& x, const Certified& y) {
    return with_error(x.value_ - y.value_, certified_detail::carried_by_sum(x.ball(), y.ball()),
                      error_bounds<N>.add, 0);
  }
  MCT_HD friend constexpr Certified operator*(const Certified& x, const Certified& y) {
    // constant expressions have no fma: more underflows
    const double eta = error_bounds<N>.mul_eta * (std::is_constant_evaluated() ? 4 : 1);
    const V carried = certified_detail::carried_by_product(x.ball(), y.ball());
    return with_error(x.value_ * y.value_,
                      certified_detail::blend_zero(V(x.radius_ + y.radius_), carried),
                      error_bounds<N>.mul, eta);
  }
  /// The radius is infinite if y may be zero. If both operands are exact, it is infinite only if
  /// the quotient is not finite.
  MCT_HD friend constexpr Certified operator/(const Certified& x, const Certified& y) {
    const Value quotient = x.value_ / y.value_;
    const V carried = certified_detail::carried_by_quotient(x.ball(), y.ball(), quotient.limb[0]);
    return with_error(quotient, certified_detail::blend_zero(V(x.radius_ + y.radius_), carried),
                      error_bounds<N>.div, error_bounds<N>.div_eta);
  }
  MCT_HD constexpr Certified& operator+=(const Certified& y) { return *this = *this + y; }
  MCT_HD constexpr Certified& operator-=(const Certified& y) { return *this = *this - y; }
  MCT_HD constexpr Certified& operator*=(const Certified& y) { return *this = *this * y; }
  MCT_HD constexpr Certified& operator/=(const Certified& y) { return *this = *this / y; }

  /// The square root. The radius is infinite if x may be negative, unless x is exactly 0.
  MCT_HD friend Certified sqrt(const Certified& x) {
    const V carried = certified_detail::carried_by_root(x.ball());
    return with_error(sqrt(x.value_), certified_detail::blend_zero(x.radius_, carried),
                      error_bounds<N>.sqrt, error_bounds<N>.div_eta);
  }
  /// |x|.
  MCT_HD friend constexpr Certified abs(const Certified& x) { return {abs(x.value_), x.radius_}; }
  /// x y + z with the errors of a product and a sum.
  MCT_HD friend constexpr Certified fma(const Certified& x, const Certified& y,
                                        const Certified& z) {
    return x * y + z;
  }

  /// The parts of the number from which radii are computed.
  MCT_HD constexpr certified_detail::Ball<V> ball() const {
    return {value_.limb[0], radius_, certified_detail::component_of<Scalar>()};
  }
  /// The stated error of an algorithm: `bound` u^N of the value plus `eta` smallest subnormals.
  MCT_HD static constexpr certified_detail::AlgorithmError error(double bound, double eta = 0) {
    return certified_detail::algorithm_error(certified_detail::component_of<Scalar>(), N, bound,
                                             eta);
  }
  /// A value with its radius, the sum of `carried`, which comes from the operands' radii, and the
  /// stated error of the algorithm that computed the value.
  MCT_HD static constexpr Certified with_error(const Value& value, const V& carried, double bound,
                                               double eta) {
    return {value, certified_detail::radius_of_result(value.limb[0], carried, error(bound, eta))};
  }

 private:
  Value value_{};
  V radius_{};
};

template <class T, int N>
Certified(const Expansion<T, N>&) -> Certified<T, N>;
template <class T, int N>
Certified(const Expansion<T, N>&, const T&) -> Certified<T, N>;

/// True if it is certain that x > 0.
template <class V, int N>
MCT_HD constexpr auto is_positive(const Certified<V, N>& x) {
  return certified_detail::lowest_known(x.ball()) > certified_detail::constant<V>(0);
}
/// True if it is certain that x < y. False: x >= y, or not known.
template <class V, int N>
MCT_HD constexpr auto is_less(const Certified<V, N>& x, const Certified<V, N>& y) {
  return is_positive(y - x);
}
/// False if `number` is certainly outside the enclosure, else true.
template <class V, int N>
MCT_HD constexpr auto contains(const Certified<V, N>& x, const Expansion<V, N>& number) {
  const Certified<V, N> difference = x - Certified<V, N>(number);
  return !(is_positive(difference) || is_positive(-difference));
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
