// Loads and stores of expansions between planes of memory and SIMD lanes.
#pragma once

#include <cstddef>

#include "mctensor/expansion/arithmetic.hpp"
#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The widest register of T in this instruction set; T itself where there is none.
#if MCT_WITH_XSIMD
template <class T>
struct WidestBatch {
  using type = T;
};
template <>
struct WidestBatch<double> {
  using type = xsimd::batch<double>;
};
template <>
struct WidestBatch<float> {
  using type = xsimd::batch<float>;
};
template <class T>
using widest_batch = typename WidestBatch<T>::type;
#else
template <class T>
using widest_batch = T;
#endif

/// Elements in a value of V.
template <class V>
inline constexpr std::size_t lanes = 1;
#if MCT_WITH_XSIMD
template <class T, class A>
inline constexpr std::size_t lanes<xsimd::batch<T, A>> = xsimd::batch<T, A>::size;
#endif

template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V load_lanes(const scalar_t<V>* p) {
  if constexpr (lanes<V> == 1) {
    return *p;
  } else {
    return V::load_unaligned(p);
  }
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline void store_lanes(const V& v, scalar_t<V>* p) {
  if constexpr (lanes<V> == 1) {
    *p = v;
  } else {
    v.store_unaligned(p);
  }
}
/// A mask of V (bool, or a batch of it).
template <class M>
MCT_HD MCT_ALWAYS_INLINE inline void store_mask(const M& mask, bool* p) {
  if constexpr (std::is_same_v<M, bool>) {
    *p = mask;
  } else {
    mask.store_unaligned(p);
  }
}

template <class V, int N>
MCT_ALWAYS_INLINE inline Expansion<V, N> load_expansion(const scalar_t<V>* const* planes,
                                                        std::size_t i) {
  Expansion<V, N> x;
  for (int k = 0; k < N; ++k) x.limb[k] = load_lanes<V>(planes[k] + i);
  return x;
}
template <class V, int N>
MCT_ALWAYS_INLINE inline void store_expansion(const Expansion<V, N>& x, scalar_t<V>* const* planes,
                                              std::size_t i) {
  for (int k = 0; k < N; ++k) store_lanes<V>(x.limb[k], planes[k] + i);
}

/// The last elements, fewer than a register holds, in a buffer that is full: the lanes after them
/// hold ones, on which every function is quick and harmless.
template <class V, int N>
struct Tail {
  using S = scalar_t<V>;
  S buffer[N][lanes<V>];
  S* planes[N];

  MCT_ALWAYS_INLINE Tail() {
    for (int k = 0; k < N; ++k) planes[k] = buffer[k];
  }
  MCT_ALWAYS_INLINE Tail(const S* const* from, std::size_t at, std::size_t n) : Tail() {
    for (int k = 0; k < N; ++k)
      for (std::size_t i = 0; i < lanes<V>; ++i)
        buffer[k][i] = i < n ? from[k][at + i] : S(k == 0 ? 1 : 0);
  }
  MCT_ALWAYS_INLINE Expansion<V, N> value() const { return load_expansion<V, N>(planes, 0); }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
