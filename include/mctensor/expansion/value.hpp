// The operations that a generic formula may use on a value: a number, a SIMD batch, or an Expansion
// of either.
//
// Functions of math, kernels of tensors and formulas of geometry are written once, for every value
// type V. Beside + - * / and the named functions they need the leading limb of a V, exact
// constants, selection by a mask and scaling by powers of two. This header has one name for each of
// these. Operations on a single limb are in eft/value.hpp.
#pragma once

#include "mctensor/expansion/range.hpp"

namespace mct {

/// The type of a limb of a value type, and the number of limbs.
template <class V>
struct ValueTraits {
  using Limb = V;
  static constexpr int limbs = 1;
};
template <class T, int N>
struct ValueTraits<Expansion<T, N>> {
  using Limb = T;
  static constexpr int limbs = N;
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

template <class V>
using limb_t = typename ValueTraits<V>::Limb;
template <class V>
inline constexpr int limbs_of = ValueTraits<V>::limbs;
/// The scalar type of a value: double for f64x2 and for a batch of doubles.
template <class V>
using base_scalar_t = scalar_t<limb_t<V>>;

/// The leading limb. It is enough for comparisons that only choose a formula.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr const limb_t<V>& lead(const V& x) {
  if constexpr (is_expansion_v<V>) {
    return x.limb[0];
  } else {
    return x;
  }
}

/// A constant that is exact in one limb.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V number(double value) {
  return V(limb_t<V>(base_scalar_t<V>(value)));
}

/// mask ? a : b of expansions: the blend of eft/value.hpp for every limb.
template <class M, class T, int N>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<T, N> blend(const M& mask, const Expansion<T, N>& a,
                                                         const Expansion<T, N>& b) {
  Expansion<T, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = blend(mask, a.limb[i], b.limb[i]);
  return r;
}

/// x times a power of two. This is exact as long as no limb leaves the range.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V scaled(const V& x, const limb_t<V>& power) {
  if constexpr (is_expansion_v<V>) {
    return scale_limbs(x, power);
  } else {
    return x * power;
  }
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V halved(const V& x) {
  return scaled(x, number<limb_t<V>>(0.5));
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V doubled(const V& x) {
  return scaled(x, number<limb_t<V>>(2));
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
