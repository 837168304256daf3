// Logarithms of plain numbers, computed with sums of W doubles (working.hpp).
//
// log x = k log 2 - log c + log(1 + d), where x = 2^k m with m in [31/32, 31/16), and d = c m - 1
// with |d| < 0.0323. c is near 1/m: 16 / (16 + j) rounded to 9 bits, from a table of 16 entries.
// Around m = 1, c is 1. Source: Tang: Table-driven implementation of the logarithm function, ACM
// TOMS 16(4), 1990.
#pragma once

#include "mctensor/math/plain/function_type.hpp"
#include "mctensor/math/plain/working.hpp"
#include "mctensor/math/tables/plain_tables.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {
namespace plain {

/// x = 2^exponent (1 + argument) / c; near = log(1 + argument).
template <int W, class V>
struct Logarithm {
  V exponent;
  typename Representation<V>::Bits index;
  Pair<W, V> argument, near;
};

/// log(1 + d + e) for |d| < 0.0323 and |e| < 2^-52. Error relative to d: 2^-42 (W = 1) or 2^-62.
template <int W, class V, class Low>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> small_log1p(const V& d, const Low& e) {
  if constexpr (W == 1) {
    const V tail = polynomial<tables::PlainLogSeries, 0, 6>(d);
    return {plus(multiply_add(V(d * d), tail, d), e), {}};
  } else {
    const auto [hi, low] = ordered_sum<W>(d, d, V(V(-0.5) * d));
    const V square = d * d;
    const V cubic = polynomial<tables::LogSeries, 1, 11>(d);
    return {hi, multiply_add(square * d, cubic,
                             plus(low, added_product(e, V(square + (V(1.0) - d)), Zero{})))};
  }
}

/// All members of Logarithm except `near`, for a positive normal number x + low.
template <int W, class V, class Low = Zero>
MCT_HD MCT_ALWAYS_INLINE constexpr Logarithm<W, V> reduced_logarithm(const V& x,
                                                                     const Low& low = {}) {
  using R = Representation<V>;
  const auto split = binary_split(x, 0.96875);
  const auto index = R::bits(multiply_add(split.mantissa, V(16.0), V(0x1.8p52 - 16)));
  const V c = SixteenEntries<V>::at(tables::PlainLogReciprocal::rounded(), index);
  const auto rest = [&] {
    if constexpr (std::is_same_v<Low, Zero>) {
      return Zero{};
    } else {
      // beside large x, low is negligible, and the power may be out of range
      return low * blend(x < V(0x1p1000), split.inverse_power, V(0.0)) * c;
    }
  }();
  if constexpr (W == 1) {
    return {split.exponent, index, {plus(multiply_add(split.mantissa, c, V(-1.0)), rest), {}}, {}};
  } else {
    const auto [p, e] = two_prod(split.mantissa, c);
    return {split.exponent, index, {p - V(1.0), plus(e, rest)}, {}};
  }
}
/// All members of Logarithm for a positive normal number x + low.
template <int W, class V, class Low = Zero>
MCT_HD MCT_ALWAYS_INLINE constexpr Logarithm<W, V> logarithm(const V& x, const Low& low = {}) {
  auto parts = reduced_logarithm<W>(x, low);
  parts.near = small_log1p<W>(parts.argument.hi, parts.argument.lo);
  return parts;
}

/// The logarithm to base e from its parts.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> joined(const Logarithm<W, V>& parts) {
  constexpr double log2_high = 0x1.62e42fefa38p-1;  // a multiple of 2^-42, like the table's entries
  constexpr double log2_low = 0x1.ef35793c7673p-45;
  using Table = tables::PlainLog;
  const V table = SixteenEntries<V>::at(W == 1 ? Table::rounded() : Table::high(), parts.index);
  if constexpr (W == 1) {
    return {multiply_add(parts.exponent, V(0x1.62e42fefa39efp-1), table) + parts.near.hi, {}};
  } else {
    const V rest = SixteenEntries<V>::at(Table::low(), parts.index);
    const auto [hi, e] =
        ordered_sum<W>(V(multiply_add(parts.exponent, V(log2_high), table)), parts.near.hi);
    return {hi, e + (multiply_add(parts.exponent, V(log2_low), rest) + parts.near.lo)};
  }
}
/// The logarithm to base 2 from its parts.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> joined_base_2(const Logarithm<W, V>& parts) {
  using Table = tables::PlainLog2;
  const V table = parts.exponent +
                  SixteenEntries<V>::at(W == 1 ? Table::rounded() : Table::high(), parts.index);
  if constexpr (W == 1) {
    return {multiply_add(parts.near.hi, V(0x1.71547652b82fep+0), table), {}};
  } else {
    const V rest = SixteenEntries<V>::at(Table::low(), parts.index);
    const auto p = product(normalized(parts.near),
                           Pair<W, V>{V(0x1.71547652b82fep+0), V(0x1.777d0ffda0d24p-56)});
    const auto [hi, e] = ordered_sum<W>(table, p.hi);
    return {hi, e + (rest + p.lo)};
  }
}

/// The parts for any positive finite number. Subnormal numbers are scaled first.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Logarithm<W, V> logarithm_any(const V& x) {
  const auto small = x < V(0x1p-1022);
  auto parts = logarithm<W>(V(blend(small, V(x * V(0x1p54)), x)));
  parts.exponent = parts.exponent - blend(small, V(54.0), V(0.0));
  return parts;
}

/// log(2 x) in the lanes of a mask, where x >= 1; infinity for an infinite x.
template <int W, class V, class M>
MCT_HD MCT_ALWAYS_INLINE constexpr V log_twice(const M& mask, const V& x) {
  auto parts = logarithm<W>(V(blend(mask, x, V(1.0))));
  parts.exponent = parts.exponent + V(1.0);
  return blend(x < V(FloatTraits<V>::infinity), joined(parts).value(), x);
}

/// Calls join with the parts of log(1 + t) for t = hi + lo > -1. If 1 + t is near 1, the parts
/// contain the digits that 1 + t loses. For NaN the result is any number.
template <int W, class V, class Join>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> log1p_joined(const Pair<W, V>& t, const Join& join) {
  const auto near = magnitude(t.hi) < V(0x1p-6);
  if constexpr (W == 1) {
    auto parts = reduced_logarithm<W>(V(V(1.0) + t.hi));
    parts.near = small_log1p<W>(V(blend(near, t.hi, parts.argument.hi)), Zero{});
    return join(parts);
  } else {
    const auto [u, c] = two_sum(V(1.0), t.hi);
    auto parts = logarithm<W>(u, plus(c, t.lo));
    parts.near = blend(near, small_log1p<W>(t.hi, t.lo), parts.near);
    return join(parts);
  }
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> log1p_pair(const Pair<W, V>& t) {
  return log1p_joined<W>(t, [&](const auto& parts) -> Pair<W, V> {
    if constexpr (W == 1) {
      return {blend(magnitude(t.hi) < V(0x1p-6), parts.near.hi, joined(parts).hi), {}};
    } else {
      return joined(parts);
    }
  });
}

/// join(the parts of x) for a positive finite x; -inf for x = 0, and NaN for x < 0.
template <int W, bool within, class V, class Join>
MCT_HD MCT_ALWAYS_INLINE constexpr V any_log(const V& x, const Join& join) {
  V r;
  if constexpr (W == 1) {
    r = join(logarithm<W>(x)).value();
  } else {
    r = join(logarithm_any<W>(x)).value();
  }
  if constexpr (within) return r;
  const V infinity(FloatTraits<V>::infinity);
  const auto inside = x > V(0.0) && x < infinity;
  if (all_lanes(inside)) return r;
  const V outside = blend(x == V(0.0), V(-infinity), blend(x > V(0.0), x, V(FloatTraits<V>::nan)));
  return blend(inside, r, outside);
}
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V log(const V& x) {
  return any_log<W, within>(x, [](const auto& parts) { return joined(parts); });
}
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V log2(const V& x) {
  return any_log<W, within>(x, [](const auto& parts) { return joined_base_2(parts); });
}

/// A logarithm of 1 + x for every x. f(x) computes it, and tiny(x, f(x)) replaces it for tiny x.
template <class V, class Tiny, class F>
MCT_HD MCT_ALWAYS_INLINE constexpr V log1p_any(const V& x, const Tiny& tiny, const F& f) {
  const V infinity(FloatTraits<V>::infinity);
  const auto inside = x > V(-1.0) && x < infinity;
  const V r = tiny(x, f(V(blend(inside, x, V(0.0)))));
  if (all_lanes(inside)) return r;
  const V outside = blend(x == V(-1.0), V(-infinity), blend(x > V(0.0), x, V(FloatTraits<V>::nan)));
  return blend(inside, r, outside);
}
template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V log1p(const V& x) {
  const auto value = [](const V& y) { return log1p_pair<W>(pair_of<W>(y)).value(); };
  if constexpr (within) return value(x);
  return log1p_any(
      x, [](const V& y, const V& r) { return V(blend(magnitude(y) < V(0x1p-60), y, r)); }, value);
}

template <int W, bool within = false, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V log2p1(const V& x) {
  const auto value = [](const V& y) {
    return log1p_joined<W>(pair_of<W>(y), [](const auto& parts) { return joined_base_2(parts); })
        .value();
  };
  if constexpr (within) return value(x);
  const auto tiny = [](const V& y, const V& r) {
    const Pair<2, V> log2e{V(0x1.71547652b82fep+0), V(0x1.777d0ffda0d24p-56)};
    return W == 1 ? V(blend(y == V(0.0), y, r))
                  : V(blend(magnitude(y) < V(0x1p-900), tiny_multiple(log2e, y), r));
  };
  return log1p_any(x, tiny, value);
}

}  // namespace plain

MCT_PLAIN_FUNCTION_WITHIN(Log, log, 0x1p-126F, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Log2, log2, 0x1p-126F, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Log1p, log1p, -0.999F, 0x1p100F)
MCT_PLAIN_FUNCTION_WITHIN(Log2p1, log2p1, -0.999F, 0x1p100F)
template <>
inline constexpr float least_argument<Log2p1> = 0x1p-126F;

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
