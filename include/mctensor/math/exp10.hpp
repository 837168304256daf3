// Powers of ten.
//
// Source: e^(x log 10) with the product in one limb more, which pow needs as well (exp.hpp; Tang
// 1989); whole powers as products, which are exact while they fit.
#pragma once

#include "mctensor/expansion/rounding.hpp"
#include "mctensor/math/exp.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// The largest whole power of ten that is multiplied out: that of the longest expansion, 5^n <
/// 2^(4 p).
template <class T>
inline constexpr int most_tens = 4 * FloatTraits<T>::p * 3 / 7;

/// 10^n in W limbs, n >= 0.
template <class T, int W>
MCT_HD inline Expansion<T, W> power_of_ten(int n) {
  auto r = widen<W>(single(number<T>(1)));
  auto square = widen<W>(single(number<T>(10)));
  for (; n > 0; n /= 2) {
    if (n % 2 != 0) r = mul_limbs(r, square);
    if (n > 1) square = mul_limbs(square, square);
  }
  return r;
}

}  // namespace detail

/// 10^x. Error <= 1.5 u^N 10^x, plus N eta where limbs fall below the smallest subnormal eta. Exact
/// for whole x >= 0 whose power fits into N limbs. Overflow gives an infinity, underflow 0; as exp
/// for infinities and NaN.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> exp10(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return exp10(v); });
  } else {
    constexpr int W = N + 1;
    const T lead = x.limb[0];
    // 10^largest is within the range of every component
    constexpr int largest = FloatTraits<T>::emax == 1024 ? detail::most_tens<T> : 38;
    if (lead >= T(0) && lead <= T(largest) && trunc(x) == x)
      return detail::round_limbs<N>(detail::power_of_ten<T, W>(int(lead)));
    constexpr T steps = detail::constant_limb<tables::Ln10, T, 0, 0>;
    if (!(detail::magnitude(lead) < detail::exp_limit<T> / steps)) return detail::exp_special(lead);
    const auto exponent = detail::mul_widening<W>(detail::constant<tables::Ln10, T, W>(), x);
    return detail::unscaled<N>(detail::exp_wide<N>(exponent));
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
