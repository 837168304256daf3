// Inverse trigonometric functions of plain numbers, computed by the arc tangent of a quotient with
// sums of W doubles (working.hpp).
//
// atan(y/x) = atan(c) + atan((y - c x) / (x + c y)), where c = j/16 is near y/x. A table has
// atan(c).
#pragma once

#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/plain/working.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/tables/plain_tables.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {
namespace plain {

/// atan(y / x) for 0 <= y <= x of moderate size. q is y / x, accurate to a few bits.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> atan_octant(const Pair<W, V>& y, const Pair<W, V>& x,
                                                          const V& q) {
  using Table = tables::PlainArcTangent;
  const V last(15.0 / 16);
  const auto j = nearest_product(V(blend(q < last, q, last)), 16.0);
  const V c = j.value * V(0.0625);
  const auto along = pair_of<W>(c);
  const auto rest =
      quotient(any_sum(y, negated(product(x, along))), ordered_sum(x, product(y, along)));
  const V z = rest.hi * rest.hi;
  const V tail = rest.hi * z * polynomial < tables::AtanSeries, 0, W == 1 ? 3 : 6 > (z);
  const auto [hi, e] = ordered_sum<W>(SixteenEntries<V>::at(Table::high(), j.bits), rest.hi);
  const auto table_low = low_wire<W>(SixteenEntries<V>::at(Table::low(), j.bits));
  if constexpr (W == 1) {
    return {hi + tail, {}};
  } else {
    return {hi, tail + ((e + rest.lo) + table_low)};
  }
}

template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> half_pi() {
  return {V(0x1.921fb54442d18p+0), low_wire<W>(V(0x1.1a62633145c07p-54))};
}

/// The angle of the point (x, y), from 0 to pi/2. x and y must be of moderate size and not
/// negative.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> atan_quadrant(const Pair<W, V>& y,
                                                            const Pair<W, V>& x) {
  const auto steep = y.hi > x.hi;
  const auto low = blend(steep, x, y);
  const auto high = blend(steep, y, x);
  V q;
  if constexpr (W == 1) {
    q = low.hi * ShortReciprocal<V>::rough(high.hi);
  } else {
    q = low.hi / high.hi;
  }
  const auto a = atan_octant<W>(low, high, q);
  return blend(steep, ordered_sum(half_pi<W, V>(), negated(a)), a);
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V atan(const V& x) {
  const V a = within ? V(magnitude(x)) : at_most(0x1p80, V(magnitude(x)));
  const V r = atan_quadrant<W>(pair_of<W>(a), pair_of<W>(V(1.0))).value();
  if constexpr (within) return signed_like(r, x);
  return blend(magnitude(x) < V(0x1p-27), x, signed_like(r, x));
}

/// asin of t = sqrt(z) for 0 <= z <= 1/4.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> asin_near(const Pair<W, V>& t, const Pair<W, V>& z) {
  if constexpr (W == 1) {
    return {
        multiply_add(V(t.hi * z.hi), polynomial<tables::PlainShortAsinSeries, 0, 9>(z.hi), t.hi),
        {}};
  } else {
    auto w = product(z, Pair<W, V>{V(0x1.5555555555555p-3), V(0x1.5555555555555p-57)});
    const V curved = V(z.hi * z.hi) * polynomial<tables::PlainAsinSeries, 0, 14>(z.hi);
    const auto [hi, e] = ordered_sum<W>(w.hi, curved);
    return ordered_sum(t, product(t, Pair<W, V>{hi, e + w.lo}));
  }
}

/// The common part of asin and acos of |x| = a <= 1: asin(a), or pi/2 - asin(a) where a > 1/2.
template <int W, bool within, class V, class M>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> asin_reduced(const V& a, const M& far) {
  const V half = multiply_add(a, V(-0.5), V(0.5));  // exact from 1/2 on
  const auto z = blend(far, pair_of<W>(half), square_of<W>(a));
  const V positive = within ? half : V(blend(half > V(0.0), half, V(1.0)));
  const auto t = blend(far, root(pair_of<W>(positive)), pair_of<W>(a));
  const auto r = asin_near(t, z);
  return scaled(r, V(blend(far, V(2.0), V(1.0))));
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V asin(const V& x) {
  const V a = magnitude(x);
  const auto far = a > V(0.5);
  const auto s = asin_reduced<W, within>(a, far);
  V r = blend(far, ordered_sum(half_pi<W, V>(), negated(s)), s).value();
  if constexpr (within) return signed_like(r, x);
  r = blend(a < V(1.0), r, blend(a == V(1.0), half_pi<W, V>().hi, V(FloatTraits<V>::nan)));
  return blend(a < V(0x1p-27), x, signed_like(r, x));
}
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V acos(const V& x) {
  const V a = magnitude(x);
  const auto far = a > V(0.5);
  const auto s = asin_reduced<W, within>(a, far);
  const auto negative = x < V(0.0);
  // pi/2 - asin x; for |x| > 1/2 this is the angle itself or its difference from pi
  const auto minus = negated(s);
  const auto turned = blend(negative, blend(far, minus, s), blend(far, s, minus));
  const auto base = scaled(half_pi<W, V>(), V(blend(far, V(2.0), V(1.0))));
  const V sum = ordered_sum(base, turned).value();
  const V r = blend(far && x >= V(0.0), s.value(), sum);
  if constexpr (within) return r;
  const V end = blend(negative, V(0x1.921fb54442d18p+1), V(0.0));
  return blend(a < V(1.0), r, blend(a == V(1.0), end, V(FloatTraits<V>::nan)));
}

}  // namespace plain

MCT_PLAIN_FUNCTION_WITHIN(Atan, atan, -0x1p80F, 0x1p80F)
MCT_PLAIN_FUNCTION_WITHIN(Asin, asin, -0.99999F, 0.99999F)
MCT_PLAIN_FUNCTION_WITHIN(Acos, acos, -0.99999F, 0.99999F)

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
