// e^x, e^x - 1 and 2^x of plain numbers, computed with sums of W doubles (working.hpp).
//
// e^x = 2^k 2^(j/16) e^r, where x = (k + j/16) log 2 + r with |r| <= log(2)/32. 2^(j/16) comes from
// a table of 16 entries, which may lie in registers, and e^r from its series.
// Source: Tang: Table-driven implementation of the exponential function, ACM TOMS 15(2), 1989.
#pragma once

#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/plain/working.hpp"
#include "mctensor/math/tables/plain_tables.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {
namespace plain {

/// e^x = 2^k step (1 + rest); k stands in the bits of `steps` above the last four.
template <int W, class V>
struct Exponential {
  typename Representation<V>::Bits steps;
  Pair<W, V> step, rest;

  /// 2^(k + shift), for |k + shift| < 1023.
  MCT_HD MCT_ALWAYS_INLINE V power(int shift) const {
    using Bits = typename Representation<V>::Bits;
    return Representation<V>::value(((steps >> 4) + Bits(std::uint64_t(1023 + shift))) << 52);
  }
  /// x 2^k / 4. If W = 1, x already has the factor 2^k.
  MCT_HD MCT_ALWAYS_INLINE Pair<W, V> quarter(const Pair<W, V>& x) const {
    if constexpr (W == 1) {
      return scaled(x, V(0.25));
    } else {
      return scaled(x, power(-2));
    }
  }
  /// e^x / 2^k, or e^x if W = 1.
  MCT_HD MCT_ALWAYS_INLINE Pair<W, V> mantissa() const {
    const auto [hi, e] = ordered_sum<W>(step.hi, step.hi, rest.hi);
    return {hi, added_product(step.hi, rest.lo, plus(e, added_product(step.lo, rest.hi, step.lo)))};
  }
  /// 2^k x. Two multiplications allow results from the smallest number to beyond the largest.
  MCT_HD MCT_ALWAYS_INLINE V scaled_by_power(const V& x) const {
    using Bits = typename Representation<V>::Bits;
    using R = Representation<V>;
    // the lowest bits of `steps` are k modulo a power of two; k + 2046 is positive
    const Bits both = ((steps >> 4) + Bits(std::uint64_t(2046))) & Bits(std::uint64_t(0xfff));
    const Bits first = both >> 1;
    return x * R::value(first << 52) * R::value((both - first) << 52);
  }
};

/// e^r - 1 for |r| up to a little more than log(2)/32. Relative error: 2^-40 (W = 1) or 2^-61.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> small_expm1(const V& r, const LowWire<W, V>& low) {
  const V square = r * r;
  if constexpr (W == 1) {
    return {multiply_add(square, polynomial<tables::PlainExpSeries, 0, 4>(r), r), {}};
  } else {
    const auto [hi, e] = ordered_sum<W>(r, r, V(V(0.5) * r));
    const V cubic = polynomial<tables::ExpSeries, 1, 6>(r);
    return {hi, multiply_add(square * r, cubic, e + low)};
  }
}

/// The exponential with the step from the table. If W = 1, the step is multiplied by 2^k.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Exponential<W, V> table_step(
    const typename Representation<V>::Bits& steps, const Pair<W, V>& rest) {
  using Table = tables::PlainExp2;
  if constexpr (W == 1) {
    using R = Representation<V>;
    const auto entry = R::bits(SixteenEntries<V>::at(Table::stepped(), steps));
    return {steps, {R::value(entry + (steps << 48)), {}}, rest};
  } else {
    return {
        steps,
        {SixteenEntries<V>::at(Table::high(), steps), SixteenEntries<V>::at(Table::low(), steps)},
        rest};
  }
}

/// e^(x + low) for |x| < 1100 (200 if W = 1).
template <int W, class V, class Low = Zero>
MCT_HD MCT_ALWAYS_INLINE constexpr Exponential<W, V> exponential(const V& x, const Low& low = {}) {
  const auto n = nearest_product(x, 0x1.71547652b82fep+4);
  if constexpr (W == 1) {
    const V r = multiply_add(n.value, V(-0x1.62e42fefa39efp-5), x);
    return table_step<W, V>(n.bits, small_expm1<1, V>(plus(r, low), {}));
  } else {
    // log(2) / 16 in two pieces; the first times an integer of 15 bits is exact
    const V high = multiply_add(n.value, V(-0x1.62e42fefap-5), x);
    const auto [r, e] = ordered_sum<W>(high, n.value, V(-0x1.cf79abc9e3b3ap-44));
    if constexpr (std::is_same_v<Low, Zero>) {
      return table_step<W, V>(n.bits, small_expm1<W, V>(r, e));
    } else {
      const auto rest = normalized(Pair<W, V>{r, e + low});
      return table_step<W, V>(n.bits, small_expm1<W, V>(rest.hi, rest.lo));
    }
  }
}

template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<2, V> log2_pair() {
  return {V(0x1.62e42fefa39efp-1), V(0x1.abc9e3b39803fp-56)};
}

/// e^x. NaN gives NaN.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V exp(const V& x) {
  if constexpr (W == 1) {
    const V above = at_least(-200.0, x);
    const auto e = exponential<W>(within ? above : at_most(200.0, above));
    return e.mantissa().value();
  } else {
    const auto e = exponential<W>(clamped(x, -760.0, 720.0));
    return e.scaled_by_power(e.mantissa().value());
  }
}

/// 2^(x + low) for |x| < 1100 (200 if W = 1). The fraction of 16 x must be exact.
template <int W, class V, class Low = Zero>
MCT_HD MCT_ALWAYS_INLINE constexpr Exponential<W, V> exponential_base_2(const V& x,
                                                                        const Low& low = {}) {
  const auto n = nearest_product(x, 16.0);
  const V fraction = multiply_add(n.value, V(-0.0625), x);
  if constexpr (W == 1) {
    const V r = plus(fraction, low) * V(0x1.62e42fefa39efp-1);
    return table_step<W, V>(n.bits, small_expm1<1, V>(r, {}));
  } else {
    const auto r = normalized(product(log2_pair<V>(), Pair<W, V>{fraction, wire_value<V>(low)}));
    return table_step<W, V>(n.bits, small_expm1<W, V>(r.hi, r.lo));
  }
}
template <int W, class V, class Low = Zero>
MCT_HD MCT_ALWAYS_INLINE constexpr V exp2_of(const V& x, const Low& low = {}) {
  const auto e = exponential_base_2<W>(x, low);
  if constexpr (W == 1) {
    return e.mantissa().value();
  } else {
    return e.scaled_by_power(e.mantissa().value());
  }
}
/// 2^x. NaN gives NaN.
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V exp2(const V& x) {
  constexpr double lowest = W == 1 ? -200.0 : -1100.0;
  constexpr double highest = W == 1 ? 200.0 : 1030.0;
  return exp2_of<W>(within ? x : clamped(x, lowest, highest));
}

/// (e^x - 1) / 4 from the exponential e^x. Relative error: 2^-40 (W = 1) or 2^-60. Domain: x from
/// -40 to 710.6 with |x| >= 2^-1000.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> quarter_less_one(const Exponential<W, V>& e) {
  const auto step = e.quarter(e.step);
  const auto m = any_sum<W>(step.hi, V(-0.25));
  const auto [hi, error] = ordered_sum<W>(m.hi, step.hi, e.rest.hi);
  return {hi, plus(plus(error, m.lo),
                   added_product(step.hi, e.rest.lo, added_product(step.lo, e.rest.hi, step.lo)))};
}
/// (e^x - 1) / 4.
template <int W, class V, class Low = Zero>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> quarter_expm1(const V& x, const Low& low = {}) {
  return quarter_less_one<W>(exponential<W>(x, low));
}
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V expm1(const V& x) {
  const V a = within ? x : clamped(x, -40.0, W == 1 ? 200.0 : 710.0);
  const V r = V(4.0) * quarter_expm1<W>(a).value();
  return blend(magnitude(x) < V(0x1p-54), x, r);
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V exp2m1(const V& x) {
  const V a = within ? x : clamped(x, W == 1 ? -200.0 : -60.0, W == 1 ? 200.0 : 1024.5);
  const V r = V(4.0) * quarter_less_one<W>(exponential_base_2<W>(a)).value();
  if constexpr (within) {
    return r;
  } else if constexpr (W == 1) {
    return blend(x == V(0.0), x, r);
  } else {
    return blend(magnitude(x) < V(0x1p-900), tiny_multiple(log2_pair<V>(), x), r);
  }
}

}  // namespace plain

MCT_PLAIN_FUNCTION_WITHIN(Exp, exp, -87.0F, 88.0F)
template <>
inline constexpr float last_vanishing<Exp> = -104.0F;
MCT_PLAIN_FUNCTION_WITHIN(Exp2, exp2, -126.0F, 127.0F)
MCT_PLAIN_FUNCTION_WITHIN(Expm1, expm1, -40.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Exp2m1, exp2m1, -120.0F, 127.0F)
template <>
inline constexpr float least_argument<Exp2m1> = 0x1p-125F;

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
