// Powers of ten.
//
// Source: e^(x log 10), as in pow (exp.hpp; Tang 1989). The product has one limb more than the
// result.
#pragma once

#include "mctensor/math/exp.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// 10^x. Error <= 1.5 u^N 10^x, plus N eta where limbs fall below the smallest subnormal eta. Exact
/// for whole x >= 0 if 10^x has at most N p bits. Overflow gives an infinity, underflow 0.
/// Infinities and NaN are treated as in exp.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> exp10(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return exp10(v); });
  } else {
    constexpr int W = N + 1;
    const T lead = x.limb[0];
    constexpr T steps = detail::constant_limb<tables::Ln10, T, 0, 0>;
    if (!(detail::magnitude(lead) < detail::exp_limit<T> / steps)) return detail::exp_special(lead);
    const auto exponent = detail::mul_widening<W>(detail::constant<tables::Ln10, T, W>(), x);
    return detail::exp_near<N>(exponent);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
