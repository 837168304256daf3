// std::hash of expansions, half and bfloat16: equal values have equal hashes. arithmetic.hpp does
// not include this header; include it if you need hashes.
#pragma once

#include <cstddef>

#include "mctensor/eft/hash.hpp"
#include "mctensor/expansion/renormalize.hpp"

template <class T, int N>
struct std::hash<mct::Expansion<T, N>> {
  MCT_ALWAYS_INLINE std::size_t operator()(const mct::Expansion<T, N>& x) const noexcept {
    // a tie in rounding allows two limb sequences for one value; renormalize chooses one
    const mct::Expansion<T, N> unique = mct::renormalize(x);
    std::size_t seed = 0;
    for (int i = 0; i < N; ++i) {
      const std::size_t h = std::hash<T>{}(unique.limb[i] == T(0) ? T(0) : unique.limb[i]);
      seed ^= h + std::size_t(0x9e3779b97f4a7c15u) + (seed << 6) + (seed >> 2);
    }
    return seed;
  }
};
