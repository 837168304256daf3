// Hyperbolic functions of plain numbers and their inverses, sigmoid and softplus, computed with
// sums of W doubles (working.hpp).
#pragma once

#include "mctensor/math/plain/exp.hpp"
#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/plain/log.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {
namespace plain {

/// |r| with the sign of x, or x itself if |x| < limit.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V odd_result(const V& r, const V& x, double limit) {
  return blend(magnitude(x) < V(limit), x, signed_like(r, x));
}

/// sinh x = 2 h + 2 h / (4 h + 1) with h = (e^|x| - 1) / 4.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V sinh(const V& x) {
  const V a = within ? V(magnitude(x)) : at_most(W == 1 ? 200.0 : 710.6, V(magnitude(x)));
  const auto h = normalized(quarter_expm1<W>(a));
  auto divisor = any_sum<W>(scaled(h, V(4.0)), pair_of<W>(V(1.0)));
  if constexpr (W == 2) {
    // for larger h the quotient is negligible, and 4 h may overflow
    divisor = blend(h.hi < V(0x1p100), divisor, h);
  }
  const V r = V(2.0) * ordered_sum(h, quotient(h, divisor)).value();
  if constexpr (within) return signed_like(r, x);
  return odd_result(r, x, 0x1p-28);
}

/// cosh x = e^|x| / 2 + 1 / (2 e^|x|).
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V cosh(const V& x) {
  const V a = within ? V(magnitude(x)) : at_most(W == 1 ? 200.0 : 710.6, V(magnitude(x)));
  const auto e = exponential<W>(a);
  const auto quarter = e.quarter(normalized(e.mantissa()));
  return V(2.0) * ordered_sum(quarter, quotient(pair_of<W>(V(0.0625)), quarter)).value();
}

/// tanh x = h / (h + 1/2) with h = (e^(2 |x|) - 1) / 4.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V tanh(const V& x) {
  const V a = at_most(44.0, V(V(2.0) * magnitude(x)));
  const auto h = normalized(quarter_expm1<W>(a));
  const auto divisor = any_sum<W>(h, pair_of<W>(V(0.5)));
  const V r = quotient(h, divisor).value();
  if constexpr (within) return signed_like(r, x);
  return odd_result(r, x, 0x1p-28);
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V sigmoid(const V& x) {
  const auto negative = x < V(0.0);
  const V a = V(0.0) - V(magnitude(x));
  if constexpr (W == 1) {
    const V e = exponential<W>(within ? a : at_least(-200.0, a)).mantissa().value();
    return blend(negative, e, V(1.0)) * ShortReciprocal<V>::of(V(V(1.0) + e));
  } else {
    const auto e = exponential<W>(clamped(a, -760.0, 0.0));
    const auto m = normalized(e.mantissa());
    const Pair<W, V> power{e.scaled_by_power(m.hi), e.scaled_by_power(m.lo)};
    const auto divisor = ordered_sum(pair_of<W>(V(1.0)), power);
    const V q = quotient(blend(negative, m, pair_of<W>(V(1.0))), divisor).value();
    return blend(negative, e.scaled_by_power(q), q);
  }
}

/// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|).
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V softplus(const V& x) {
  const V a = V(0.0) - V(magnitude(x));
  const auto e = exponential<W>(within ? a : at_least(W == 1 ? -200.0 : -760.0, a));
  const auto mantissa = normalized(e.mantissa());
  const auto power = [&] {
    if constexpr (W == 2) {
      return decltype(mantissa){e.scaled_by_power(mantissa.hi), e.scaled_by_power(mantissa.lo)};
    } else {
      return mantissa;
    }
  }();
  const V positive = clamped(x, 0.0, 1000.0);
  V r = any_sum<W>(pair_of<W>(positive), log1p_pair<W>(power)).value();
  if constexpr (within) return r;
  // where e^x is small, it is the whole result
  if constexpr (W == 2) r = blend(x < V(-50.0), e.scaled_by_power(mantissa.value()), r);
  return blend(x > V(900.0), x, r);
}

/// log(x / (1 - x)). Next to 1/2 it is computed as log(1 + t) with t = (2 x - 1) / (1 - x).
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V logit(const V& x) {
  const auto inside = x > V(0.0) && x < V(1.0);
  const V proper = within ? x : V(blend(inside, x, V(0.5)));
  const auto small = proper < V(0x1p-500);
  const auto rest = any_sum<W>(V(1.0), V(V(0.0) - proper));
  const V enlarged = W == 1 ? proper : V(blend(small, V(proper * V(0x1p500)), proper));
  const auto odds = normalized(quotient(pair_of<W>(enlarged), rest));
  auto parts = logarithm<W>(odds.hi, odds.lo);
  if constexpr (W == 2) parts.exponent = parts.exponent - blend(small, V(500.0), V(0.0));
  const V difference = multiply_add(proper, V(2.0), V(-1.0));  // exact next to 1/2
  const auto near = magnitude(difference) < V(0x1p-8);
  const auto t = normalized(quotient(pair_of<W>(V(blend(near, difference, V(0.0)))), rest));
  parts.near = blend(near, small_log1p<W>(t.hi, t.lo), parts.near);
  const V r = joined(parts).value();
  if constexpr (within) return r;
  const V infinity(FloatTraits<V>::infinity);
  const V beyond =
      blend(x == V(0.0), V(-infinity), blend(x == V(1.0), infinity, V(FloatTraits<V>::nan)));
  return blend(inside, r, beyond);
}

/// asinh x = log(1 + a + a^2 / (1 + sqrt(1 + a^2))), a = |x|; log(2 a) for large a.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V asinh(const V& x) {
  const V a = magnitude(x);
  const auto large = a > V(0x1p30);
  const V moderate = within ? a : V(blend(large, V(1.0), a));
  const auto square = square_of<W>(moderate);
  const auto one = pair_of<W>(V(1.0));
  const auto divisor = any_sum<W>(root(any_sum<W>(one, square)), one);
  const auto t = any_sum<W>(pair_of<W>(moderate), quotient(square, divisor));
  const V r = log1p_pair<W>(normalized(t)).value();
  if constexpr (within) return signed_like(r, x);
  const V proper = blend(x == x, r, x);  // a logarithm computes with the bits of NaN, too
  if (no_lane(large)) return odd_result(proper, x, 0x1p-28);
  return odd_result(V(blend(large, log_twice<W>(large, a), proper)), x, 0x1p-28);
}

/// acosh x = log(1 + t + sqrt(2 t + t^2)), t = x - 1; log(2 x) for large x.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V acosh(const V& x) {
  const auto large = x > V(0x1p30);
  const V moderate = within ? x : V(blend(large, V(2.0), x));
  const auto t = any_sum<W>(moderate, V(-1.0));
  const auto square = any_sum<W>(scaled(t, V(2.0)), product(t, t));
  const auto sum = any_sum<W>(root(square), t);
  V r = log1p_pair<W>(normalized(sum)).value();
  if constexpr (within) return r;
  r = blend(x == V(1.0), V(0.0), r);
  if (!no_lane(large)) r = blend(large, log_twice<W>(large, x), r);
  return blend(x >= V(1.0), r, V(FloatTraits<V>::nan));
}

/// atanh x = log(1 + 2 a / (1 - a)) / 2, a = |x|.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V atanh(const V& x) {
  const V a = magnitude(x);
  const auto inside = a < V(1.0);
  const V proper = within ? a : V(blend(inside, a, V(0.5)));
  const auto t = quotient(pair_of<W>(V(V(2.0) * proper)), any_sum<W>(V(1.0), V(V(0.0) - proper)));
  const V r = V(0.5) * log1p_pair<W>(normalized(t)).value();
  if constexpr (within) return signed_like(r, x);
  const V outside = blend(a == V(1.0), V(FloatTraits<V>::infinity), V(FloatTraits<V>::nan));
  return odd_result(V(blend(inside, r, outside)), x, 0x1p-28);
}

}  // namespace plain

MCT_PLAIN_FUNCTION_WITHIN(Tanh, tanh, -FloatTraits<float>::max, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Sigmoid, sigmoid, -87.0F, 87.0F)
MCT_PLAIN_FUNCTION_WITHIN(Sinh, sinh, -88.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Cosh, cosh, -88.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Asinh, asinh, -0x1p30F, 0x1p30F)
MCT_PLAIN_FUNCTION_WITHIN(Acosh, acosh, 1.0F, 0x1p30F)
MCT_PLAIN_FUNCTION_WITHIN(Atanh, atanh, -0.99999F, 0.99999F)
MCT_PLAIN_FUNCTION_WITHIN(Logit, logit, 0x1p-126F, 0x1.fffffep-1F)
MCT_PLAIN_FUNCTION_WITHIN(Softplus, softplus, -80.0F, 80.0F)

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
