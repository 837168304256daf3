// Linear interpolation.
//
// Source: C++20, [c.math.lerp] (P0811). There is one formula for a and b of the same sign, and
// another one for a and b of different signs.
#pragma once

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/error_bounds.hpp"
#include "mctensor/expansion/operators.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// The bound of lerp: the bounds of two sums and a product, and their terms of second order.
template <int N>
inline constexpr double lerp_bound = 2 * error_bounds<N>.add + error_bounds<N>.mul + 0.5;

/// a + t (b - a). Error <= lerp_bound<N> u^N (|a| + |t| (|a| + |b|)), plus 2 mul_eta eta. The
/// result is exactly a for t = 0, and exactly b for t = 1. Domain: finite arguments whose result
/// does not overflow; for other arguments the formula decides.
template <class T, int N>
requires is_component_v<T> MCT_HD constexpr Expansion<T, N> lerp(const Expansion<T, N>& a,
                                                                 const Expansion<T, N>& b,
                                                                 const Expansion<T, N>& t) {
  const T one(1);
  if (t == one) return b;
  if (t == T(0)) return a;
  // if the signs differ, b - a may overflow
  if ((a.limb[0] < T(0)) != (b.limb[0] < T(0))) return add(mul(t, b), mul(sub(one, t), a));
  const Expansion<T, N> r = add(a, mul(t, sub(b, a)));
  // rounding must not put the result on the other side of b
  const bool beyond = (t > one) == (b > a);
  return (beyond ? r < b : b < r) ? b : r;
}
template <class A, class B, class C>
requires MixedOperands<A, B, C> MCT_HD constexpr auto lerp(const A& a, const B& b, const C& t) {
  using R = common_expansion_t<A, B, C>;
  return lerp(R(a), R(b), R(t));
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
