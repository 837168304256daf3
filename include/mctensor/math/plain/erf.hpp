// The error function, its complement and gelu of plain numbers, computed with sums of W doubles
// (working.hpp).
//
// erfc(y) = e^(-y^2) F(y) for y >= 0. If W = 1, (1 + y / k) F(y) is one polynomial in (y - k) / (y
// + k) for k = 3.75 (Schonfelder: Chebyshev expansions for the error and related functions, Math.
// Comp. 32, 1978). If W = 2, F is a polynomial around one of 78 points.
#pragma once

#include "mctensor/math/plain/exp.hpp"
#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/tables/plain_tables.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {
namespace plain {

/// e^(y^2) erfc(y) for 0 <= y <= 29, as a function of y, or of y / 3.75 if W = 1.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> scaled_erfc(const Pair<W, V>& y) {
  if constexpr (W == 1) {
    const V inverse = ShortReciprocal<V>::of(V(y.hi + V(1.0)));
    const V t = multiply_add(V(-2.0), inverse, V(1.0));  // (y - 1) / (y + 1)
    return {polynomial_by_two<tables::PlainShortErfcSeries, 0, 15>(t) * inverse, {}};
  } else {
    using R = Representation<V>;
    using Bits = typename R::Bits;
    using Rows = tables::PlainErfcRows;
    // NaN has no row
    const Bits bits = R::bits(V(blend(y.hi < V(29.0), y.hi, V(0.0)) + V(1.0)));
    const Bits index = (bits >> 48) - Bits(std::uint64_t(1023 * 16));
    // the middle of the interval
    const Bits middle = ((bits >> 48) << 48) | Bits(std::uint64_t(1) << 47);
    auto w = any_sum<W>(y.hi, V(V(1.0) - R::value(middle)));
    w = normalized(Pair<W, V>{w.hi, w.lo + y.lo});
    const auto entry = [&](int i) {
      return TableEntries<V>::at(Rows::data() + i, index * Bits(std::uint64_t(Rows::width)));
    };
    V tail = entry(Rows::width - 1);
    for (int i = Rows::width - 2; i >= 4; --i) tail = multiply_add(tail, w.hi, entry(i));
    const V slope = entry(2);
    const auto [hi, e] = ordered_sum<W>(entry(0), slope, w.hi);
    const V low = multiply_add(slope, w.lo, multiply_add(entry(3), w.hi, entry(1) + e));
    return {hi, multiply_add(V(w.hi * w.hi), tail, low)};
  }
}

/// The unit of scaled_erfc()'s argument: y or y / 3.75.
template <int W>
inline constexpr double erfc_unit = W == 1 ? 1 / 3.75 : 1.0;

/// erfc(y) = mantissa * power for y >= 0, computed from y times the unit and from -y^2. y may be up
/// to 29, or up to 14 if W = 1.
template <int W, class V>
struct ScaledErfc {
  Exponential<W, V> power;
  Pair<W, V> mantissa;

  MCT_HD MCT_ALWAYS_INLINE ScaledErfc(const Pair<W, V>& y, const Pair<W, V>& minus_square)
      : power(exponential<W>(minus_square.hi, minus_square.lo)),
        mantissa(product(normalized(power.mantissa()), normalized(scaled_erfc(y)))) {}
  /// The value; a subnormal value has one rounding error more.
  MCT_HD MCT_ALWAYS_INLINE Pair<W, V> value() const {
    if constexpr (W == 1) {
      return mantissa;
    } else {
      return {power.scaled_by_power(mantissa.hi), power.scaled_by_power(mantissa.lo)};
    }
  }
};

/// The erfc of a number y >= 0.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr ScaledErfc<W, V> scaled_erfc_of(const V& y) {
  const V in_units = W == 1 ? y * V(erfc_unit<W>) : y;
  const auto [p, e] = exact_product<W>(V(V(0.0) - y), y);
  return {pair_of<W>(in_units), Pair<W, V>{p, e}};
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V erf(const V& x) {
  constexpr double near_limit = W == 1 ? 0.5 : 0.25;
  const V a = at_most(6.5, V(magnitude(x)));
  const auto c = scaled_erfc_of<W>(a);
  const V far = any_sum(pair_of<W>(V(1.0)), negated(c.value())).value();
  // around zero, the power series
  const V small = within ? a : at_most(near_limit, a);
  const auto z = square_of<W>(small);
  V near;
  if constexpr (W == 1) {
    near = small * polynomial<tables::PlainShortErfSeries, 0, 7>(z.hi);
  } else {
    using Series = tables::ErfSeries;
    const Pair<W, V> first{V(constant_limb<Series, double, 0, 0>),
                           V(constant_limb<Series, double, 0, 1>)};
    const Pair<W, V> second{V(constant_limb<Series, double, 1, 0>),
                            V(constant_limb<Series, double, 1, 1>)};
    auto sum = ordered_sum(first, product(second, z));
    sum.lo = multiply_add(V(z.hi * z.hi), polynomial<Series, 2, 9>(z.hi), sum.lo);
    // the sum is scaled, so that products of the smallest numbers keep their error terms
    near = product(normalized(sum), pair_of<W>(V(small * V(0x1p200)))).value() * V(0x1p-200);
  }
  return signed_like(V(blend(a < V(near_limit), near, far)), x);
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V erfc(const V& x) {
  const V a = at_most(W == 1 ? 10.3 : 28.0, V(magnitude(x)));
  const auto c = scaled_erfc_of<W>(a);
  const V right = W == 1 ? c.mantissa.value() : c.power.scaled_by_power(c.mantissa.value());
  const V left = ordered_sum(pair_of<W>(V(2.0)), negated(c.value())).value();
  return blend(x < V(0.0), left, right);
}

/// x Phi(x), where Phi(-|x|) = erfc(|x| / sqrt(2)) / 2.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V gelu(const V& x) {
  constexpr double limit = W == 1 ? 14.5 : 39.0;  // below -limit the result underflows
  const V above = within ? x : at_least(-limit, x);
  const V a = within ? V(magnitude(x)) : at_most(limit, V(magnitude(x)));
  const auto negative = x < V(0.0);
  const Pair<W, V> inverse_root{V(0x1.6a09e667f3bcdp-1 * erfc_unit<W>),
                                low_wire<W>(V(-0x1.bdd3413b26456p-55))};
  const auto y = normalized(product(inverse_root, pair_of<W>(a)));
  const auto [p, e] = exact_product<W>(V(V(-0.5) * a), a);
  const ScaledErfc<W, V> c(y, Pair<W, V>{p, e});
  if constexpr (W == 1) {
    const V phi = V(0.5) * c.mantissa.hi;
    return above * blend(negative, phi, V(V(1.0) - phi));
  } else {
    const auto one = pair_of<W>(V(1.0));
    const auto upper = normalized(ordered_sum(one, scaled(c.value(), V(-0.5))));
    // a subnormal Phi would lose digits that the result has
    const auto below = scaled(normalized(c.mantissa), V(0.5));
    const V r =
        product(blend(negative, below, upper), pair_of<W>(V(blend(a < V(limit), x, V(1.0)))))
            .value();
    const V far = blend(negative, V(-0.0), x);
    // zeros get the sign of x, too
    return signed_like(V(blend(a < V(limit), blend(negative, c.power.scaled_by_power(r), r), far)),
                       x);
  }
}

}  // namespace plain

MCT_PLAIN_FUNCTION_WITHIN(Erf, erf, -FloatTraits<float>::max, FloatTraits<float>::max)
template <>
inline constexpr float least_argument<Erf> = 0x1p-100F;
MCT_PLAIN_FUNCTION_WITHIN(Erfc, erfc, -FloatTraits<float>::max, 9.0F)
MCT_PLAIN_FUNCTION_WITHIN(Gelu, gelu, -13.0F, 13.0F)
template <>
inline constexpr float least_argument<Gelu> = 0x1p-100F;

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
