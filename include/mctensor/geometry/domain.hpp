// The limits of a model's domain: points outside give NaN, and results are kept inside.
#pragma once

#include <cmath>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/error_bounds.hpp"
#include "mctensor/geometry/vectors.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

template <class W>
MCT_HD MCT_ALWAYS_INLINE inline W with_lead(W x, const limb_t<W>& head) {
  if constexpr (is_expansion_v<W>) {
    x.limb[0] = head;
    return x;
  } else {
    return head;
  }
}

/// x where the mask is set, NaN elsewhere.
template <class M, class W>
MCT_HD MCT_ALWAYS_INLINE inline W only_where(const M& mask, const W& x) {
  using L = limb_t<W>;
  return with_lead(x, blend(mask, lead(x), L(FloatTraits<L>::nan)));
}
template <class M, class W, int n>
MCT_HD inline Point<W, n> only_where(const M& mask, const Point<W, n>& x) {
  return generate<Point<W, n>>(x.size(), [&](int i) { return only_where(mask, x[i]); });
}

/// a / b; NaN where a or b is a square that overflows or loses limbs.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline W ordinary_quotient(const W& a, const W& b) {
  return only_where(ordinary_lanes(a) && ordinary_lanes(b), W(a / b));
}

/// A factor for a vector. A factor of zero leaves no direction, but derivatives need one, so in a
/// trace (traced.hpp) it becomes tiny relative to the second argument.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline const W& off_zero(const W& factor, const W&) {
  return factor;
}

/// True where no coordinate is NaN.
template <class W, int n>
MCT_HD inline auto has_no_nan(const Point<W, n>& x) {
  using L = limb_t<W>;
  L sum(scalar_t<L>(0));
  for (int i = 0; i < x.size(); ++i) sum = blend(lead(x[i]) == lead(x[i]), sum, lead(x[i]));
  return sum == sum;
}

/// Throws DomainError on the host if a direction's length is not 1 to a few units of V's rounding.
template <class V, class W, int n>
MCT_HD inline void require_unit([[maybe_unused]] const Point<W, n>& omega) {
#ifndef __CUDA_ARCH__
  if constexpr (is_component_v<limb_t<W>>) {
    const double off(lead(norm_of(omega) - number<W>(1)));
    if (std::fabs(off) > 4 * manifold_bound<W>(omega.size()) * unit_roundoff<V>())
      throw DomainError("a direction has the length 1 + " + number_text(off) + ", expected 1");
  }
#endif
}

/// The relative error of sums and quotients of n coordinates next to the boundary: n c u^N, with c
/// = 1, 4, 12 or 24 for 1 to 4 components.
template <class W>
MCT_HD constexpr double boundary_blur(int n) {
  constexpr double cost[5] = {0, 1, 4, 12, 24};
  return n * cost[limbs_of<W>] * unit_roundoff<W>();
}

/// z, moved into the ball if rounding would put a far point on the boundary or outside. If K^2 -
/// |z|^2 is below (n + 3) c u^N K^2, it becomes about (n + 10) c u^N K^2, with c as in
/// boundary_blur. In double this changes points from a distance of about 36 on. No coordinate may
/// be infinite; NaN stays.
template <class W, int n>
MCT_HD inline Point<W, n> kept_inside(const W& radius, const Point<W, n>& z) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  if constexpr (is_symbolic_v<W>)
    return only_where(lead(squared_norm(z)) < lead(W(radius * radius * number<W>(1 - 0x1p-40))), z);
  // the leading limbs show that nearly all points are far inside
  L about(S(0));
  for (int i = 0; i < z.size(); ++i) about = about + lead(z[i]) * lead(z[i]);
  const L far = lead(radius) * lead(radius) * L(S(1 - 64 * (z.size() + 16) * FloatTraits<S>::u));
  if (!somewhere(about >= far)) return z;
  const W one = number<W>(1);
  const W square = squared_norm(z);
  const W limit = radius * radius * (one - number<W>(boundary_blur<W>(z.size() + 3)));
  const auto outside = lead(W(limit - square)) < L(scalar_t<L>(0));
  const W largest = radius * (one - number<W>(0.5 * boundary_blur<W>(z.size() + 10)));
  const W scale = largest / root(blend(outside, square, one));
  return generate<Point<W, n>>(z.size(),
                               [&](int i) { return blend(outside, W(z[i] * scale), z[i]); });
}

/// Makes the compiler read a rounded point from memory. Otherwise the optimizer of GCC 12 replaces
/// double(float(x)) of two neighbouring numbers by x, as if they had not been rounded.
template <class P>
MCT_HD MCT_ALWAYS_INLINE inline void read_again([[maybe_unused]] const P& point) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  asm volatile("" : : "r"(&point) : "memory");
#endif
}

/// A point rounded to a Point<V> that still lies inside the ball |x| < radius.
template <class V, class Formulas, class W, int n>
MCT_HD inline Point<V, n> rounded_inside(const Formulas& ball, const W& radius,
                                         const Point<W, n>& z) {
  const Point<V, n> r = from_work<V>(z);
  if constexpr (!is_work_v<V>) {
    read_again(r);
    if (ball.check_point(to_work(r), 0) || !has_no_nan(z)) return r;
    // with this length no rounding reaches the boundary: each coordinate changes by u^N of it or,
    // if subnormal, by half the smallest number
    using L = limb_t<W>;
    const auto step = number<W>(0.5 * double(FloatTraits<limb_t<V>>::eta));
    const W largest = radius * W(1 - unit_roundoff<V>()) - root(number<W>(double(z.size()))) * step;
    const auto is_number = lead(largest) > L(scalar_t<L>(0));
    return from_work<V>(z * blend(is_number, W(largest / norm_of(z)), number<W>(0)));
  }
  return r;
}

/// The height; where it has underflowed to zero, which is no valid height, the smallest number.
template <class W>
MCT_HD inline W above_zero(const W& height) {
  using L = limb_t<W>;
  const L least(FloatTraits<L>::eta);
  return with_lead(height, blend(lead(height) == L(scalar_t<L>(0)), least, lead(height)));
}
/// A coordinate of the half-space; if it has overflowed, 2^(emax - 4) with its sign. Infinity would
/// mean a point at infinity; this number keeps lengths and sums finite.
template <class V>
MCT_HD inline V within_range(const V& coordinate) {
  using L = limb_t<V>;
  constexpr auto far = pow2<scalar_t<L>>(FloatTraits<L>::emax - 4);
  const L infinity(FloatTraits<L>::infinity);
  const V low = blend(lead(coordinate) == infinity, V(L(far)), coordinate);
  return blend(lead(low) == -infinity, V(L(-far)), low);
}
template <class V, int n>
MCT_HD inline Point<V, n> within_range(const Point<V, n>& z) {
  return generate<Point<V, n>>(z.size(), [&](int i) { return within_range(z[i]); });
}
template <class V, class W, int n>
MCT_HD inline Point<V, n> rounded_above_zero(const Point<W, n>& z) {
  if constexpr (is_work_v<V>) {
    return from_work<V>(z);
  } else {
    Point<V, n> r = within_range(from_work<V>(z));
    V& height = r[r.size() - 1];
    if (lead(to_work(height)) == 0) height = V(FloatTraits<limb_t<V>>::eta);
    return r;
  }
}

/// A result of the formulas, rounded to a point of values V that lies on the manifold.
template <class V, class Formulas, class W, int n>
MCT_HD MCT_ALWAYS_INLINE inline Point<V, n> rounded_point(const Formulas& m, const Point<W, n>& z) {
  if constexpr (is_work_v<V>) {
    return z;
  } else if constexpr (requires { m.template rounded<V>(z); }) {
    return m.template rounded<V>(z);
  } else {
    return from_work<V>(z);
  }
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
