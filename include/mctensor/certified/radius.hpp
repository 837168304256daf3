// How radii grow: the largest change of the results of + - * / and sqrt within the radii of their
// operands.
//
// A radius depends on the first components of the numbers alone; the other components are below 2u
// of the first. So the same formulas serve a number of any length, SIMD lanes and the radii of a
// tensor. Every formula is an upper bound up to its own roundings, which raised() covers.
//
// Source: Rump: Fast and parallel interval arithmetic, BIT 39(3), 1999.
#pragma once

#include "mctensor/expansion/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::certified_detail {

using detail::blend;
using detail::is_finite_mask;
using detail::magnitude;
using detail::square_root;

template <class V>
MCT_HD constexpr V constant(double value) {
  return V(scalar_t<V>(value));
}
template <class V>
MCT_HD constexpr V smaller(const V& a, const V& b) {
  return blend(a < b, a, b);
}

/// An upper bound of the exact value of r. r was computed in V from numbers that are not negative,
/// by at most 24 operations: sums, products, quotients, roots and functions of plain numbers. At
/// most 16 of them underflow. Each loses at most the factor 1 - 2u. (Losses in the components of an
/// expansion are not covered: in a tensor of floats they are shorter than V, which is double.)
template <class V>
MCT_HD constexpr V raised(const V& r) {
  using S = scalar_t<V>;
  return r * V(S(1) + 64 * FloatTraits<V>::u) + V(S(16) * FloatTraits<V>::eta);
}

/// r where `holds` is true, an infinity elsewhere.
template <class M, class V>
MCT_HD constexpr V bound_if(const M& holds, const V& r) {
  return blend(holds, r, V(FloatTraits<V>::infinity));
}

/// The radius; infinite where it is negative or NaN, or where the number is not finite.
template <class V>
MCT_HD constexpr V checked_radius(const V& lead, const V& radius) {
  return bound_if(radius >= constant<V>(0), bound_if(is_finite_mask(lead), radius));
}

/// 0 where the operands are exact (their radius `operands` is 0), else `carried`. The formulas for
/// inexact operands may give any number, or NaN, for exact ones.
template <class V>
MCT_HD constexpr V blend_zero(const V& operands, const V& carried) {
  return blend(operands > constant<V>(0), carried, constant<V>(0));
}

/// The u and the eta of a component type.
struct Component {
  double u, eta;
};
template <class T>
MCT_HD constexpr Component component_of() {
  return {double(FloatTraits<T>::u), double(FloatTraits<T>::eta)};
}

/// The parts of a number from which the radii of results are computed. Below, x' is any number
/// whose distance from x is at most the radius.
template <class V>
struct Ball {
  V lead, radius;  // the first component
  Component component;
};
/// The same number, exact.
template <class V>
MCT_HD constexpr Ball<V> centre(const Ball<V>& x) {
  return {x.lead, constant<V>(0), x.component};
}

/// An upper bound of |x|. It is also an upper bound of |y| if x is y after rounding: x may differ
/// from y by at most 2u |y| + eta.
template <class V>
MCT_HD constexpr V most(const Ball<V>& x) {
  return magnitude(x.lead) * constant<V>(1 + 8 * x.component.u) + constant<V>(2 * x.component.eta);
}
/// An upper bound of |y| for an exact y, of which only the first component `lead` of a computed
/// value is known. Underflow has changed this value by at most 16 eta.
template <class V>
MCT_HD constexpr V above(const V& lead, const Component& component) {
  return raised(
      V(most(Ball<V>{lead, constant<V>(0), component}) + constant<V>(16 * component.eta)));
}
/// An upper bound of every |x'|.
template <class V>
MCT_HD constexpr V farthest_from_zero(const Ball<V>& x) {
  return raised(V(most(x) + x.radius));
}
/// A lower bound of every |x'| if this bound is positive, else -1.
template <class V>
MCT_HD constexpr V least(const Ball<V>& x) {
  const V lowered = constant<V>(1 - 4 * x.component.u);
  const V bound = (magnitude(x.lead) * lowered - x.radius) * lowered;
  const V known = bound - constant<V>(4 * x.component.eta);  // products may have underflowed
  return blend(known > constant<V>(0), known, constant<V>(-1));
}
/// A lower bound of every x' if this bound is positive, else -1.
template <class V>
MCT_HD constexpr V lowest(const Ball<V>& x) {
  return blend(x.lead > constant<V>(0), least(x), constant<V>(-1));
}
/// As lowest, but x itself where x is exact.
template <class V>
MCT_HD constexpr V lowest_known(const Ball<V>& x) {
  return blend(x.radius > constant<V>(0), lowest(x), x.lead);
}
/// A lower bound of every |x'| that is at least 0.
template <class V>
MCT_HD constexpr V nearest_zero(const Ball<V>& x) {
  const V bound = least(x);
  return blend(bound > constant<V>(0), bound, constant<V>(0));
}

/// The stated bound of an algorithm: relative to the first component of the result, and absolute.
struct AlgorithmError {
  double relative, absolute;
};
/// Converts a bound in units of u^n and a bound in units of eta.
MCT_HD constexpr AlgorithmError algorithm_error(const Component& component, int n, double bound,
                                                double eta) {
  double unit = 1;
  for (int i = 0; i < n; ++i) unit *= component.u;
  // Bounds are relative to the exact result. The first component may be smaller by a factor 1 - 2u.
  return {bound * unit * (1 + 8 * component.u), eta * component.eta};
}

/// The radius of a result: `carried`, the part that comes from the operands' radii, plus the error
/// of the algorithm. Infinite where the result is not finite or `carried` is negative or NaN.
template <class V>
MCT_HD constexpr V radius_of_result(const V& lead, const V& carried, const AlgorithmError& error) {
  const V own = magnitude(lead) * constant<V>(error.relative) + constant<V>(error.absolute);
  return checked_radius(lead, raised(V(carried + own)));
}

// The functions below bound the change of a result within the radii of its operands. For exact
// operands the change is 0, but a formula may give something else: callers apply blend_zero().

/// For x + y and x - y.
template <class V>
MCT_HD constexpr V carried_by_sum(const Ball<V>& x, const Ball<V>& y) {
  return x.radius + y.radius;
}
/// For x y.
template <class V>
MCT_HD constexpr V carried_by_product(const Ball<V>& x, const Ball<V>& y) {
  return x.radius * most(y) + y.radius * most(x) + x.radius * y.radius;
}
/// For q = x / y; infinite if y may be zero. It follows from
///   x'/y' - x/y = ((x' - x) - x/y (y' - y)) / y'.
template <class V>
MCT_HD constexpr V carried_by_quotient(const Ball<V>& x, const Ball<V>& y, const V& q) {
  const V divisor = least(y);
  const V carried = raised(V(x.radius + above(q, y.component) * y.radius)) / divisor;
  return bound_if(divisor > constant<V>(0), carried);
}
/// For the square root; infinite if x may be negative.
template <class V>
MCT_HD constexpr V carried_by_root(const Ball<V>& x) {
  const V low = lowest(x);
  const V lowered = constant<V>(1 - 8 * x.component.u);
  const V roots = square_root(low) + square_root(lowest(centre(x)));
  const V carried = x.radius / (roots * lowered);
  return bound_if(low > constant<V>(0), carried);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::certified_detail
