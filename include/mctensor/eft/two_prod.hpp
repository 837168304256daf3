// Error-free multiplication: a * b = hi + lo exactly, with hi = RN(a * b).
//
// Source: each function names its own. two_square is two_prod(a, a).
#pragma once

#include <type_traits>

#include "mctensor/eft/split.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// Product without hardware fma: hi = RN(a b) and hi + lo = a b exactly, by splitting both factors.
/// Domain: hi finite, and a b = 0 or |a b| >= 2^(emin + 2p - 1) (double: 2^-969, float: 2^-102).
/// For smaller products |hi + lo - a b| <= 4 eta, where eta = 2^emin is the smallest subnormal.
/// Operands near the overflow threshold are scaled by a power of two, so nothing overflows unless
/// hi does. If hi overflows, lo is not finite. Do not use this function for half: its range is too
/// short for the scaling, and two_prod does not need splitting there. Source: Dekker 1971, Boldo
/// 2006 (3.5 eta when underflow occurs); Yu 2024, Alg. 13, 20.
template <class V>
MCT_HD constexpr HiLo<V> two_prod_dekker(const V& a, const V& b) {
  using S = scalar_t<V>;
  constexpr int k = detail::split_shift<V> + 3;
  constexpr S threshold = pow2<S>(FloatTraits<V>::emax - k);
  constexpr S down = pow2<S>(-k);
  constexpr S up = pow2<S>(k);
  const V product = a * b;
  // the product of the high halves may exceed a b, so for a large product a factor is scaled, too
  const auto scale_a =
      detail::magnitude(a) > V(threshold) || detail::magnitude(product) > V(threshold);
  const auto scale_b = detail::magnitude(b) > V(threshold);
  const auto [a_hi, a_lo] = detail::split_in_range<V>(detail::blend(scale_a, V(a * V(down)), a));
  const auto [b_hi, b_lo] = detail::split_in_range<V>(detail::blend(scale_b, V(b * V(down)), b));
  V p = detail::blend(scale_a, V(product * V(down)), product);
  p = detail::blend(scale_b, V(p * V(down)), p);
  V e = ((a_hi * b_hi - p) + a_lo * b_hi + a_hi * b_lo) + a_lo * b_lo;
  e = detail::blend(scale_a, V(e * V(up)), e);
  e = detail::blend(scale_b, V(e * V(up)), e);
  return {product, e};
}

/// Product of any two values: hi = RN(a b) and hi + lo = a b exactly. With hardware fma it takes
/// one multiplication and one fma, else two_prod_dekker. half and bfloat16 use a wider type.
/// Domain: hi finite, and a b = 0 or |a b| >= 2^(emin + 2p - 1) (double: 2^-969, float: 2^-102,
/// half: 2^-3, bfloat16: 2^-118). For smaller products |hi + lo - a b| <= eta / 2 (4 eta for double
/// and float without fma). If hi overflows, lo is not finite. Source: Yu 2024, Alg. 21, 25; Boldo,
/// Muller: Some functions computable with a fused-mac, 2005.
template <class V>
MCT_HD constexpr HiLo<V> two_prod(const V& a, const V& b) {
  if constexpr (ExactProduct<V>::available) {
    return ExactProduct<V>::apply(a, b);
  } else {
#if MCT_HAS_FMA
    if (!std::is_constant_evaluated()) {
      const V p = a * b;
      return {p, detail::fused_multiply_add<V>(a, b, V(-p))};
    }
#endif
    return two_prod_dekker(a, b);
  }
}

namespace detail {

/// two_prod for factors and products below 2^(emax - s - 3), s = ceil(p/2). Without hardware fma
/// this function leaves out the scaling. If several products have a factor in common, the compiler
/// can then split it once.
template <class V>
MCT_HD constexpr HiLo<V> two_prod_in_range(const V& a, const V& b) {
  if constexpr (ExactProduct<V>::available) {
    return ExactProduct<V>::apply(a, b);
  } else {
#if MCT_HAS_FMA
    if (!std::is_constant_evaluated()) return mct::two_prod(a, b);
#endif
    const V p = a * b;
    const auto [a_hi, a_lo] = split_in_range(a);
    const auto [b_hi, b_lo] = split_in_range(b);
    return {p, ((a_hi * b_hi - p) + a_lo * b_hi + a_hi * b_lo) + a_lo * b_lo};
  }
}

}  // namespace detail

/// Square: hi = RN(a a) and hi + lo = a a exactly. Domain and bound of two_prod.
template <class V>
MCT_HD constexpr HiLo<V> two_square(const V& a) {
  return two_prod(a, a);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
