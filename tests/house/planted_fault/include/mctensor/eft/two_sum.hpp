// Deliberately wrong, for the planted-fault test only: this header stands before the real one in
// the include path, and the suite must notice.
#pragma once

#include "mctensor/eft/value.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

/// The fault: b_virtual where the error term needs b, so that b's share of the error is lost.
template <class V>
MCT_HD constexpr HiLo<V> two_sum(const V& a, const V& b) {
  const V s = a + b;
  const V b_virtual = s - a;
  const V a_virtual = s - b_virtual;
  return {s, (a - a_virtual) + (b_virtual - b_virtual)};
}

template <class V>
MCT_HD constexpr HiLo<V> fast_two_sum(const V& a, const V& b) {
  const V s = a + b;
  return {s, b - (s - a)};
}

template <class V>
MCT_HD constexpr HiLo<V> two_diff(const V& a, const V& b) {
  const V s = a - b;
  const V b_virtual = s - a;
  const V a_virtual = s - b_virtual;
  return {s, (a - a_virtual) - (b + b_virtual)};
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
