// Roots and powers of plain numbers: sums of W doubles (working.hpp).
#pragma once

#include "mctensor/math/plain/exp.hpp"
#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/plain/log.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {
namespace plain {

/// 1 / sqrt(x): y from the square root of double, plus a step of Newton's iteration, y (1 - x y^2)
/// / 2.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V rsqrt(const V& x) {
  if constexpr (within) {
    return ShortReciprocal<V>::root(x);
  } else if constexpr (W == 1) {
    return V(1.0) / square_root(x);
  } else {
    const V infinity(FloatTraits<V>::infinity);
    const auto ordinary = x > V(0.0) && x < infinity;
    const auto small = x < V(0x1p-1000);
    const V up = blend(small, V(0x1p100), V(1.0));
    const V unit = blend(ordinary, V(x * up), V(1.0));
    const V y = V(1.0) / square_root(unit);
    const auto [p, e] = two_prod(unit, y);
    const V rest = remainder_of(V(1.0), y, p) - y * e;
    const V r = multiply_add(V(V(0.5) * y), rest, y) * blend(small, V(0x1p50), V(1.0));
    if (all_lanes(ordinary)) return r;
    return blend(ordinary, r, V(1.0) / square_root(x));
  }
}

/// The cube root of a = 2^j m in [1, 8), with j = 0, 1 or 2 and `factor` = 2^(j/3): a polynomial in
/// m, then a step of Halley's iteration. For W = 2 a step of Newton's iteration with an exact
/// remainder follows.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V cbrt_reduced(const V& a, const V& m, const V& factor) {
  const V guess = polynomial<tables::PlainCubeRootSeries, 0, 5>(m) * factor;
  const V cube = guess * guess * guess;
  if constexpr (W == 1) {
    return guess * (cube + V(a + a)) * ShortReciprocal<V>::of(V(cube + cube + a));
  } else {
    const V y = guess * (cube + V(a + a)) / (cube + cube + a);
    const auto [square, e] = two_prod(y, y);
    const V rest = remainder_of(a, square, y) - y * e;
    return y + rest / (V(3.0) * square);
  }
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V cbrt(const V& x) {
  const V magnitude_x = magnitude(x);
  const auto ordinary = magnitude_x < V(FloatTraits<V>::infinity) && magnitude_x > V(0.0);
  const auto small = magnitude_x < V(0x1p-1000);
  const V scaled_x = blend(small, V(magnitude_x * V(0x1p300)), magnitude_x);
  const V normal = within ? magnitude_x : V(blend(ordinary, scaled_x, V(1.0)));
  const auto split = binary_split(normal, 1.0);
  // exponent = 3 third + j
  const V third = nearest_integer(V(multiply_add(split.exponent, V(1.0 / 3), V(-1.0 / 3))));
  const V j = multiply_add(third, V(-3.0), split.exponent);
  const V power = blend(j > V(0.5), blend(j > V(1.5), V(4.0), V(2.0)), V(1.0));
  const V factor = blend(
      j > V(0.5), blend(j > V(1.5), V(0x1.965fea53d6e3dp+0), V(0x1.428a2f98d728bp+0)), V(1.0));
  const V root = cbrt_reduced<W>(V(split.mantissa * power), split.mantissa, factor);
  if constexpr (within) return signed_like(V(root * power_of_two(third)), x);
  const V shift = blend(small, V(-100.0), V(0.0));
  const V r = root * power_of_two(V(third + shift));
  return blend(ordinary, signed_like(r, x), x);
}

/// sqrt(x^2 + y^2), scaled by a power of two where squares would leave the range.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V hypot(const V& x, const V& y) {
  const V a = magnitude(x);
  const V b = magnitude(y);
  if constexpr (W == 1) {
    const V r = square_root(V(multiply_add(a, a, b * b)));
    const V infinity(FloatTraits<V>::infinity);
    return blend(a == infinity || b == infinity, infinity, r);
  } else {
    const V infinity(FloatTraits<V>::infinity);
    const V high = blend(a < b, b, a);
    const V low = blend(a < b, a, b);
    const auto s = scale_to_unit(high);
    const V p = high * s.first * s.second;
    const V q = low * s.first * s.second;
    const auto sum = ordered_sum(square_of<W>(p), square_of<W>(q));
    const V r = root(normalized(sum)).value() * s.inverse_second * s.inverse_first;
    const V ordinary = blend(high > V(0.0), r, V(a + b));
    return blend(a == infinity || b == infinity, infinity, ordinary);
  }
}

/// log(1 + d + e) as small_log1p<2>, but to 2^-69 relative to d, because powers multiply the error.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<2, V> precise_log1p(const V& d, const V& e) {
  using Series = tables::LogSeries;
  const V inner = polynomial<Series, 2, 10>(d);
  auto q = ordered_sum<2>(V(0x1.5555555555555p-2), d, inner);
  const Pair<2, V> third{q.hi, q.lo + V(0x1.5555555555555p-56)};
  const auto scaled_third = product(third, pair_of<2>(d));
  const auto half = ordered_sum(pair_of<2>(V(-0.5)), scaled_third);
  const auto curved = product(square_of<2>(d), normalized(half));
  const V one(1.0);
  const V inner_slope = multiply_add(d, multiply_add(d, V(d - one), one), V(-1.0));
  const V slope = multiply_add(d, inner_slope, one);  // 1 / (1 + d)
  return normalized(ordered_sum(Pair<2, V>{d, e * slope}, curved));
}

/// True in the lanes that hold an integer; is_odd: an odd integer.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr auto is_integer(const V& y) {
  const V a = magnitude(y);
  return a >= V(0x1p52) || nearest_integer(a) == a;
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr auto is_odd(const V& y) {
  const V half = V(0.5) * magnitude(y);
  return is_integer(y) && nearest_integer(half) != half && half < V(0x1p52);
}

/// x^y for positive finite x: 2^(y log2 x).
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V pow_positive(const V& x, const V& y) {
  auto parts = logarithm_any<2>(x);
  if constexpr (W == 2) parts.near = precise_log1p(parts.argument.hi, parts.argument.lo);
  const auto log = normalized(joined_base_2(parts));
  auto t = product(log, pair_of<2>(y));
  const V limit(W == 1 ? 200.0 : 1100.0);
  const auto inside = magnitude(t.hi) < limit;
  t = blend(inside, t, pair_of<2>(signed_like(limit, V(log.hi * signed_like(V(1.0), y)))));
  const auto r = normalized(t);
  return exp2_of<W>(r.hi, r.lo);
}

/// x^y with the special cases of C.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V pow(const V& x, const V& y) {
  const V infinity(FloatTraits<V>::infinity);
  const V a = magnitude(x);
  const auto ordinary = a > V(0.0) && a < infinity;
  V r = pow_positive<W>(V(blend(ordinary, a, V(1.0))), y);
  if (all_lanes(ordinary && x > V(0.0) && magnitude(y) < infinity)) return r;
  // powers of zero and infinity are zero or infinity, by the sign of y
  const auto below = a < V(1.0);
  const auto falls = y < V(0.0);
  const V zero(0.0);
  const V ends = blend(below, blend(falls, infinity, zero), blend(falls, zero, infinity));
  r = blend(ordinary, r, ends);
  const auto negative = x < V(0.0) || (x == V(0.0) && V(1.0) / x < V(0.0));
  // is_odd is named in full, because batch libraries have another is_odd, for small numbers only
  const V flipped = blend(plain::is_odd(y), negated(r), r);
  const auto end = a == zero || a == infinity;
  const V turned = blend(is_integer(y) || end, flipped, V(FloatTraits<V>::nan));
  r = blend(negative, turned, r);
  // |y| infinite
  r = blend(magnitude(y) == infinity, blend(a == V(1.0), V(1.0), ends), r);
  r = blend(x == x && y == y, r, V(x + y));
  return blend(y == V(0.0) || x == V(1.0), V(1.0), r);
}

}  // namespace plain

MCT_PLAIN_FUNCTION(Hypot, hypot)
MCT_PLAIN_FUNCTION_WITHIN(Cbrt, cbrt, -FloatTraits<float>::max, FloatTraits<float>::max)
template <>
inline constexpr float least_argument<Cbrt> = 0x1p-126F;
MCT_PLAIN_FUNCTION_WITHIN(Rsqrt, rsqrt, 0x1p-126F, FloatTraits<float>::max)

/// Some results of pow lie exactly halfway between two numbers of a short format. Then
/// settled_value (rounding.hpp) takes the nearest double for the exact result. Such results of
/// hypot, as of (3 m, 4 m), need no rule, because they are exact in two limbs.
struct Pow {
  static constexpr bool meets_midpoints = true;
  template <int W, class V>
  MCT_HD MCT_ALWAYS_INLINE static V at(const V& x, const V& y) {
    return plain::pow<W>(x, y);
  }
  template <class E>
  MCT_HD MCT_ALWAYS_INLINE static E of(const E& x, const E& y) {
    return pow(x, y);
  }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
