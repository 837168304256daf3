// How a matrix instruction adds up its products.
#pragma once

#include <cstdint>

#include "tests/cuda/simulator/block.hpp"

namespace mct::cuda {

/// c + sum of a[k] b[k], of 16 products of bfloat16 values: one element of mma.m16n8k16 with sums
/// in float.
///
/// Devices align the terms of a block, c among them, to their largest exponent, cut them off after
/// so many bits, add them exactly, and cut the sum off to a float: A100 two blocks of 8 products
/// one after the other, with 24 bits after the point, H100 one block of 16 with 25. The exponent
/// of a product is the sum of its factors', so that its significand may be up to 4; subnormal
/// numbers count, with the least normal exponent. Error of a block: each of its count + 1 terms
/// loses less than 2^-fraction of twice the largest one, the sum less than one ulp. Source: Xie
/// et al. 2025 (MMA-Sim, arXiv 2511.10909), whose models of the instructions agree with the devices
/// in every bit; before them Fasi et al. 2021, beside them Khattak, Mikaitis 2025 (arXiv
/// 2512.07004). The sign of a zero sum is not theirs to be had: here it is +.
float tensor_core_sum(float c, const float (&a)[16], const float (&b)[16], TensorCore how);

/// Of 32 products of bytes: exact, modulo 2^32.
inline std::int32_t tensor_core_sum(std::int32_t c, const std::int32_t (&a)[32],
                                    const std::int32_t (&b)[32], TensorCore) {
  auto sum = std::uint32_t(c);
  for (int k = 0; k < 32; ++k) sum += std::uint32_t(a[k] * b[k]);
  return std::int32_t(sum);
}

}  // namespace mct::cuda
