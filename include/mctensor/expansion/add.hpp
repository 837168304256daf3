// Addition and subtraction of expansions.
//
// Source: Joldes, Muller, Popescu 2017, algorithms 4 and 6 (N = 2); Zhang, Aiken 2025 (N = 3 and
// 4); each network names its theorem. The signs -x and +x are exact for every x.
#pragma once

#include "mctensor/expansion/five_limbs.hpp"
#include "mctensor/expansion/guard.hpp"
#include "mctensor/expansion/zero_wire.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// AccurateDWPlusDW: error <= 3u^2/(1-4u) |x + y|.
/// Source: Joldes, Muller, Popescu, ACM TOMS 44(2), 2017, algorithm 6, theorem 3.1; formal proof in
/// Muller, Rideau, ACM TOMS 48(1), 2022.
template <class T>
MCT_HD constexpr Expansion<T, 2> add_double_word(const T& x0, const T& x1, const T& y0,
                                                 const T& y1) {
  const auto [s0, s1] = two_sum(x0, y0);
  const auto [t0, t1] = two_sum(x1, y1);
  const auto [v0, v1] = fast_two_sum<T>(s0, s1 + t0);
  const auto [z0, z1] = fast_two_sum<T>(v0, t1 + v1);
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// DWPlusFP: error <= 2u^2 |x + y|.
/// Source: Joldes, Muller, Popescu 2017, algorithm 4, theorem 2.2.
template <class T>
MCT_HD constexpr Expansion<T, 2> add_double_word(const T& x0, const T& x1, const T& y0, Zero) {
  const auto [s0, s1] = two_sum(x0, y0);
  const auto [z0, z1] = fast_two_sum<T>(s0, x1 + s1);
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// Accumulation network for three limbs, without branches: error <= 3.1u^3 |x + y| (by ./run
/// prove). Source: Zhang, Aiken: High-performance branch-free algorithms for extended-precision
/// floating-point arithmetic, SC'25 (networks found by search, verified by an SMT solver).
template <class T, class X1, class X2, class Y1, class Y2>
MCT_HD constexpr Expansion<T, 3> add_triple_word(const T& x0, const X1& x1, const X2& x2,
                                                 const T& y0, const Y1& y1, const Y2& y2) {
  // limbs at equal positions first
  const auto [a1, b1] = two_sum(x0, y0);
  const auto [c1, d1] = two_sum(x1, y1);
  const auto [e1, f1] = two_sum(x2, y2);
  const auto [a2, c2] = fast_two_sum(a1, c1);
  const auto b2 = plus(b1, f1);
  const auto [d2, e2] = two_sum(d1, e1);
  // add the errors to the limbs of their magnitude
  const auto [a3, d3] = fast_two_sum(a2, d2);
  const auto [b3, c3] = two_sum(b2, c2);
  const auto c4 = plus(c3, e2);
  const auto [c5, d5] = two_sum(c4, d3);
  const auto [b5, c6] = two_sum(b3, c5);
  // renormalize
  const auto [a6, b6] = fast_two_sum(a3, b5);
  const auto c7 = plus(c6, d5);
  const auto [b7, c8] = fast_two_sum(b6, c7);
  const auto [a8, b8] = fast_two_sum(a6, b7);
  const auto [b9, c9] = fast_two_sum(b8, c8);
  return Expansion<T, 3>::from_limbs(a8, wire_value<T>(b9), wire_value<T>(c9));
}

/// Accumulation network for four limbs, without branches: error <= 10.1u^4 |x + y|, proven
/// likewise. Source as above.
template <class T, class X1, class X2, class X3, class Y1, class Y2, class Y3>
MCT_HD constexpr Expansion<T, 4> add_quad_word(const T& x0, const X1& x1, const X2& x2,
                                               const X3& x3, const T& y0, const Y1& y1,
                                               const Y2& y2, const Y3& y3) {
  const auto [a1, b1] = two_sum(x0, y0);
  const auto [c1, d1] = two_sum(x1, y1);
  const auto [e1, f1] = two_sum(x2, y2);
  const auto [g1, h1] = two_sum(x3, y3);
  const auto [a2, c2] = fast_two_sum(a1, c1);
  const auto b2 = plus(b1, h1);
  const auto [d2, e2] = two_sum(d1, e1);
  const auto [f2, g2] = two_sum(f1, g1);
  const auto [b3, g3] = two_sum(b2, g2);
  const auto [c3, d3] = fast_two_sum(c2, d2);
  const auto [e3, f3] = two_sum(e2, f2);
  const auto [a4, c4] = fast_two_sum(a2, c3);
  const auto [d4, e4] = fast_two_sum(d3, e3);
  const auto [b5, d5] = two_sum(b3, d4);
  const auto [c5, g5] = fast_two_sum(c4, g3);
  const auto e5 = plus(e4, f3);
  const auto [b6, c6] = two_sum(b5, c5);
  const auto [d6, e6] = two_sum(d5, e5);
  const auto [a7, b7] = fast_two_sum(a4, b6);
  const auto [c7, d7] = two_sum(c6, d6);
  const auto e7 = plus(e6, g5);
  const auto [b8, c8] = fast_two_sum(b7, c7);
  const auto [d8, e8] = two_sum(d7, e7);
  const auto [a9, b9] = fast_two_sum(a7, b8);
  const auto [c9, d9] = fast_two_sum(c8, d8);
  const auto [b10, c10] = fast_two_sum(b9, c9);
  const auto d10 = plus(d9, e8);
  const auto [a11, b11] = fast_two_sum(a9, b10);
  const auto [c11, d11] = fast_two_sum(c10, d10);
  const auto [b12, c12] = fast_two_sum(b11, c11);
  const auto [c13, d13] = fast_two_sum(c12, d11);
  return Expansion<T, 4>::from_limbs(a11, wire_value<T>(b12), wire_value<T>(c13),
                                     wire_value<T>(d13));
}

/// q + c with N limbs, for an approximation q and its correction c of at most N limbs each.
template <class T, int N, int M, int K>
MCT_HD constexpr Expansion<T, N> add_leading(const Expansion<T, M>& q, const Expansion<T, K>& c) {
  if constexpr (N == 3) {
    return add_triple_word(q.limb[0], wire<1>(q), wire<2>(q), c.limb[0], wire<1>(c), wire<2>(c));
  } else if constexpr (N == 4) {
    return add_quad_word(q.limb[0], wire<1>(q), wire<2>(q), wire<3>(q), c.limb[0], wire<1>(c),
                         wire<2>(c), wire<3>(c));
  } else {
    return add_five(q, c);
  }
}

/// x + y without the last step (guard_specials), which treats special values. Operands and result
/// must be finite, and a negative zero may become positive. M <= N: absent limbs of y cost nothing.
template <class T, int N, int M>
MCT_HD constexpr Expansion<T, N> add_limbs(const Expansion<T, N>& x, const Expansion<T, M>& y) {
  static_assert(M <= N);
  if constexpr (N == 1) {
    return x.limb[0] + y.limb[0];
  } else if constexpr (N == 2) {
    return add_double_word(x.limb[0], x.limb[1], y.limb[0], wire<1>(y));
  } else {
    return add_leading<T, N>(x, y);
  }
}

}  // namespace detail

/// -x, exactly.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> operator-(const Expansion<T, N>& x) {
  Expansion<T, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = detail::negated(x.limb[i]);
  return r;
}

/// +x.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> operator+(const Expansion<T, N>& x) {
  return x;
}

/// x + y. Error <= K u^N |x + y|, K = 1, 3, 8, 16 for N = 1..4 (K = 2 for N = 2 and a y of one
/// component). The bound holds for every cancellation; a sum of zero is exact. Domain: every finite
/// x and y whose sum does not overflow, subnormal limbs included; overflow gives an infinity. If
/// the leading limb of an operand is the largest float itself, two_sum may overflow internally.
/// Then the error may be 9u |x + y|, and a sum within 8 ulps of the largest float may be an
/// infinity. add(x, y) and add(y, x) have the same bits, except in this case; then they agree
/// within the bound.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> add(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::guard_specials<T, N>(detail::add_limbs(x, y), T(x.limb[0] + y.limb[0]));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> add(const Expansion<T, N>& x, const T& y) {
  return detail::guard_specials<T, N>(detail::add_limbs(x, Expansion<T, 1>(y)), T(x.limb[0] + y));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> add(const T& x, const Expansion<T, N>& y) {
  return add(y, x);
}

/// x - y, as add(x, -y).
template <class T, int N>
MCT_HD constexpr Expansion<T, N> sub(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return add(x, -y);
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> sub(const Expansion<T, N>& x, const T& y) {
  return add(x, detail::negated(y));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> sub(const T& x, const Expansion<T, N>& y) {
  return add(-y, x);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
