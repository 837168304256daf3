// Multiplication of expansions.
//
// Source: Joldes, Muller, Popescu 2017, algorithms 8, 9, 10 and 12, with the bounds of Muller,
// Rideau 2022 (N = 2); Zhang, Aiken 2025 (N = 3 and 4). For N = 2 each network names its theorem.
// square, mul_add and fma have the bounds and domains of the operations in them.
#pragma once

#include "mctensor/eft/constant_fma.hpp"
#include "mctensor/expansion/add.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// a * b + c. If the hardware has fma, it is rounded once, in constant expressions too. Else it is
/// rounded twice.
template <class V>
MCT_HD constexpr V multiply_add(const V& a, const V& b, const V& c) {
#if MCT_HAS_FMA
  if (std::is_constant_evaluated()) return constant_fma(a, b, c);
  return fused_multiply_add(a, b, c);
#else
  return a * b + c;
#endif
}

/// DWTimesDW3 with fma: error <= 4u^2 |x y|; DWTimesDW1 without: error <= 5u^2 |x y|.
/// Source: Joldes, Muller, Popescu 2017, algorithms 12 and 10, bounds as improved by Muller,
/// Rideau 2022, theorems 3.2 and 3.1.
template <class T>
MCT_HD constexpr Expansion<T, 2> mul_double_word(const T& x0, const T& x1, const T& y0,
                                                 const T& y1) {
  const auto [p, e] = two_prod(x0, y0);
#if MCT_HAS_FMA
  const T cross = multiply_add<T>(x1, y0, multiply_add<T>(x0, y1, x1 * y1));
#else
  const T cross = x0 * y1 + x1 * y0;
#endif
  const auto [z0, z1] = fast_two_sum<T>(p, e + cross);
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// DWTimesFP3 with fma: error <= 2u^2 |x y|; DWTimesFP2 without: error <= 3u^2 |x y|.
/// Source: Joldes, Muller, Popescu 2017, algorithms 9 and 8, theorems 4.3 and 4.2.
template <class T>
MCT_HD constexpr Expansion<T, 2> mul_double_word(const T& x0, const T& x1, const T& y0, Zero) {
  const auto [p, e] = two_prod(x0, y0);
  const auto [z0, z1] = fast_two_sum<T>(p, multiply_add<T>(x1, y0, e));
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// Three limbs. Six products of limbs matter; a network of sums adds them. Error <= 8u^3 |x y|,
/// branch-free, commutative. Source: Zhang, Aiken, SC'25.
template <class T, class X1, class X2, class Y1, class Y2>
MCT_HD constexpr Expansion<T, 3> mul_triple_word(const T& x0, const X1& x1, const X2& x2,
                                                 const T& y0, const Y1& y1, const Y2& y2) {
  // p_ij, e_ij: product of limbs i and j and its rounding error, of order u^(i+j), u^(i+j+1)
  const auto [p00, e00] = two_prod(x0, y0);
  const auto [p01, e01] = two_prod(x0, y1);
  const auto [p10, e10] = two_prod(x1, y0);
  const auto order2 = plus(plus(times(x0, y2), times(x2, y0)), times(x1, y1));
  const auto [b1, c1] = two_sum(p01, p10);
  const auto [b2, c2] = two_sum(e00, b1);
  const auto [a3, b3] = fast_two_sum(p00, b2);
  const auto c3 = plus(plus(c2, c1), plus(plus(e01, e10), order2));
  const auto [b4, c4] = two_sum(b3, c3);
  // renormalize
  const auto [a5, b5] = fast_two_sum(a3, b4);
  const auto [b6, c6] = fast_two_sum(b5, c4);
  const auto [a7, b7] = fast_two_sum(a5, b6);
  return Expansion<T, 3>::from_limbs(a7, wire_value<T>(b7), wire_value<T>(c6));
}

/// Four limbs: ten products. Error <= 16u^4 |x y|, branch-free, commutative. Source as above.
template <class T, class X1, class X2, class X3, class Y1, class Y2, class Y3>
MCT_HD constexpr Expansion<T, 4> mul_quad_word(const T& x0, const X1& x1, const X2& x2,
                                               const X3& x3, const T& y0, const Y1& y1,
                                               const Y2& y2, const Y3& y3) {
  const auto [p00, e00] = two_prod(x0, y0);
  const auto [p01, e01] = two_prod(x0, y1);
  const auto [p10, e10] = two_prod(x1, y0);
  const auto [p02, e02] = two_prod(x0, y2);
  const auto [p11, e11] = two_prod(x1, y1);
  const auto [p20, e20] = two_prod(x2, y0);
  const auto order3 = plus(plus(times(x0, y3), times(x3, y0)), plus(times(x1, y2), times(x2, y1)));
  // pairs of equal order
  const auto [b1, c1] = two_sum(p01, p10);
  const auto [s1, t1] = two_sum(e01, e10);
  const auto [m1, n1] = two_sum(p02, p20);
  const auto error3 = plus(e02, e20);
  // a: order 0, b: order 1, c: order 2, d: order 3
  const auto [b2, c2] = two_sum(e00, b1);
  const auto [s2, q2] = two_sum(s1, p11);
  const auto d2 = plus(plus(t1, error3), order3);
  const auto n2 = plus(n1, e11);
  const auto [a3, b3] = fast_two_sum(p00, b2);
  const auto [c3, d3] = fast_two_sum(c2, c1);
  const auto [s3, m3] = two_sum(s2, m1);
  const auto [c4, s4] = two_sum(c3, s3);
  const auto d4 = plus(plus(d3, plus(q2, n2)), s4);
  const auto d5 = plus(d2, m3);
  const auto [c6, d6] = two_sum(c4, d4);
  const auto [b6, c7] = two_sum(b3, c6);
  const auto d7 = plus(d6, d5);
  // renormalize
  const auto [a8, b8] = fast_two_sum(a3, b6);
  const auto [c8, d8] = two_sum(c7, d7);
  const auto [b9, c9] = two_sum(b8, c8);
  const auto [a10, b10] = fast_two_sum(a8, b9);
  const auto [c10, d10] = fast_two_sum(c9, d8);
  const auto [b11, c11] = fast_two_sum(b10, c10);
  const auto [a12, b12] = fast_two_sum(a10, b11);
  const auto [c12, d12] = fast_two_sum(c11, d10);
  const auto [b13, c13] = fast_two_sum(b12, c12);
  const auto [c14, d14] = fast_two_sum(c13, d12);
  return Expansion<T, 4>::from_limbs(a12, wire_value<T>(b13), wire_value<T>(c14),
                                     wire_value<T>(d14));
}

/// The product, in N = 3, 4 or 5 limbs, of factors that have at most N limbs each.
template <int N, class T, int K, int M>
MCT_HD constexpr Expansion<T, N> mul_widening(const Expansion<T, K>& x, const Expansion<T, M>& y) {
  if constexpr (N == 3) {
    return mul_triple_word(x.limb[0], wire<1>(x), wire<2>(x), y.limb[0], wire<1>(y), wire<2>(y));
  } else if constexpr (N == 4) {
    return mul_quad_word(x.limb[0], wire<1>(x), wire<2>(x), wire<3>(x), y.limb[0], wire<1>(y),
                         wire<2>(y), wire<3>(y));
  } else {
    return mul_five(x, y);
  }
}

/// x * y without the final select for special values; see add_limbs.
template <class T, int N, int M>
MCT_HD constexpr Expansion<T, N> mul_limbs(const Expansion<T, N>& x, const Expansion<T, M>& y) {
  static_assert(M <= N);
  if constexpr (N == 1) {
    return x.limb[0] * y.limb[0];
  } else if constexpr (N == 2) {
    return mul_double_word(x.limb[0], x.limb[1], y.limb[0], wire<1>(y));
  } else {
    return mul_widening<N>(x, y);
  }
}

}  // namespace detail

/// x * y. Error <= K u^N |x y|, with K = 1, 4, 8, 16 for N = 1..4. Without hardware fma, K is 5 for
/// N = 2. If y is one component, K is 2 for N = 2, and 3 without fma. Domain: x y does not
/// overflow. For |x y| below 2^(emin + (N+1) p), some error terms of products are not exact; then
/// 2^N eta (4 2^N eta without fma) is added to the bound. Commutative bit for bit for N != 2; for N
/// = 2 with fma, x y and y x may differ within the bound.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> mul(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::guard_specials<T, N>(detail::mul_limbs(x, y), T(x.limb[0] * y.limb[0]));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> mul(const Expansion<T, N>& x, const T& y) {
  return detail::guard_specials<T, N>(detail::mul_limbs(x, Expansion<T, 1>(y)), T(x.limb[0] * y));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> mul(const T& x, const Expansion<T, N>& y) {
  return mul(y, x);
}

/// x^2: mul(x, x).
template <class T, int N>
MCT_HD constexpr Expansion<T, N> square(const Expansion<T, N>& x) {
  return mul(x, x);
}

/// x * y + z. Error <= K* u^N |x y| + K+ u^N |x y + z|, where K* and K+ are the constants of mul
/// and add. Unlike a scalar fma, the product is rounded to N limbs first. Special values are set
/// once, at the end (guard.hpp). Domain: the leading limb of x y is below the largest float. (If it
/// is the largest float, two_sum may overflow internally, as in add.) The leading limb of z may be
/// the largest float: z is the first operand of the sum, and two_sum is exact for every finite
/// first operand.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> mul_add(const Expansion<T, N>& x, const Expansion<T, N>& y,
                                         const Expansion<T, N>& z) {
  return detail::guard_specials<T, N>(detail::add_limbs(z, detail::mul_limbs(x, y)),
                                      T(x.limb[0] * y.limb[0] + z.limb[0]));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> mul_add(const Expansion<T, N>& x, const T& y,
                                         const Expansion<T, N>& z) {
  return detail::guard_specials<T, N>(
      detail::add_limbs(z, detail::mul_limbs(x, Expansion<T, 1>(y))), T(x.limb[0] * y + z.limb[0]));
}

/// mul_add(x, y, z), with its bound: the name that generic code calls.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> fma(const Expansion<T, N>& x, const Expansion<T, N>& y,
                                     const Expansion<T, N>& z) {
  return mul_add(x, y, z);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
