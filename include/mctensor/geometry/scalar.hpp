// Functions of one number in its work type. The formulas of the manifolds consist of them.
#pragma once

#include <cmath>

#include "mctensor/geometry/work.hpp"
#include "mctensor/math/exp.hpp"
#include "mctensor/math/inverse_hyperbolic.hpp"
#include "mctensor/math/log.hpp"
#include "mctensor/math/plain.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// True if the mask is set in any lane. Formulas use it to skip rare cases.
template <class M>
MCT_HD MCT_ALWAYS_INLINE inline bool somewhere(const M& mask) {
  if constexpr (std::is_same_v<M, bool>) {
    return mask;
  } else {
    return any(mask);
  }
}

/// The same for cases that are not rare. Programs (src/geometry/programs) always compute them.
template <class M>
MCT_HD MCT_ALWAYS_INLINE inline bool often(const M& mask) {
  return somewhere(mask);
}

template <class W>
MCT_HD inline W root(const W& x) {
  using std::sqrt;
  return sqrt(x);
}

// Plain doubles use the functions of math/plain.hpp, so that a single point, a SIMD lane and a CUDA
// thread give the same bits with any C library.

template <class W>
MCT_HD inline W expm1_of(const W& x) {
  using std::expm1;
  if constexpr (is_plain<W>) {
    return ::mct::detail::plain_expm1(x);
  } else {
    return W(expm1(x));
  }
}

template <class W>
MCT_HD inline W log1p_of(const W& x) {
  using std::log1p;
  if constexpr (is_plain<W>) {
    return ::mct::detail::plain_log1p(x);
  } else {
    return W(log1p(x));
  }
}

template <class W>
MCT_HD inline W log_of(const W& x) {
  using std::log;
  return W(log(x));
}

/// log(2 pi) / 2
template <class W>
MCT_HD inline W half_log_two_pi() {
  if constexpr (is_traced_v<W>) {
    return W::constant(half_log_two_pi<decltype(W::value)>());
  } else if constexpr (is_expansion_v<W>) {
    const W pi(::mct::detail::constant<tables::Pi, limb_t<W>, limbs_of<W>>());
    return halved(log(doubled(pi)));
  } else {
    return number<W>(0.91893853320467274178);
  }
}

/// asinh(s) for every finite s >= 0, with a small relative error. It is computed as log1p(s + s^2 /
/// (1 + sqrt(1 + s^2))), or as log1p(2 s) if 1 is negligible.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V asinh_by_log1p(const V& s) {
  using S = base_scalar_t<V>;
  // the square of a larger number could overflow; 1 is then far below an ulp
  constexpr S limit = pow2<S>(FloatTraits<S>::emax / 2 - 2);
  const auto large = s > V(limit);
  const V safe = blend(large, number<V>(1), s);
  const V t = safe + safe * (safe / (number<V>(1) + root(V(number<V>(1) + safe * safe))));
  return log1p_of(blend(large, V(s + s), t));
}

/// asinh(a) for a >= 0. SIMD lanes of expansions compute it without a branch: as log1p(a + a^2 / (1
/// + sqrt(1 + a^2))), and as log a + log 2 beyond 2^(2 emax / 5), where a^2 might overflow.
template <class W>
MCT_HD inline W asinh_of(const W& a) {
  using L = limb_t<W>;
  if constexpr (is_plain<W>) {
    return asinh_by_log1p(a);
  } else if constexpr (is_component_v<L>) {
    using std::asinh;
    return W(asinh(a));
  } else {
    using S = scalar_t<L>;
    const auto large = lead(a) > L(pow2<S>(FloatTraits<S>::emax * 2 / 5));
    const W b = blend(large, number<W>(1), a);
    const W square = b * b;
    const W near = log1p(b + square / (root(square + number<W>(1)) + number<W>(1)));
    const W far = log(blend(large, a, number<W>(1))) +
                  Expansion<L, limbs_of<W>>(::mct::detail::constant<tables::Ln2, L, limbs_of<W>>());
    return blend(large, far, near);
  }
}

/// The length s of a geodesic over K, and half of sinh s.
template <class W>
struct Arc {
  W length, half_sinh;
};
/// The arc of q = sinh^2(s / 2): s = arcosh(1 + 2 q), without cancellation. Domain: q > 0 whose
/// square does not overflow or underflow. Error: half the relative error of q, and a few u^N.
template <class W>
MCT_HD inline Arc<W> arc_of_square(const W& q) {
  const W r = root(W(q + q * q));
  const W t = doubled(W(q + r));
  if constexpr (is_plain<W>) {
    return {::mct::detail::plain_log1p_within(t), r};
  } else {
    return {log1p_of(t), r};
  }
}

/// Hyperbolic functions of the length of a geodesic over K. expmap computes them from the
/// exponential function, retr from a square root.
template <class W>
struct Reach {
  W sinh, cosh, exp_minus;  ///< of s
  W tanh_half, sech2_half;  ///< of s / 2; sech2 is 1 / cosh^2
};

/// The factor x of a gap, but at least a tiny number. Then the denominator, a gap plus a square, is
/// not 0 if the square is 0.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline W at_least_tiny(const W& x) {
  using L = limb_t<W>;
  constexpr auto tiny = pow2<scalar_t<L>>(FloatTraits<L>::emin / 4);
  return blend(lead(x) < L(tiny), number<W>(tiny), x);
}

/// The functions of s for s >= 0. All follow from m = e^s - 1 and q = e^-s as sums of positive
/// terms. Relative error: a few u^N (1 + s).
template <class W>
MCT_HD inline Reach<W> reach_of(const W& s) {
  using L = limb_t<W>;
  const W one = number<W>(1);
  const W two = number<W>(2);
  const W m = expm1_of(s);
  // for large m, quotients by m may have subnormal limbs, which are negligible beside 1
  const auto large = lead(m) > L(scalar_t<L>(2));
  const W near = blend(large, one, m);
  const W q = one / (m + one);
  const W inner = blend(large, W(one - q), W(near * q));  // 1 - e^-s
  const W quotient = one / (m + two);
  Reach<W> r;
  r.sinh = halved(W(m + inner));
  r.cosh = halved(W(m + one + q));
  r.exp_minus = q;
  r.tanh_half = blend(large, W(one - doubled(quotient)), W(near * quotient));
  r.sech2_half = number<W>(4) * (one - quotient) * quotient;
  return r;
}

/// The same for the length asinh(s), which is s - s^3 / 6 + ...: sinh = s, cosh = sqrt(1 + s^2).
/// Domain: every s >= 0 for which 2 s does not overflow.
template <class W>
MCT_HD inline Reach<W> algebraic_reach_of(const W& s) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  const W one = number<W>(1);
  const auto large = lead(s) > L(pow2<S>(FloatTraits<S>::emax * 2 / 5));
  const W near = blend(large, one, s);
  Reach<W> r;
  r.sinh = s;
  r.cosh = blend(large, s, root(W(one + near * near)));
  r.exp_minus = one / (s + r.cosh);
  const W quotient = one / (one + r.cosh);
  r.tanh_half = s * quotient;
  r.sech2_half = doubled(quotient);
  return r;
}

/// s / sinh s for s >= 0, 1 at zero. With m = e^s - 1 it is 2 s (m + 1) / (m (m + 2)).
template <class W>
MCT_HD inline W rsinhc_of(const W& s) {
  using L = limb_t<W>;
  const L zero(scalar_t<L>(0));
  const auto flat = lead(s) == zero;
  const W a = blend(flat, number<W>(1), s);
  const W m = expm1_of(a);
  const auto overflows = lead(m) == L(FloatTraits<L>::infinity);
  const W r = (doubled(a) / m) * ((m + number<W>(1)) / (m + number<W>(2)));
  return blend(flat, number<W>(1), blend(overflows, number<W>(0), r));
}

/// log(sinh s / s) for s >= 0, as s + log((1 - e^(-2 s)) / (2 s)). Error 4 u^N (1 + s).
template <class W>
MCT_HD inline W log_sinhc_of(const W& s) {
  using L = limb_t<W>;
  const auto flat = lead(s) == L(scalar_t<L>(0));
  const W one = number<W>(1);
  const W twice = doubled(W(blend(flat, one, s)));
  const W falling = -expm1_of(W(-twice));
  return blend(flat, number<W>(0), W(s + log1p_of(W(falling / twice - one))));
}

/// tanh s for s >= 0: m / (m + 2) with m = e^(2 s) - 1.
template <class W>
MCT_HD inline W tanh_of(const W& s) {
  using L = limb_t<W>;
  const W m = expm1_of(doubled(s));
  const auto overflows = lead(m) == L(FloatTraits<L>::infinity);
  return blend(overflows, number<W>(1), W(m / (m + number<W>(2))));
}

/// The derivative of log_sinhc_of, coth s - 1/s. For s <= 1, where this difference cancels, it is
/// computed as the continued fraction s / (3 + s^2 / (5 + s^2 / (7 + ...))). Part k changes the
/// result by (s / 2 k)^2 times the change by the part before.
template <class W>
MCT_HD inline W langevin_of(const W& s) {
  using L = limb_t<W>;
  const W one = number<W>(1);
  const auto small = lead(s) <= L(scalar_t<L>(1));
  constexpr int parts = 6 + 6 * limbs_of<W>;
  const W near = blend(small, s, one);
  const W square = near * near;
  W below = number<W>(2 * parts + 1);
  for (int k = parts - 1; k > 0; --k) below = number<W>(2 * k + 1) + square / below;
  const W far = blend(small, one, s);
  return blend(small, near / below, W(one / tanh_of(far) - one / far));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
