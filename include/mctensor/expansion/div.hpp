// Division of expansions.
#pragma once

#include "mctensor/expansion/mul.hpp"
#include "mctensor/expansion/range.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

namespace detail {

/// DWDivDW3: the reciprocal of y by one Newton step, times x; error <= 9.8u^2 |x / y|. 1 - y0 t is
/// taken from two_prod, exactly, so it needs no fma; the bound stands with the product's 5u^2.
/// Source: Joldes, Muller, Popescu 2017, algorithm 18, theorem 6.4; Muller, Rideau 2022.
template <class T>
MCT_HD constexpr Expansion<T, 2> div_double_word(const Expansion<T, 2>& x,
                                                 const Expansion<T, 2>& y) {
  const T one(scalar_t<T>(1));
  const T t = one / y.limb[0];
  const auto [p, e] = two_prod(y.limb[0], t);
  const T r0 = (one - p) - e;
  const T r1 = -(y.limb[1] * t);
  const auto [e0, e1] = fast_two_sum(r0, r1);
  const Expansion<T, 2> correction =
      mul_double_word(e0, e1, t, Zero{});  // (1/y - t) to first order
  const Expansion<T, 2> reciprocal =
      add_double_word(correction.limb[0], correction.limb[1], t, Zero{});
  return mul_double_word(x.limb[0], x.limb[1], reciprocal.limb[0], reciprocal.limb[1]);
}

/// Quotient of operands for which nothing under- or overflows on the way.
///
/// N >= 3: a quotient q of M = ceil(N/2) limbs, then one correction c = (x - q y) / y of N - M
/// limbs. With q in error by 9.8u^2 relative, x - q y is computed with 8u^3 (16u^4) |x| and c with
/// 3u (12u^2) relative, so the whole error is at most (3 * 9.8 + 8 + 8) u^3 < 48u^3 for N = 3 and
/// (12 * 9.8 + 16 + 16) u^4 < 160u^4 for N = 4.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div_limbs(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return x.limb[0] / y.limb[0];
  } else if constexpr (N == 2) {
    return div_double_word(x, y);
  } else {
    constexpr int M = (N + 1) / 2;
    const Expansion<T, M> q = div_limbs(leading<M>(x), leading<M>(y));
    const Expansion<T, N> r = add_limbs(x, -mul_limbs(y, q));
    const Expansion<T, N - M> c = div_limbs(leading<N - M>(r), leading<N - M>(y));
    return add_leading<T, N>(q, c);
  }
}

/// The quotient of any operands: both are scaled to about 1, the quotient back.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div_any_range(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  const PowerOfTwoScale<T> sx = scale_to_unit(x.limb[0]);
  const PowerOfTwoScale<T> sy = scale_to_unit(y.limb[0]);
  // y in [1/2, 1), so that the quotient is at least 1 and overflows if its power of two does
  const T y_second = sy.second * T(scalar_t<T>(0.5));
  const Expansion<T, N> q = div_limbs(scale_limbs(scale_limbs(x, sx.first), sx.second),
                                      scale_limbs(scale_limbs(y, sy.first), y_second));
  // one power of two for both exponents: applied one after the other, the first could underflow
  const Expansion<T, N> r = scale_limbs(q, T(sx.inverse_second * y_second));
  return guard_specials<T, N>(scale_limbs(r, T(sx.inverse_first * sy.first)),
                              T(x.limb[0] / y.limb[0]));
}

/// True where dividing needs no scaling: every limb of quotient and remainder is then normal.
template <int N, class V>
MCT_HD constexpr auto in_division_window(const V& x) {
  using S = scalar_t<V>;
  constexpr int width = (-FloatTraits<V>::emin - N * FloatTraits<V>::p) / 2 - 4;
  return magnitude(x) > V(pow2<S>(-width)) && magnitude(x) < V(pow2<S>(width));
}

/// The quotient of halves, in double: their range is too short for a division in halves to keep its
/// error terms, and every sum of up to four is a double. Rounded once to double, once to N limbs.
template <int N>
MCT_HD constexpr Expansion<half, N> div_in_double(const Expansion<half, N>& x,
                                                  const Expansion<half, N>& y) {
  return double(x) / double(y);
}

}  // namespace detail

/// x / y. Error <= K u^N |x / y|, K = 1, 9.8, 48, 160 for N = 1..4, for every finite x and y != 0
/// whose quotient neither overflows nor has limbs below the smallest subnormal eta; then the error
/// is at most that plus N eta. For half: K = 1.001 plus eta / 2. x / 0 is an infinity, 0 / 0 NaN.
/// One branch: operands of ordinary size skip the scaling.
/// Source: see detail::div_double_word and detail::div_limbs.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return x.limb[0] / y.limb[0];
  } else if constexpr (std::is_same_v<T, half>) {
    return detail::div_in_double(x, y);
  } else {
    if (detail::all_lanes(detail::in_division_window<N>(x.limb[0]) &&
                          detail::in_division_window<N>(y.limb[0])))
      return detail::div_limbs(x, y);
    return detail::div_any_range(x, y);
  }
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div(const Expansion<T, N>& x, const T& y) {
  return div(x, Expansion<T, N>(y));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div(const T& x, const Expansion<T, N>& y) {
  return div(Expansion<T, N>(x), y);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
