// Sine, cosine and tangent of plain numbers, computed with sums of W doubles (working.hpp).
//
// sin x = S + r (C - S r / 2) + ..., where x = n pi/16 + r with |r| <= pi/32. S and C, the sine and
// cosine of n pi/16, come from tables of 16 entries. Source: Gal, Bachelis: An accurate elementary
// mathematical library for the IEEE floating point standard, ACM TOMS 17(1), 1991 (tables), and the
// addition theorem; the reduction in pieces: Cody, Waite: Software Manual for the Elementary
// Functions, 1980. Large angles are reduced by large_angle.hpp.
#pragma once

#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/plain/large_angle.hpp"
#include "mctensor/math/plain/rounding.hpp"
#include "mctensor/math/tables/plain_tables.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

struct Sinpi;
struct Cospi;

namespace plain {

/// From this angle on, the reduction uses more digits of pi. For smaller angles n has 22 bits.
inline constexpr double large_angle = 0x1p19;

/// `angle` in the lanes of `done`; in the other lanes the angle of a large x.
template <int W, class V, class M>
MCT_HD MCT_NOINLINE Angle<W, V> reduce_large_lanes(const Angle<W, V>& angle, const V& x,
                                                   const M& done) {
  const auto large = reduce_large_angle<W>(x);
  using R = Representation<V>;
  const V steps = blend(done, R::value(angle.steps), R::value(large.steps));
  return {R::bits(steps), blend(done, angle.rest, large.rest)};
}

/// The angle of any number x. For infinities and NaN the rest is NaN.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Angle<W, V> reduce_angle(const V& x) {
  // pi / 16 in pieces; their products by n are exact, except the last
  const auto n = nearest_product(x, 0x1.45f306dc9c883p+2);
  const V high = multiply_add(n.value, V(-0x1.921fb54400000p-3), x);
  auto angle = [&]() -> Angle<W, V> {
    if constexpr (W == 1 && MCT_HAS_FMA) {
      // fma rounds once, even if much cancels, so a second piece is enough
      const V rounded = multiply_add(n.value, V(-0x1.921fb54442d18p-3), x);
      return {n.bits, {multiply_add(n.value, V(-0x1.1a62633145c07p-57), rounded), {}}};
    } else if constexpr (W == 1) {
      const V middle = multiply_add(n.value, V(-0x1.0b4611a000000p-37), high);
      return {n.bits, {multiply_add(n.value, V(-0x1.898cc51701b84p-67), middle), {}}};
    } else {
      const auto a = two_sum(high, V(n.value * V(-0x1.0b4611a000000p-37)));
      const auto b = two_sum(a.hi, V(n.value * V(-0x1.898cc51000000p-67)));
      const V low = multiply_add(n.value, V(-0x1.c06e0e6894812p-97), V(a.lo + b.lo));
      return {n.bits, normalized(Pair<W, V>{b.hi, low})};
    }
  }();
  if constexpr (within) {
    return angle;
  } else {
    const auto ordinary = magnitude(x) < V(large_angle);
    if (all_lanes(ordinary)) return angle;
    return reduce_large_lanes<W>(angle, x, ordinary);
  }
}

/// Powers of the rest that sine and cosine share.
template <int W, class V>
struct AngleSeries {
  V cubic, quartic;  ///< (sin r - r), (cos r - 1 + r^2/2)

  MCT_HD MCT_ALWAYS_INLINE explicit AngleSeries(const V& r) {
    const V z = r * r;
    cubic = z * r * polynomial < tables::SinSeries, 0, W == 1 ? 3 : 6 > (z);
    quartic = z * z * polynomial < tables::CosSeries, 1, W == 1 ? 3 : 5 > (z);
  }
};

/// s cos r + c sin r, where s and c are the sine and cosine of one angle.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> rotated(const Pair<W, V>& s, const Pair<W, V>& c,
                                                      const Pair<W, V>& rest,
                                                      const AngleSeries<W, V>& series) {
  const V& r = rest.hi;
  const auto [slope, slope_low] = ordered_sum<W>(c.hi, s.hi, V(V(-0.5) * r));
  const auto [hi, e] = ordered_sum<W>(s.hi, slope, r);
  const V tail = multiply_add(c.hi, series.cubic, s.hi * series.quartic);
  if constexpr (W == 1) {
    return {hi + tail, {}};
  } else {
    const V turned = multiply_add(s.hi, V(-r), c.hi);
    return {hi,
            tail + multiply_add(V(slope_low + c.lo), r, multiply_add(turned, rest.lo, e + s.lo))};
  }
}

/// Sine and cosine of n pi/16, up to a common sign.
template <int W, class V, class Bits>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> table_sine(const Bits& n) {
  using Table = tables::PlainSine;
  return {SixteenEntries<V>::at(Table::high(), n),
          low_wire<W>(SixteenEntries<V>::at(Table::low(), n))};
}
template <int W, class V, class Bits>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> table_cosine(const Bits& n) {
  using Table = tables::PlainCosine;
  return {SixteenEntries<V>::at(Table::high(), n),
          low_wire<W>(SixteenEntries<V>::at(Table::low(), n))};
}

template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> sine_pair(const Angle<W, V>& angle) {
  const AngleSeries<W, V> series(angle.rest.hi);
  return rotated(table_sine<W, V>(angle.steps), table_cosine<W, V>(angle.steps), angle.rest,
                 series);
}
/// r with the sign of the half turn in which the angle lies.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V turned_like(const V& r, const Angle<W, V>& angle) {
  using R = Representation<V>;
  using Bits = typename R::Bits;
  return R::value(R::bits(r) ^ ((angle.steps & Bits(std::uint64_t(16))) << 59));
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V sine(const Angle<W, V>& angle) {
  return turned_like(sine_pair(angle).value(), angle);
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V sin(const V& x) {
  return blend(magnitude(x) < V(0x1p-27), x, sine(reduce_angle<W, within>(x)));
}
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V cos(const V& x) {
  using Bits = typename Representation<V>::Bits;
  auto angle = reduce_angle<W, within>(x);
  angle.steps = angle.steps + Bits(std::uint64_t(8));
  return sine(angle);
}
/// sin x / cos x. Half turns change both signs, so they have no effect on the quotient.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V tan(const V& x) {
  const auto angle = reduce_angle<W, within>(x);
  const AngleSeries<W, V> series(angle.rest.hi);
  const auto s = table_sine<W, V>(angle.steps);
  const auto c = table_cosine<W, V>(angle.steps);
  const auto up = rotated(s, c, angle.rest, series);
  const auto along = rotated(c, scaled(s, V(-1.0)), angle.rest, series);
  const V r = quotient(normalized(up), normalized(along)).value();
  return blend(magnitude(x) < V(0x1p-27), x, r);
}

template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<2, V> pi_pair() {
  return {V(0x1.921fb54442d18p+1), V(0x1.1a62633145c07p-53)};
}

/// The angle pi x of any number x. x modulo 2 and its sixteenths are exact. NaN for infinities.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Angle<W, V> reduce_half_turns(const V& x) {
  // from 2^53 on all numbers are even
  const V y = modulo_unit(V(blend(magnitude(x) < V(0x1p60), x, V(x - x))), 2.0);
  const auto n = nearest_product(y, 16.0);
  const Pair<W, V> pi{pi_pair<V>().hi, low_wire<W>(pi_pair<V>().lo)};
  const V fraction = multiply_add(n.value, V(-0.0625), y);
  return {n.bits, normalized(product(pi, pair_of<W>(fraction)))};
}
/// F of an angle in half turns, rounded to a double. The sum of two doubles is exact to 2^-59. If
/// this does not determine the rounding, F is computed in two limbs.
template <int W, class F, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V settled_sine(const V& x, const Angle<W, V>& angle) {
  const auto sum = sine_pair(angle);
  const V r = turned_like(sum.value(), angle);
  if constexpr (W == 1) {
    return r;
  } else {
    const V error = sum.hi * V(0x1p-59);
    const auto known = V(sum.hi + (sum.lo + error)) == V(sum.hi + (sum.lo - error));
    return all_lanes(known) ? r : settled_lanes<double, F>(!known, r, x);
  }
}
/// sin(pi x). Zeros have the sign of x.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V sinpi(const V& x) {
  V r = settled_sine<W, Sinpi>(x, reduce_half_turns<W>(x));
  if constexpr (W == 2) r = blend(magnitude(x) < V(0x1p-900), tiny_multiple(pi_pair<V>(), x), r);
  return blend(r == V(0.0), signed_like(r, x), r);
}
/// cos(pi x). Zeros are positive.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V cospi(const V& x) {
  auto angle = reduce_half_turns<W>(x);
  angle.steps = angle.steps + typename Representation<V>::Bits(std::uint64_t(8));
  const V r = settled_sine<W, Cospi>(x, angle);
  return blend(r == V(0.0), V(0.0), r);
}

}  // namespace plain

MCT_PLAIN_FUNCTION_WITHIN(Sin, sin, -0x1p18F, 0x1p18F)
MCT_PLAIN_FUNCTION_WITHIN(Cos, cos, -0x1p18F, 0x1p18F)
MCT_PLAIN_FUNCTION_WITHIN(Tan, tan, -0x1p18F, 0x1p18F)
MCT_PLAIN_FUNCTION_WITHIN(Sinpi, sinpi, -FloatTraits<float>::max, FloatTraits<float>::max)
template <>
inline constexpr float least_argument<Sinpi> = 0x1p-126F;
MCT_PLAIN_FUNCTION_WITHIN(Cospi, cospi, -FloatTraits<float>::max, FloatTraits<float>::max)

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
