// Reduction of large angles of plain numbers, in all lanes of a batch at once.
//
// x = m 2^(24 row) with |m| < 2^76; m is a whole number if row > 0. Then 64 x / pi modulo 128 is m
// times a row of the table. The row leaves out the digits whose product with m is a multiple of
// 128. Source: Payne, Hanek: Radian reduction for trigonometric functions, SIGNUM 18, 1983, with
// sums of doubles in place of integers.
#pragma once

#include "mctensor/math/plain/working.hpp"
#include "mctensor/math/tables/reduction_table.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail::plain {

/// x = n pi/16 + rest. The last bits of `steps` hold n modulo 32.
template <int W, class V>
struct Angle {
  typename Representation<V>::Bits steps;
  Pair<W, V> rest;
};

/// The reduction of any angle of at least 2^19. For infinities and NaN the rest is NaN. Relative
/// error of the rest: 2^-70 for W = 2 (double), even for the double nearest to a multiple of pi/2;
/// 2^-48 for W = 1 (float).
///
/// Proof. The products of m and three doubles of the row are exact, and so are all sums down to
/// 2^-80 of a step. The rest is at least 2^-60 of a step. The digits that the row lacks at its end
/// are below 2^-135.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Angle<W, V> reduce_large_angle(const V& x) {
  using R = Representation<V>;
  using Bits = typename R::Bits;
  using Rows = tables::PowersInSteps<double>;
  const V size = magnitude(x);
  const V finite = blend(size < V(FloatTraits<V>::infinity), size, V(1.0));
  // the whole part of (exponent - 52) / 24, where that is positive
  const V exponent = at_least(64.0, binary_split(finite, 1.0).exponent);
  const auto row = nearest_product(V(exponent - V(63.5)), 1.0 / 24);
  // in steps of pi/16
  const V m = x * power_of_two(V(multiply_add(V(-24.0), row.value, V(-2.0))));
  const Bits first = (row.bits & Bits(std::uint64_t(63))) * Bits(std::uint64_t(Rows::limbs));
  const auto entry = [&](int i) { return TableEntries<V>::at(Rows::row(0) + i, first); };

  const auto p = two_prod(m, entry(0));
  const auto q = two_prod(m, entry(1));
  const auto a = two_sum(modulo_unit(V(p.hi), 32.0), modulo_unit(V(p.lo), 32.0));
  const auto b = two_sum(V(a.hi), modulo_unit(V(q.hi), 32.0));
  const auto n = nearest_product(V(b.hi), 1.0);
  const V left = b.hi - n.value;
  const V step(0x1.921fb54442d18p-3);
  if constexpr (W == 1) {
    const V low = multiply_add(m, entry(2), V(a.lo + b.lo));
    return {n.bits, {(left + (q.lo + low)) * step, {}}};
  } else {
    const auto r = two_prod(m, entry(2));
    const auto c = two_sum(left, V(q.lo));
    const auto d = two_sum(V(c.hi), V(r.hi));
    // the errors of the sums so far may be as large as the rest, or cancel with it
    const auto e = two_sum(V(a.lo), V(b.lo));
    const auto f = two_sum(V(c.lo), V(d.lo));
    const auto g = two_sum(V(e.hi), V(f.hi));
    const V small = multiply_add(m, entry(3), V(r.lo + ((e.lo + f.lo) + g.lo)));
    const auto h = two_sum(V(d.hi), V(g.hi));
    const auto rest = two_sum(V(h.hi), V(h.lo + small));
    const Pair<2, V> steps{step, V(0x1.1a62633145c07p-57)};
    return {n.bits, normalized(product(Pair<2, V>{rest.hi, rest.lo}, steps))};
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail::plain
