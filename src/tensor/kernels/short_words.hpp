// 16-bit numbers of a thread, two in a word: the scalar counterpart of loads and stores of lanes.
#pragma once

#include <bit>
#include <cstdint>

#include "mctensor/eft/half.hpp"
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

#if defined(__CUDACC__)
/// The bits of two numbers of CUDA's, which std::bit_cast does not take.
template <class Two>
__device__ __forceinline__ std::uint32_t bits_of(Two two) {
  std::uint32_t bits = 0;
  memcpy(&bits, &two, sizeof(bits));
  return bits;
}
#endif

/// Two T in a word, the first one in its low half. On a GPU the hardware converts: results are the
/// host's, but that every NaN becomes the same one.
template <class T>
struct ShortWords;

template <>
struct ShortWords<bfloat16> {
  /// Exactly.
  MCT_HD MCT_ALWAYS_INLINE static float first(std::uint32_t word) {
    return std::bit_cast<float>(word << 16);
  }
  MCT_HD MCT_ALWAYS_INLINE static float second(std::uint32_t word) {
    return std::bit_cast<float>(word & 0xffff0000u);
  }
  /// Stores what RoundLanes::to_store has made.
  MCT_HD MCT_ALWAYS_INLINE static std::uint32_t pack(float first, float second) {
#if defined(__CUDA_ARCH__)
    return bits_of(__floats2bfloat162_rn(first, second));
#else
    return std::bit_cast<std::uint32_t>(first) >> 16 |
           (std::bit_cast<std::uint32_t>(second) & 0xffff0000u);
#endif
  }
#if defined(__CUDACC__)
  /// To the nearest, ties to even.
  __device__ __forceinline__ static float rounded(float x) {
    return std::bit_cast<float>(bits_of(__floats2bfloat162_rn(0.0F, x)));
  }
#endif
};

template <>
struct ShortWords<half> {
  MCT_HD MCT_ALWAYS_INLINE static float first(std::uint32_t word) { return wide(word & 0xffffu); }
  MCT_HD MCT_ALWAYS_INLINE static float second(std::uint32_t word) { return wide(word >> 16); }
  MCT_HD MCT_ALWAYS_INLINE static std::uint32_t pack(float first, float second) {
#if defined(__CUDA_ARCH__)
    return bits_of(__floats2half2_rn(first, second));
#else
    return half(first).bits() | std::uint32_t(half(second).bits()) << 16;
#endif
  }
#if defined(__CUDACC__)
  __device__ __forceinline__ static float rounded(float x) {
    return __half2float(__float2half_rn(x));
  }
#endif

 private:
  MCT_HD MCT_ALWAYS_INLINE static float wide(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return __half2float(__ushort_as_half(std::uint16_t(bits)));
#else
    return float(half::from_bits(std::uint16_t(bits)));
#endif
  }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
