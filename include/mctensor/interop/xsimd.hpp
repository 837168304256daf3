// xsimd batches as components: Expansion<xsimd::batch<double>, N>. Include this header instead of
// xsimd's own: it makes fused multiply-add one instruction.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "mctensor/eft/representation.hpp"
#include "mctensor/eft/value.hpp"
#include "mctensor/math/plain/lanes.hpp"

#if defined(__aarch64__)
namespace xsimd {

// Computes quotients and roots of floats by the processor's instructions. xsimd 8.1 iterates from
// an estimate instead, which does not round correctly.
template <>
inline batch<float, neon64>& batch<float, neon64>::operator/=(const batch& other) noexcept {
  return *this = batch(vdivq_f32(*this, other));
}
template <>
inline batch<float, neon64> sqrt(const batch<float, neon64>& x) noexcept {
  return batch<float, neon64>(vsqrtq_f32(x));
}

}  // namespace xsimd
#endif

namespace mct {

/// The fma instruction of the batch's architecture. xsimd 8.1 has no fma for AVX-512 that rounds
/// once, so this header names the instruction.
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

  // xsimd's bitwise_cast is not used, because its template argument depends on the version
  MCT_ALWAYS_INLINE static Bits bits(const V& x) { return std::bit_cast<Bits>(x); }
  MCT_ALWAYS_INLINE static V value(const Bits& b) { return std::bit_cast<V>(b); }
  MCT_ALWAYS_INLINE static auto less(const Bits& a, const Bits& b) {
    return std::bit_cast<xsimd::batch_bool<S, A>>(a < b);
  }
  MCT_ALWAYS_INLINE static auto disjoint(const Bits& a, const Bits& b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64 && sizeof(S) == 8)
      return xsimd::batch_bool<S, A>(_mm512_testn_epi64_mask(a, b));
    else if constexpr (sizeof(V) == 64)
      return xsimd::batch_bool<S, A>(_mm512_testn_epi32_mask(a, b));
    else
#endif
      return std::bit_cast<xsimd::batch_bool<S, A>>((a & b) == Bits(0));
  }
};

#if defined(__AVX512F__)
template <class A>
requires(sizeof(xsimd::batch<double, A>) == 64) struct TableEntries<xsimd::batch<double, A>> {
  using V = xsimd::batch<double, A>;

  MCT_ALWAYS_INLINE static V at(const double* table, const typename Representation<V>::Bits& i) {
    return _mm512_i64gather_pd(i, table, 8);
  }
};
template <class A>
requires(sizeof(xsimd::batch<double, A>) == 64) struct SixteenEntries<xsimd::batch<double, A>> {
  using V = xsimd::batch<double, A>;

  MCT_ALWAYS_INLINE static V at(const double* table, const typename Representation<V>::Bits& i) {
    return _mm512_permutex2var_pd(_mm512_loadu_pd(table), i, _mm512_loadu_pd(table + 8));
  }
};
template <class A>
requires(sizeof(xsimd::batch<double, A>) == 64) struct ShortReciprocal<xsimd::batch<double, A>> {
  using V = xsimd::batch<double, A>;

  MCT_ALWAYS_INLINE static V rough(const V& x) { return _mm512_rcp14_pd(x); }
  /// 1/x. Two Newton steps from 14 bits take a quarter of a division's time.
  MCT_ALWAYS_INLINE static V of(const V& x) {
    const __m512d one = _mm512_set1_pd(1.0);
    __m512d r = _mm512_rcp14_pd(x);
    r = _mm512_fmadd_pd(r, _mm512_fnmadd_pd(x, r, one), r);
    return _mm512_fmadd_pd(r, _mm512_fnmadd_pd(x, r, one), r);
  }
  /// 1/sqrt(x) by the same method: r + r e / 2 with e = 1 - x r^2.
  MCT_ALWAYS_INLINE static V root(const V& x) {
    const __m512d one = _mm512_set1_pd(1.0);
    const __m512d one_half = _mm512_set1_pd(0.5);
    __m512d r = _mm512_rsqrt14_pd(x);
    for (int step = 0; step < 2; ++step) {
      const __m512d e = _mm512_fnmadd_pd(_mm512_mul_pd(x, r), r, one);
      r = _mm512_fmadd_pd(_mm512_mul_pd(r, one_half), e, r);
    }
    return r;
  }
};
#endif

template <class A>
struct DoubleHalves<xsimd::batch<float, A>> {
  using V = xsimd::batch<float, A>;
  using D = xsimd::batch<double, A>;

  MCT_ALWAYS_INLINE static D low(const V& x) { return half<0>(x); }
  MCT_ALWAYS_INLINE static D high(const V& x) { return half<1>(x); }
  MCT_ALWAYS_INLINE static V joined(const D& low, const D& high) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64) {
      const __m256 halves[2] = {_mm512_cvtpd_ps(low), _mm512_cvtpd_ps(high)};
      return _mm512_castpd_ps(_mm512_insertf64x4(
          _mm512_castps_pd(_mm512_castps256_ps512(halves[0])), _mm256_castps_pd(halves[1]), 1));
    }
#endif
    double from[V::size];
    float to[V::size];
    low.store_unaligned(from);
    high.store_unaligned(from + D::size);
    for (std::size_t i = 0; i < V::size; ++i) to[i] = float(from[i]);
    return V::load_unaligned(to);
  }

 private:
  template <int I>
  MCT_ALWAYS_INLINE static D half(const V& x) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64)
      return _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), I)));
#endif
    float from[V::size];
    double to[D::size];
    x.store_unaligned(from);
    for (std::size_t i = 0; i < D::size; ++i) to[i] = double(from[I * D::size + i]);
    return D::load_unaligned(to);
  }
};

}  // namespace mct
