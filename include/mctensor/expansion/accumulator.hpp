// Long sums and dot products: an accumulator of N components that is normalized only now and then.
#pragma once

#include "mctensor/expansion/add.hpp"
#include "mctensor/expansion/mul.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// a * b + c. Operands of the type Zero cost nothing.
template <class A, class B, class C>
MCT_HD constexpr auto multiply_add_wire(const A& a, const B& b, const C& c) {
  if constexpr (std::is_same_v<A, Zero> || std::is_same_v<B, Zero>) {
    return c;
  } else if constexpr (std::is_same_v<C, Zero>) {
    return times(a, b);
  } else {
    return multiply_add<C>(a, b, c);
  }
}

/// level += term, and returns the rounding error, which the caller adds to the next level.
template <class V, class X>
MCT_HD MCT_ALWAYS_INLINE constexpr auto absorb(V& level, const X& term) {
  if constexpr (std::is_same_v<X, Zero>) {
    return Zero{};
  } else {
    const auto [s, e] = two_sum(level, term);
    level = s;
    return e;
  }
}

}  // namespace detail

/// A running sum of expansions and of products of expansions, in N limbs of a value type V (a
/// scalar, a SIMD batch, a CUDA thread's register) without overlap checks in the loop.
///
/// level[k] gathers terms of order u^k; every addition above the last level is error-free, and its
/// error goes one level down. This costs a fraction of normalized additions (N = 2: 12 operations
/// instead of 29 for a product and its sum). The lower levels grow; call carry() after every
/// `period` terms to limit this.
///
/// Error of n terms without overflow: at most accumulate_bound<N>(n) u^N M, where M is the sum of
/// the terms' magnitudes (of |x_i| |y_i| for products). For products add n 2^N eta (without fma n 4
/// 2^N eta). The result depends on the order of the terms alone. Special values: level[0] may be
/// NaN where IEEE arithmetic would give an infinity. To tell NaN and infinity apart, repeat such a
/// sum with guarded operations.
///
/// Source: the compensated dot product of Ogita, Rump, Oishi (SIAM J. Sci. Comput. 26(6), 2005,
/// algorithm 5.3), with the errors of each order summed as they arise; the bound is proven by ./run
/// prove (docs/proofs.md).
template <class V, int N>
struct Accumulator {
  /// Terms between two calls of carry().
  static constexpr int period = N == 1 ? 1 << 20 : N == 2 ? 4 : 2;

  V level[N];

  MCT_HD MCT_ALWAYS_INLINE constexpr Accumulator() {
    for (int i = 0; i < N; ++i) level[i] = V(scalar_t<V>(0));
  }

  /// += x y, without limbs beyond the N-th order.
  template <int A, int B>
  MCT_HD MCT_ALWAYS_INLINE constexpr void add_product(const Expansion<V, A>& x,
                                                      const Expansion<V, B>& y) {
    using detail::absorb;
    using detail::plus;
    using detail::two_prod;
    using detail::wire;
    if constexpr (N == 1) {
      level[0] = detail::multiply_add<V>(x.limb[0], y.limb[0], level[0]);
    } else if constexpr (N == 2) {
      const auto [p, e] = two_prod(x.limb[0], y.limb[0]);
      const auto rest = product_of_order<1>(x, y, e);
      level[1] = level[1] + (absorb(level[0], p) + rest);
    } else if constexpr (N == 3) {
      const auto [p00, e00] = two_prod(x.limb[0], y.limb[0]);
      const auto [p01, e01] = two_prod(x.limb[0], wire<1>(y));
      const auto [p10, e10] = two_prod(wire<1>(x), y.limb[0]);
      const auto rest = product_of_order<2>(x, y, plus(e01, e10));
      const auto t = absorb(level[0], p00);
      const auto t0 = absorb(level[1], t);
      const auto t1 = absorb(level[1], e00);
      const auto t2 = absorb(level[1], p01);
      const auto t3 = absorb(level[1], p10);
      level[2] = level[2] + plus(plus(plus(t0, t1), plus(t2, t3)), rest);
    } else {
      const auto [p00, e00] = two_prod(x.limb[0], y.limb[0]);
      const auto [p01, e01] = two_prod(x.limb[0], wire<1>(y));
      const auto [p10, e10] = two_prod(wire<1>(x), y.limb[0]);
      const auto [p02, e02] = two_prod(x.limb[0], wire<2>(y));
      const auto [p11, e11] = two_prod(wire<1>(x), wire<1>(y));
      const auto [p20, e20] = two_prod(wire<2>(x), y.limb[0]);
      const auto rest = product_of_order<3>(x, y, plus(plus(e02, e20), e11));
      const auto t = absorb(level[0], p00);
      const auto t0 = absorb(level[1], t);
      const auto t1 = absorb(level[1], e00);
      const auto t2 = absorb(level[1], p01);
      const auto t3 = absorb(level[1], p10);
      const auto w0 = absorb(level[2], t0);
      const auto w1 = absorb(level[2], t1);
      const auto w2 = absorb(level[2], t2);
      const auto w3 = absorb(level[2], t3);
      const auto w4 = absorb(level[2], e01);
      const auto w5 = absorb(level[2], e10);
      const auto w6 = absorb(level[2], p02);
      const auto w7 = absorb(level[2], p11);
      const auto w8 = absorb(level[2], p20);
      const auto left = plus(plus(w0, w1), plus(w2, w3));
      const auto right = plus(plus(w4, w5), plus(plus(w6, w7), w8));
      level[3] = level[3] + plus(plus(left, right), rest);
    }
  }

  /// += x.
  template <int A>
  MCT_HD MCT_ALWAYS_INLINE constexpr void add(const Expansion<V, A>& x) {
    using detail::absorb;
    using detail::plus;
    using detail::wire;
    if constexpr (N == 1) {
      level[0] = level[0] + x.limb[0];
    } else if constexpr (N == 2) {
      level[1] = level[1] + plus(absorb(level[0], x.limb[0]), wire<1>(x));
    } else if constexpr (N == 3) {
      const auto t0 = absorb(level[1], absorb(level[0], x.limb[0]));
      const auto t1 = absorb(level[1], wire<1>(x));
      level[2] = level[2] + plus(plus(t0, t1), wire<2>(x));
    } else {
      const auto t0 = absorb(level[1], absorb(level[0], x.limb[0]));
      const auto t1 = absorb(level[1], wire<1>(x));
      const auto w0 = absorb(level[2], t0);
      const auto w1 = absorb(level[2], t1);
      const auto w2 = absorb(level[2], wire<2>(x));
      level[3] = level[3] + plus(plus(plus(w0, w1), w2), wire<3>(x));
    }
  }

  /// Brings every level back to the size of a rounding error of the level above. This is exact.
  MCT_HD MCT_ALWAYS_INLINE constexpr void carry() {
    for (int i = N - 2; i >= 0; --i) {
      const auto [s, e] = two_sum(level[i], level[i + 1]);
      level[i] = s;
      level[i + 1] = e;
    }
  }

  /// The sum as a normalized expansion. If nearly all terms cancel, the first passes move the rest
  /// into the first limbs.
  MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> result() const {
    Accumulator r = *this;
    for (int pass = 1; pass < N; ++pass) r.carry();
    // limbs decrease now; passes from the front make each limb the rounded sum of the limbs after
    // it
    for (int pass = 1; pass < N; ++pass) {
      for (int i = pass - 1; i + 1 < N; ++i) {
        const auto [s, e] = two_sum(r.level[i], r.level[i + 1]);
        r.level[i] = s;
        r.level[i + 1] = e;
      }
    }
    return Expansion<V, N>::from_limbs(r.level);
  }

 private:
  /// rest + the products x_i y_j with i + j = Order, rounded.
  template <int Order, int I = 0, int A, int B, class Rest>
  MCT_HD MCT_ALWAYS_INLINE static constexpr auto product_of_order(const Expansion<V, A>& x,
                                                                  const Expansion<V, B>& y,
                                                                  const Rest& rest) {
    if constexpr (I > Order) {
      return rest;
    } else {
      return product_of_order<Order, I + 1>(
          x, y, detail::multiply_add_wire(detail::wire<I>(x), detail::wire<Order - I>(y), rest));
    }
  }
};

/// The factor of u^N M in the error bound of n accumulated terms (see Accumulator). Domain: 0 <= n
/// <= 1 / u, and p >= 24. Source: ./run prove proves it for one accumulator of N >= 2;
/// docs/decisions.md derives it for sums of several accumulators. N = 1: n u, the classical bound.
template <int N>
constexpr double accumulate_bound(double n) {
  constexpr double per_term[5] = {0, 1, 4.6, 48, 792};
  constexpr double constant[5] = {0, 1, 24, 121, 1869};
  return per_term[N] * n + constant[N];
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
