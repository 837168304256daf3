// A limb that is zero already at compile time.
//
// An accumulation network is a fixed sequence of error-free sums; its wires are the numbers between
// them. A network is a template on the types of its wires. Missing limbs of an operand are of type
// Zero, and the compiler removes every operation on them. So expansion + float and expansion *
// float are the full network, with its proof, but without exact additions of zero.
#pragma once

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

struct Zero {};

template <class V>
MCT_HD constexpr const V& plus(const V& a, Zero) {
  return a;
}
template <class V>
MCT_HD constexpr const V& plus(Zero, const V& b) {
  return b;
}
MCT_HD constexpr Zero plus(Zero, Zero) { return {}; }
template <class V>
MCT_HD constexpr V plus(const V& a, const V& b) {
  return a + b;
}

template <class V>
MCT_HD constexpr V times(const V& a, const V& b) {
  return a * b;
}
template <class V>
MCT_HD constexpr Zero times(const V&, Zero) {
  return {};
}
template <class V>
MCT_HD constexpr Zero times(Zero, const V&) {
  return {};
}
MCT_HD constexpr Zero times(Zero, Zero) { return {}; }

template <class V>
MCT_HD constexpr HiLo<V, Zero> two_sum(const V& a, Zero) {
  return {a, {}};
}
template <class V>
MCT_HD constexpr HiLo<V, Zero> two_sum(Zero, const V& b) {
  return {b, {}};
}
MCT_HD constexpr HiLo<Zero> two_sum(Zero, Zero) { return {}; }
using mct::two_sum;

template <class V>
MCT_HD constexpr HiLo<V, Zero> fast_two_sum(const V& a, Zero) {
  return {a, {}};
}
template <class V>
MCT_HD constexpr HiLo<V, Zero> fast_two_sum(Zero, const V& b) {
  return {b, {}};
}
MCT_HD constexpr HiLo<Zero> fast_two_sum(Zero, Zero) { return {}; }
using mct::fast_two_sum;

template <class V>
MCT_HD constexpr HiLo<Zero> two_prod(const V&, Zero) {
  return {};
}
template <class V>
MCT_HD constexpr HiLo<Zero> two_prod(Zero, const V&) {
  return {};
}
MCT_HD constexpr HiLo<Zero> two_prod(Zero, Zero) { return {}; }
using mct::two_prod;

/// Limb I of x as a wire: Zero beyond the last one.
template <int I, class T, int N>
MCT_HD constexpr auto wire(const Expansion<T, N>& x) {
  if constexpr (I < N) {
    return x.limb[I];
  } else {
    return Zero{};
  }
}

/// The number on a wire at the end of a network; 0 for Zero.
template <class V>
MCT_HD constexpr V wire_value(const V& a) {
  return a;
}
template <class V>
MCT_HD constexpr V wire_value(Zero) {
  return V(scalar_t<V>(0));
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
