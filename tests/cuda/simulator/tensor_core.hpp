// How a matrix instruction adds up its products.
#pragma once

#include <cstdint>

#include "tests/cuda/simulator/block.hpp"

namespace mct::cuda {

/// c + sum of a[k] b[k], of 16 products of bfloat16 values.
float tensor_core_sum(float c, const float (&a)[16], const float (&b)[16], TensorCore how);

/// Of 32 products of bytes: exact, modulo 2^32.
inline std::int32_t tensor_core_sum(std::int32_t c, const std::int32_t (&a)[32],
                                    const std::int32_t (&b)[32], TensorCore) {
  auto sum = std::uint32_t(c);
  for (int k = 0; k < 32; ++k) sum += std::uint32_t(a[k] * b[k]);
  return std::int32_t(sum);
}

}  // namespace mct::cuda
