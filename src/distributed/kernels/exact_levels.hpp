// The steps of an exact sum of one element: of the loops of every instruction set, and of a
// thread of a GPU.
#pragma once

#include "mctensor/eft/short_format.hpp"
#include "mctensor/eft/two_sum.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

MCT_HD MCT_ALWAYS_INLINE inline double where(bool condition, double yes, double no) {
  return condition ? yes : no;
}

/// Adds x to the sum of the first `Levels` of three numbers, and returns what does not fit into
/// them: 0, a finite number that belongs to the sum, or not finite. Then the levels are as they
/// were: an error that is infinite or NaN comes from an operand that is, or from an overflow on the
/// way, and reaches the last level, whose error tells of it.
template <int Levels>
MCT_HD MCT_ALWAYS_INLINE inline double add_to_levels(double& l0, double& l1, double& l2, double x) {
  const HiLo<double> a = two_sum(l0, x);
  HiLo<double> b{0, a.lo};
  HiLo<double> c{0, a.lo};
  if constexpr (Levels > 1) c = b = two_sum(l1, a.lo);
  if constexpr (Levels > 2) c = two_sum(l2, b.lo);
  const double rest = c.lo;
  const bool fits = rest - rest == 0;
  l0 = where(fits, a.hi, l0);
  if constexpr (Levels > 1) l1 = where(fits, b.hi, l1);
  if constexpr (Levels > 2) l2 = where(fits, c.hi, l2);
  return rest;
}

/// a + b where b is not 0: a zero of the lower levels has no say in the sign.
MCT_HD MCT_ALWAYS_INLINE inline double plus_nonzero(double a, double b) {
  return b == 0 ? a : a + b;
}

/// The sum of the levels, rounded to nearest or to odd. Three numbers: what their two leading parts
/// leave is rounded to odd and added to the first. Source: Boldo, Melquiond 2008, section 4.
template <int Levels, bool ToOdd>
MCT_HD MCT_ALWAYS_INLINE inline double rounded_sum(double head, double rest, double last) {
  if constexpr (Levels == 1) return head;
  if constexpr (Levels > 2) {
    const HiLo<double> low = two_sum(rest, last);
    const HiLo<double> high = two_sum(head, low.hi);
    head = low.hi == 0 ? head : high.hi;
    rest = detail::add_to_odd(high.lo, low.lo);
  }
  if constexpr (ToOdd) return rest == 0 ? head : detail::add_to_odd(head, rest);
  return plus_nonzero(head, rest);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
