// Philox4x32-10: a counter-based random generator. Any position of the stream is reached at once,
// so that results do not depend on the number of threads.
// Source: Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC'11.
#pragma once

#include <array>
#include <cstdint>

#include "mctensor/config.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

/// Ten rounds of the Philox 4x32 bijection: four random words for every counter and key.
MCT_HD constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                         std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * counter[0];
    const std::uint64_t b = std::uint64_t(0xCD9E8D57u) * counter[2];
    counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b),
               std::uint32_t(a >> 32) ^ counter[3] ^ key[1], std::uint32_t(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
