// The length of a vector of three.
//
// Source: as hypot of two numbers (power.hpp): the root of a scaled sum of squares, computed in one
// limb more.
#pragma once

#include "mctensor/math/power.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// sqrt(x^2 + y^2 + z^2). No intermediate result overflows or underflows. Relative error <= 1.5
/// u^N, plus N eta. Exact if the result has at most N p bits. Domain: all arguments. If one is
/// infinite, the result is infinite, even if another is NaN.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> hypot(const Expansion<T, N>& x, const Expansion<T, N>& y,
                                 const Expansion<T, N>& z) {
  if constexpr (N == 1) {
    return hypot(detail::widen<2>(x), detail::widen<2>(y), detail::widen<2>(z)).limb[0];
  } else {
    return detail::length_of_sides<3, T, N>({x, y, z});
  }
}
template <class X, class Y, class Z>
requires MixedOperands<X, Y, Z> MCT_HD constexpr auto hypot(const X& x, const Y& y, const Z& z) {
  using R = common_expansion_t<X, Y, Z>;
  return hypot(R(x), R(y), R(z));
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
