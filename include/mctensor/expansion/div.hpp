// Division of expansions.
#pragma once

#include "mctensor/expansion/digits.hpp"
#include "mctensor/expansion/range.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// The quotient of operands for which no step underflows or overflows, in N digits (limbs). An
/// operand has at most N components. Error and exact results: digits.hpp. For N = 5, three digits
/// come from the first three limbs of the operands, and a correction has two digits; the error is
/// about 8u^5.
template <int N, class T, int K, int L>
MCT_HD constexpr Expansion<T, N> quotient_limbs(const Expansion<T, K>& x,
                                                const Expansion<T, L>& y) {
  if constexpr (N == 1) {
    return x.limb[0] / y.limb[0];
  } else if constexpr (N <= 4) {
    const T inverse = T(scalar_t<T>(1)) / y.limb[0];
    const T q0 = quotient_digit(x, y, inverse);
    const auto r1 = rest_after_digit<N>(x, q0, y);
    const T q1 = quotient_digit(r1, y, inverse);
    if constexpr (N == 2) {
      return sum_of_digits(q0, q1);
    } else {
      const auto r2 = rest_after_digit<N - 1>(r1, q1, y);
      const T q2 = quotient_digit(r2, y, inverse);
      if constexpr (N == 3) {
        return sum_of_digits(q0, q1, q2);
      } else {
        const auto r3 = rest_after_digit<2>(r2, q2, y);
        return sum_of_digits(q0, q1, q2, quotient_digit(r3, y, inverse));
      }
    }
  } else {
    const Expansion<T, 3> q = quotient_limbs<3>(leading<3>(x), leading<3>(y));
    const Expansion<T, 5> r = add_limbs(x, -mul_limbs(y, q));
    return add_leading<T, 5>(q, quotient_limbs<2>(leading<2>(r), leading<2>(y)));
  }
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div_limbs(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return quotient_limbs<N>(x, y);
}

/// The quotient of any operands. Both operands are scaled to about 1, and the quotient is scaled
/// back.
template <int N, class T, int K, int L>
MCT_HD constexpr Expansion<T, N> quotient_any_range(const Expansion<T, K>& x,
                                                    const Expansion<T, L>& y) {
  const PowerOfTwoScale<T> sx = scale_to_unit(x.limb[0]);
  const PowerOfTwoScale<T> sy = scale_to_unit(y.limb[0]);
  const Expansion<T, N> unit = quotient_limbs<N>(scale_limbs(scale_limbs(x, sx.first), sx.second),
                                                 scale_limbs(scale_limbs(y, sy.first), sy.second));
  // For a large quotient, the power of two that scales back may overflow although the quotient does
  // not. So half the power multiplies twice the scaled quotient, which is at least 1: half the
  // power overflows only if the quotient does. For a small quotient, half the power may be below
  // the smallest subnormal, so the whole power is used. The exponents of x and y are in one power,
  // because the first of two powers could underflow.
  const T one(scalar_t<T>(1));
  const auto large = sx.inverse_second * sy.second > one;
  const T twice = blend(large, T(scalar_t<T>(2)), one);
  const T half = blend(large, T(scalar_t<T>(0.5)), one);
  const Expansion<T, N> r =
      scale_limbs(scale_limbs(unit, twice), T(sx.inverse_second * (sy.second * half)));
  return guard_specials<T, N>(scale_limbs(r, T(sx.inverse_first * sy.first)),
                              T(x.limb[0] / y.limb[0]));
}

/// True where a division needs no scaling, because every limb of quotient and remainder is normal.
template <int N, class V>
MCT_HD constexpr auto in_division_window(const V& x) {
  using S = scalar_t<V>;
  constexpr int width = (-FloatTraits<V>::emin - N * FloatTraits<V>::p) / 2 - 4;
  return magnitude(x) > V(pow2<S>(-width)) && magnitude(x) < V(pow2<S>(width));
}

/// The quotient of any operands of K and L components.
template <int N, class T, int K, int L>
MCT_HD constexpr Expansion<T, N> quotient(const Expansion<T, K>& x, const Expansion<T, L>& y) {
  if constexpr (N == 1) {
    return x.limb[0] / y.limb[0];
  } else if constexpr (std::is_same_v<T, half>) {
    // The range of half is too short for the error terms of a division. A double holds every sum of
    // up to four halves. So the quotient is rounded twice only: to double, and then to N limbs.
    return double(x) / double(y);
  } else {
    if (all_lanes(in_division_window<N>(x.limb[0]) && in_division_window<N>(y.limb[0])))
      return quotient_limbs<N>(x, y);
    return quotient_any_range<N>(x, y);
  }
}

}  // namespace detail

/// x / y. Domain: finite x and y != 0 whose quotient does not overflow; x / 0 is an infinity, 0 / 0
/// NaN. Error <= K u^N |x / y|, with K = 1 for N = 1 and K = 1.1 for N = 2..4. If limbs of the
/// quotient lie below the smallest subnormal eta, N eta is added to the bound. For half, K = 1.001,
/// and eta / 2 is added. The result is exact if the quotient and x have at most N p bits each, from
/// the highest to the lowest bit. Examples: 105 / 35, 1.5 / 0.375, and (a b) / b where the product
/// is exact. x / x is 1 for every finite x but 0. There is one branch: operands of ordinary size
/// skip the scaling. The bound is proven by ./run prove for N = 2 and 3 of float and double.
/// Source: see digits.hpp.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::quotient<N>(x, y);
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div(const Expansion<T, N>& x, const T& y) {
  return detail::quotient<N>(x, Expansion<T, 1>(y));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> div(const T& x, const Expansion<T, N>& y) {
  return detail::quotient<N>(Expansion<T, 1>(x), y);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
