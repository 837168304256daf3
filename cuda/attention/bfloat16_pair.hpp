// Two bfloat16 in a register, as matrix instructions take them.
#pragma once

#include <bit>
#include <cstdint>

#include "cuda/base/pack.hpp"
#include "mctensor/eft/half.hpp"

namespace mct::cuda {

/// x in the low half and y in the high half, each rounded to the nearest. NaN stays NaN, but not
/// its payload.
MCT_BLOCK std::uint32_t round_to_pair(float x, float y) {
#if defined(__CUDA_ARCH__)
  std::uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
  return pair;
#else
  return bfloat16(x).bits() | std::uint32_t(bfloat16(y).bits()) << 16;
#endif
}
MCT_BLOCK float low_of_pair(std::uint32_t pair) { return std::bit_cast<float>(pair << 16); }
MCT_BLOCK float high_of_pair(std::uint32_t pair) {
  return std::bit_cast<float>(pair & 0xffff0000u);
}
/// The nearest bfloat16.
MCT_BLOCK bfloat16 round_to_bfloat16(float x) {
  return bfloat16::from_bits(std::uint16_t(round_to_pair(x, 0)));
}

}  // namespace mct::cuda
