// The digits of long division, one limb each. Quotients and roots are sums of such digits.
//
// Digit q_0 is x / y, rounded to one limb. It leaves the rest x - q_0 y. Digit q_1 is this rest
// divided by y, and leaves the next rest; and so on. Each digit is computed from the two leading
// limbs of the rest and of the divisor. A root is a quotient whose divisor grows: if x = s^2, then
// x - s_0^2 = s_1 (2 s_0 + s_1), ...
//
// Error. A digit differs from the exact one by half an ulp and 24u^2 of itself (48u^2 in a root):
// two limbs leave out 2u^2, the rest is rounded four times, and `inverse` has an error of u, or 3u.
// So each digit is below u (1 + 48u) times the digit before it. A term of size u^k |x| has order k.
// A rest of x keeps the orders up to N. The sums of an order below N are exact, because their
// errors belong to the next order. Only the sums of order N are rounded. Their terms are together
// below 8, 29 and 118 u^N |x| for N = 2, 3 and 4. So all rests together have errors of at most 16,
// 101 and 480 u^(N+1) |x|. The sum of N digits has two errors: half an ulp of the last digit, at
// most u^N |q|, and 64, 190 or 600 u^(N+1) |q|. Together they are less than 1.0001 u^N |q| with
// float and double. For bfloat16, where u is 1/256, a search for the largest error ended at 1.004
// u^N (N = 2) and 1 u^N (N = 3).
//
// Exact results. Let q = Q a and y = Y b with whole numbers Q, Y and powers of two a, b, where Q <
// 2^(N p) and Q Y < 2^(N (p + 1)). The second condition holds for every x without gaps between its
// limbs. Then q is found exactly. With g = a b, every term is a whole multiple of g, and u^N |x| <
// 2^N g. So the sums of order N are whole numbers below 29 x 2^3 < 2^8, or 118 x 2^4 < 2^24, times
// g: they are exact too, and so are all rests. The digits end, too: q - q_0 - ... - q_(k-1) is a
// multiple of a below 2^((N - k) p) a, so that the last digit has at most p bits, and rounding
// finds it because 48u^2 is less than the quarter of an ulp.
//
// Source: Hida, Li, Bailey 2001 (long division, N times by the leading limb); the correction of a
// digit by its rest is from Markstein 1990; error and exact results as above.
#pragma once

#include "mctensor/expansion/mul.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

// Products in which a factor may be known to be zero, as in zero_wire.hpp.
template <class V>
MCT_HD constexpr HiLo<Zero> two_prod_in_range(const V&, Zero) {
  return {};
}
template <class V>
MCT_HD constexpr const V& multiply_add(const V&, Zero, const V& c) {
  return c;
}
template <class V>
MCT_HD constexpr V multiply_add(const V& a, const V& b, Zero) {
  return a * b;
}
template <class V>
MCT_HD constexpr Zero multiply_add(const V&, Zero, Zero) {
  return {};
}

/// r + n y, rounded once. n must be -r / y with an error of a few ulps.
template <class T>
MCT_HD constexpr T digit_rest(const T& r, const T& n, const T& y) {
  if constexpr (ExactProduct<T>::available) {
    return fused_multiply_add(n, y, r);
  } else {
#if MCT_HAS_FMA
    if (!std::is_constant_evaluated()) return fused_multiply_add(n, y, r);
#endif
    // r + p is exact, because -p is near r. So there is only one rounding.
    const auto [p, e] = two_prod_in_range(n, y);
    return (r + p) + e;
  }
}

/// r / y, rounded to one limb. It is computed from the first two limbs of r and of y. `inverse` is
/// 1 / y0 with a relative error of up to 3u. Error: half an ulp and 48u^2 |r / y|.
template <class T, int K, int L>
MCT_HD constexpr T quotient_digit(const Expansion<T, K>& r, const Expansion<T, L>& y,
                                  const T& inverse) {
  const T q = r.limb[0] * inverse;
  const T n = negated(q);
  const T rest = plus(digit_rest(r.limb[0], n, y.limb[0]), multiply_add(n, wire<1>(y), wire<1>(r)));
  return multiply_add(rest, inverse, q);
}

/// The orders 1 and 2 of r + n y, as two limbs. n is a digit of -r / y.
template <class T, class R1, class R2, class Y1, class Y2>
MCT_HD constexpr Expansion<T, 2> rest_double_word(const T& n, const T& r0, const R1& r1,
                                                  const R2& r2, const T& y0, const Y1& y1,
                                                  const Y2& y2) {
  const auto [p0, e0] = two_prod_in_range(n, y0);
  const auto [p1, e1] = two_prod_in_range(n, y1);
  // order 1: r0 + p0 is exact, because -p0 is close to r0
  const auto [a1, a2] = fast_two_sum<T>(r0 + p0, e0);
  const auto [b1, b2] = two_sum(r1, p1);
  const auto [c1, c2] = two_sum(a1, b1);
  const T order2 = plus(plus(a2, c2), plus(plus(b2, e1), multiply_add(n, y2, r2)));
  const auto [z0, z1] = fast_two_sum(c1, order2);
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// The orders 1 to 3 of r + n y.
template <class T, class R1, class R2, class R3, class Y1, class Y2, class Y3>
MCT_HD constexpr Expansion<T, 3> rest_triple_word(const T& n, const T& r0, const R1& r1,
                                                  const R2& r2, const R3& r3, const T& y0,
                                                  const Y1& y1, const Y2& y2, const Y3& y3) {
  const auto [p0, e0] = two_prod_in_range(n, y0);
  const auto [p1, e1] = two_prod_in_range(n, y1);
  const auto [p2, e2] = two_prod_in_range(n, y2);
  // order 1
  const auto [a1, a2] = fast_two_sum<T>(r0 + p0, e0);
  const auto [b1, b2] = two_sum(r1, p1);
  const auto [c1, c2] = two_sum(a1, b1);
  // order 2
  const auto [d2, d3] = two_sum(r2, p2);
  const auto [f2, f3] = two_sum(b2, e1);
  const auto [g2, g3] = two_sum(a2, c2);
  const auto [h2, h3] = two_sum(f2, g2);
  const auto [k2, k3] = two_sum(h2, d2);
  const T order3 =
      plus(plus(plus(d3, f3), plus(g3, h3)), plus(plus(k3, e2), multiply_add(n, y3, r3)));
  // renormalize
  const auto [l2, l3] = two_sum(k2, order3);
  const auto [z0, m2] = two_sum(c1, l2);
  const auto [z1, z2] = fast_two_sum(m2, l3);
  return Expansion<T, 3>::from_limbs(z0, wire_value<T>(z1), wire_value<T>(z2));
}

/// The orders 1 to 4 of r + n y. r and y have at most four limbs.
template <class T, class R1, class R2, class R3, class Y1, class Y2, class Y3>
MCT_HD constexpr Expansion<T, 4> rest_quad_word(const T& n, const T& r0, const R1& r1, const R2& r2,
                                                const R3& r3, const T& y0, const Y1& y1,
                                                const Y2& y2, const Y3& y3) {
  const auto [p0, e0] = two_prod_in_range(n, y0);
  const auto [p1, e1] = two_prod_in_range(n, y1);
  const auto [p2, e2] = two_prod_in_range(n, y2);
  const auto [p3, e3] = two_prod_in_range(n, y3);
  // order 1
  const auto [a1, a2] = fast_two_sum<T>(r0 + p0, e0);
  const auto [b1, b2] = two_sum(r1, p1);
  const auto [c1, c2] = two_sum(a1, b1);
  // order 2
  const auto [d2, d3] = two_sum(r2, p2);
  const auto [f2, f3] = two_sum(b2, e1);
  const auto [g2, g3] = two_sum(a2, c2);
  const auto [h2, h3] = two_sum(f2, g2);
  const auto [k2, k3] = two_sum(h2, d2);
  // order 3
  const auto [s3, s4] = two_sum(r3, p3);
  const auto [t3, t4] = two_sum(d3, e2);
  const auto [u3, u4] = two_sum(f3, g3);
  const auto [v3, v4] = two_sum(h3, k3);
  const auto [w3, w4] = two_sum(u3, v3);
  const auto [x3, x4] = two_sum(t3, w3);
  const auto [o3, o4] = two_sum(x3, s3);
  const T order4 = plus(plus(plus(s4, t4), plus(u4, v4)), plus(plus(w4, x4), plus(o4, e3)));
  // renormalize
  const auto [i3, i4] = two_sum(o3, order4);
  const auto [j2, j3] = two_sum(k2, i3);
  const auto [z0, l1] = two_sum(c1, j2);
  const auto [m2, m3] = fast_two_sum(j3, i4);
  const auto [z1, n2] = two_sum(l1, m2);
  const auto [z2, z3] = fast_two_sum(n2, m3);
  return Expansion<T, 4>::from_limbs(z0, wire_value<T>(z1), wire_value<T>(z2), wire_value<T>(z3));
}

/// N limbs of r - q y, where q is a digit of r / y.
template <int N, class T, int K, int L>
MCT_HD constexpr Expansion<T, N> rest_after_digit(const Expansion<T, K>& r, const T& q,
                                                  const Expansion<T, L>& y) {
  const T n = negated(q);
  if constexpr (N == 2) {
    return rest_double_word(n, r.limb[0], wire<1>(r), wire<2>(r), y.limb[0], wire<1>(y),
                            wire<2>(y));
  } else if constexpr (N == 3) {
    return rest_triple_word(n, r.limb[0], wire<1>(r), wire<2>(r), wire<3>(r), y.limb[0], wire<1>(y),
                            wire<2>(y), wire<3>(y));
  } else {
    return rest_quad_word(n, r.limb[0], wire<1>(r), wire<2>(r), wire<3>(r), y.limb[0], wire<1>(y),
                          wire<2>(y), wire<3>(y));
  }
}

/// The sum of digits. Each digit is at most about half an ulp of the digit before it.
template <class T>
MCT_HD constexpr Expansion<T, 2> sum_of_digits(const T& q0, const T& q1) {
  const auto [z0, z1] = fast_two_sum(q0, q1);
  return Expansion<T, 2>::from_limbs(z0, z1);
}
template <class T>
MCT_HD constexpr Expansion<T, 3> sum_of_digits(const T& q0, const T& q1, const T& q2) {
  const auto [a1, a2] = fast_two_sum(q1, q2);
  const auto [z0, b1] = fast_two_sum(q0, a1);
  const auto [z1, z2] = fast_two_sum(b1, a2);
  return Expansion<T, 3>::from_limbs(z0, z1, z2);
}
template <class T>
MCT_HD constexpr Expansion<T, 4> sum_of_digits(const T& q0, const T& q1, const T& q2, const T& q3) {
  const auto [a2, a3] = fast_two_sum(q2, q3);
  const auto [b1, b2] = fast_two_sum(q1, a2);
  const auto [z0, c1] = fast_two_sum(q0, b1);
  const auto [z1, c2] = fast_two_sum(c1, b2);
  const auto [z2, z3] = fast_two_sum(c2, a3);
  return Expansion<T, 4>::from_limbs(z0, z1, z2, z3);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
