// Powers of two that scale operands, so that no intermediate result over- or underflows. Division
// and square root need them; + - * do not.
#pragma once

#include <bit>
#include <cstdint>

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// Multiplies every limb by a power of two.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> scale_limbs(const Expansion<T, N>& x, const T& factor) {
  Expansion<T, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = x.limb[i] * factor;
  return r;
}

/// True if every lane of a mask is true.
template <class M>
MCT_HD constexpr bool all_lanes(const M& mask) {
  if constexpr (std::is_same_v<M, bool>) {
    return mask;
  } else {
    return all(mask);
  }
}

/// The first M limbs.
template <int M, class T, int N>
MCT_HD constexpr Expansion<T, M> leading(const Expansion<T, N>& x) {
  static_assert(M <= N);
  Expansion<T, M> r;
  for (int i = 0; i < M; ++i) r.limb[i] = x.limb[i];
  return r;
}

/// The same value, followed by zero limbs.
template <int N, class T, int M>
MCT_HD constexpr Expansion<T, N> widen(const Expansion<T, M>& x) {
  static_assert(M <= N);
  Expansion<T, N> r;
  for (int i = 0; i < M; ++i) r.limb[i] = x.limb[i];
  return r;
}

/// 2^floor(log2 |x|) of a normal x: all bits but the exponent field are cleared. 0 for zero and
/// subnormals, +inf for infinities and NaN.
template <class V>
MCT_HD constexpr V exponent_part(const V& x) {
  if constexpr (std::is_same_v<V, double>) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7ff0000000000000u);
  } else if constexpr (std::is_same_v<V, float>) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7f800000u);
  } else if constexpr (is_short_float_v<V>) {
    return V::from_bits(std::uint16_t(x.bits() & V(FloatTraits<V>::infinity).bits()));
  } else {
    return x & V(FloatTraits<V>::infinity);  // the bits of infinity are the exponent field
  }
}

/// A power of two that brings a value v to [1, 2), and its inverse: v * first * second lies in [1,
/// 2). It is a product of two factors, because the power itself may be out of range.
template <class V>
struct PowerOfTwoScale {
  V first, second;
  V inverse_first, inverse_second;
};

template <class V>
MCT_HD constexpr PowerOfTwoScale<V> scale_to_unit(const V& x) {
  using S = scalar_t<V>;
  using Traits = FloatTraits<V>;
  constexpr int lift = 2 * Traits::p;
  const V one(S(1));
  const auto small = magnitude(x) < V(pow2<S>(Traits::emin + 2 * Traits::p));
  const V first = blend(small, V(pow2<S>(lift)), one);
  const V power = exponent_part<V>(x * first);
  return {first, one / power, blend(small, V(pow2<S>(-lift)), one), power};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
