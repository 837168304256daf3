// Veltkamp's splitting of a p-bit value into two halves whose products are exact.
#pragma once

#include "mctensor/eft/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// The shift s = ceil(p/2): 27 for double, 12 for float.
template <class V>
inline constexpr int split_shift = (FloatTraits<V>::p + 1) / 2;

/// Veltkamp's split as published; (2^s + 1) a must not overflow.
template <class V>
MCT_HD constexpr HiLo<V> split_in_range(const V& a) {
  using S = scalar_t<V>;
  constexpr S factor = pow2<S>(split_shift<V>) + 1;
  const V t = V(factor) * a;
  const V hi = t - (t - a);
  return {hi, a - hi};
}

}  // namespace detail

/// Splits a: hi + lo = a exactly. With s = ceil(p/2), hi has at most p - s bits, and lo at most s -
/// 1 bits and a sign (double: 26 and 26 bits, float: 12 and 11). So products of halves are exact.
/// Domain: every finite a; large values are scaled by a power of two first. If hi would round up to
/// 2^emax (|a| >= 2^emax (1 - 2^(s-p-1))), hi is the largest (p-s)-bit number instead, and lo has s
/// bits. For an infinity or NaN both halves are NaN. Source: Dekker 1971, Boldo 2006; Yu 2024, Alg.
/// 12, 19, 24 with the shift of docs/errata.md.
template <class V>
MCT_HD constexpr HiLo<V> split(const V& a) {
  using S = scalar_t<V>;
  using Traits = FloatTraits<V>;
  constexpr int s = detail::split_shift<V>;
  constexpr S threshold = pow2<S>(Traits::emax - s - 2);
  constexpr S down = pow2<S>(-s - 2);
  constexpr S up = pow2<S>(s + 2);
  // the largest (p-s)-bit number
  constexpr S top = pow2<S>(Traits::emax - 1) * (2 - pow2<S>(1 + s - Traits::p));
  const auto large = detail::magnitude(a) > V(threshold);
  const auto scaled = detail::split_in_range<V>(detail::blend(large, V(a * V(down)), a));
  V hi = detail::blend(large, V(scaled.hi * V(up)), scaled.hi);
  hi = detail::blend(hi > V(Traits::max), V(top), hi);
  hi = detail::blend(hi < V(-Traits::max), V(-top), hi);
  return {hi, a - hi};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
