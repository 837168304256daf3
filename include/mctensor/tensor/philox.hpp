// Philox4x32-10: a counter-based random generator. It computes any position of the stream directly,
// so results do not depend on the number of threads. Source: Salmon, Moraes, Dror, Shaw: Parallel
// random numbers: as easy as 1, 2, 3, SC'11.
//
// Error: none. The results are whole numbers and have the same bits on every machine. Domain: every
// counter and key.
#pragma once

#include <array>
#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// The 64-bit product of the low 32 bits of a and b. Headers of SIMD batches specialize it.
template <class W>
struct LowWordProduct {
  MCT_HD static constexpr W apply(W a, W b) { return (a & 0xffffffffu) * (b & 0xffffffffu); }
};

/// Ten rounds of the Philox 4x32 bijection in place, for W = std::uint64_t or a batch of it. Only
/// the low 32 bits of each word count. Higher bits are ignored on entry and arbitrary in the
/// result.
template <class W>
MCT_HD MCT_ALWAYS_INLINE constexpr void philox4x32_rounds(W (&x)[4], std::uint32_t key0,
                                                          std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const W a = LowWordProduct<W>::apply(x[0], W(std::uint64_t(0xD2511F53u)));
    const W b = LowWordProduct<W>::apply(x[2], W(std::uint64_t(0xCD9E8D57u)));
    x[0] = (b >> 32) ^ x[1] ^ W(std::uint64_t(key0));
    x[1] = b;
    x[2] = (a >> 32) ^ x[3] ^ W(std::uint64_t(key1));
    x[3] = a;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

}  // namespace detail

/// Four random words for every counter and key.
MCT_HD constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                         std::array<std::uint32_t, 2> key) {
  std::uint64_t x[4] = {counter[0], counter[1], counter[2], counter[3]};
  detail::philox4x32_rounds(x, key[0], key[1]);
  return {std::uint32_t(x[0]), std::uint32_t(x[1]), std::uint32_t(x[2]), std::uint32_t(x[3])};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
