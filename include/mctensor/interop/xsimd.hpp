// xsimd batches as components: Expansion<xsimd::batch<double>, N>. Include this header rather than
// xsimd's own, so that fused multiply-add is one instruction.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "mctensor/eft/representation.hpp"
#include "mctensor/eft/value.hpp"

namespace mct {

/// The fma instruction of the batch's architecture. xsimd 8.1 has none for AVX-512 (its fma rounds
/// twice there), so that one is named here.
template <class S, class A>
struct FusedMultiplyAdd<xsimd::batch<S, A>> {
  using V = xsimd::batch<S, A>;

  MCT_ALWAYS_INLINE static V apply(const V& a, const V& b, const V& c) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64 && std::is_same_v<S, double>) return _mm512_fmadd_pd(a, b, c);
    if constexpr (sizeof(V) == 64 && std::is_same_v<S, float>) return _mm512_fmadd_ps(a, b, c);
#endif
#if defined(__FMA__) || defined(__aarch64__)
    return xsimd::fma(a, b, c);
#else
    S x[V::size];
    for (std::size_t i = 0; i < V::size; ++i) x[i] = std::fma(a.get(i), b.get(i), c.get(i));
    return V::load_unaligned(x);
#endif
  }
};

template <class S, class A>
struct Representation<xsimd::batch<S, A>> {
  using V = xsimd::batch<S, A>;
  using Bits = xsimd::batch<std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>, A>;

  // not xsimd's bitwise_cast, whose template argument is a batch or a number by its version
  MCT_ALWAYS_INLINE static Bits bits(const V& x) { return std::bit_cast<Bits>(x); }
  MCT_ALWAYS_INLINE static V value(const Bits& b) { return std::bit_cast<V>(b); }
};

}  // namespace mct
