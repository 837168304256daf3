// Philox in lanes: the product that its rounds need, for batches of 64-bit words.
#pragma once

#include "mctensor/tensor/philox.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

#if MCT_WITH_XSIMD
namespace detail {

template <class A>
struct LowWordProduct<xsimd::batch<std::uint64_t, A>> {
  using W = xsimd::batch<std::uint64_t, A>;

  MCT_ALWAYS_INLINE static W apply(const W& a, const W& b) {
#if defined(__AVX512F__)
    return _mm512_mul_epu32(a, b);
#elif defined(__AVX2__)
    return _mm256_mul_epu32(a, b);
#elif defined(__SSE2__)
    return _mm_mul_epu32(a, b);
#elif defined(__aarch64__)
    return vmull_u32(vmovn_u64(a), vmovn_u64(b));
#else
    const W low(std::uint64_t(0xffffffffu));
    return (a & low) * (b & low);
#endif
  }
};

}  // namespace detail
#endif

namespace kernels {

/// Counters and words of Philox, one in each 64-bit lane.
#if MCT_WITH_XSIMD
using Words64 = xsimd::batch<std::uint64_t>;
#else
using Words64 = std::uint64_t;
#endif
inline constexpr std::size_t words64_lanes = sizeof(Words64) / sizeof(std::uint64_t);

MCT_ALWAYS_INLINE inline Words64 load_words64(const std::uint64_t* aligned) {
#if MCT_WITH_XSIMD
  return Words64::load_aligned(aligned);
#else
  return *aligned;
#endif
}
/// Words at any address.
MCT_ALWAYS_INLINE inline Words64 load_any_words64(const void* p) {
#if MCT_WITH_XSIMD
  return Words64::load_unaligned(static_cast<const std::uint64_t*>(p));
#else
  std::uint64_t word = 0;
  __builtin_memcpy(&word, p, sizeof(word));
  return word;
#endif
}
MCT_ALWAYS_INLINE inline void store_words64(const Words64& x, std::uint64_t* aligned) {
#if MCT_WITH_XSIMD
  x.store_aligned(aligned);
#else
  *aligned = x;
#endif
}

/// The sum of all lanes.
MCT_ALWAYS_INLINE inline std::uint64_t sum_of_words64(const Words64& x) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  return std::uint64_t(_mm512_reduce_add_epi64(x));
#else
  alignas(64) std::uint64_t words[words64_lanes];
  store_words64(x, words);
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += word;
  return sum;
#endif
}

/// The low halves of two registers of words side by side: a's first.
MCT_ALWAYS_INLINE inline Words64 side_by_side(const Words64& a, const Words64& b) {
  return (a & Words64(std::uint64_t(0xffffffffu))) | (b << 32);
}

}  // namespace kernels
}  // namespace mct::inline MCT_ISA_NAMESPACE
