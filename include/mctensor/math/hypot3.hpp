// The length of a vector of three.
//
// Source: the root of a scaled sum of squares in one limb more, as hypot of two (power.hpp).
#pragma once

#include "mctensor/math/power.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// sqrt(x^2 + y^2 + z^2) without over- or underflow on the way. Relative error <= 1.5 u^N, plus N
/// eta. Exact where the result has at most N p bits. Domain: all arguments; an infinity
/// outweighs NaN.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> hypot(const Expansion<T, N>& x, const Expansion<T, N>& y,
                                 const Expansion<T, N>& z) {
  if constexpr (N == 1) {
    return hypot(detail::widen<2>(x), detail::widen<2>(y), detail::widen<2>(z)).limb[0];
  } else {
    constexpr int W = N + 1;
    const Expansion<T, N> sides[3] = {x, y, z};
    const T infinity = FloatTraits<T>::infinity;
    T largest = 0;
    T sum_of_leads = 0;
    for (const auto& side : sides) {
      const T size = detail::magnitude(side.limb[0]);
      if (size == infinity) return infinity;
      sum_of_leads += size;
      if (size > largest) largest = size;
    }
    if (sum_of_leads != sum_of_leads || largest == 0) return sum_of_leads;
    const auto s = detail::scale_to_unit(largest);
    Expansion<T, W> sum;
    for (const auto& side : sides) {
      const auto unit = detail::widen<W>(
          detail::scale_limbs(detail::scale_limbs(detail::magnitude_of(side), s.first), s.second));
      sum = detail::add_limbs(sum, detail::mul_limbs(unit, unit));
    }
    const auto wide = detail::sqrt_limbs(sum);
    const auto root =
        detail::round_limbs_near<N>(wide, T(wide.limb[0] * detail::own_small_error<T, N>));
    auto r = detail::scale_limbs(detail::scale_limbs(root, s.inverse_second), s.inverse_first);
    if (!(r.limb[0] - r.limb[0] == 0)) r = Expansion<T, N>(r.limb[0]);
    return r;
  }
}
template <class X, class Y, class Z>
requires MixedOperands<X, Y, Z> MCT_HD constexpr auto hypot(const X& x, const Y& y, const Z& z) {
  using R = common_expansion_t<X, Y, Z>;
  return hypot(R(x), R(y), R(z));
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
