// Random bits for stochastic rounding: those that the host's GroupRandom draws.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"
#include "mctensor/tensor/philox.hpp"
#include "src/optim/kernels/adamw_table.hpp"

namespace mct::cuda {

/// 16 random bits for each of eight neighbours.
struct OctetRandom {
  std::uint32_t pair[4];

  MCT_HD std::uint32_t bits(int e) const {
    return e % 2 == 0 ? pair[e / 2] & 0xffffu : pair[e / 2] >> 16;
  }

  /// Those of the elements from `position` on, 8 l (modulo 128) where the thread is number l of 16.
  /// All threads of a warp call it.
  ///
  /// The words of these elements come from four counters, and every counter has one for each of
  /// four threads: thread (k, r) = (l / 4, l mod 4) draws from one, and the four threads with the
  /// same r exchange what they drew.
  template <class Team>
  MCT_BLOCK static OctetRandom draw(Team& team, const optim_detail::AdamWConstants& c,
                                    std::int64_t position, std::uint32_t stream) {
    const int k = team.rank() / 4 % 4;
    const int r = team.rank() % 4;
    const auto group = std::uint64_t(position) / optim_detail::group_length;
    const std::uint64_t number = group * 16 + std::uint64_t(2 * r + k % 2 * 8 + k / 2);
    std::uint64_t x[4] = {number, number >> 32, c.step, stream};
    detail::philox4x32_rounds(x, c.key[0], c.key[1]);
    OctetRandom all;
    MCT_UNROLL
    for (int i = 0; i < 4; ++i) all.pair[i] = std::uint32_t(x[i]);
    all.exchange<1>(team, k);
    all.exchange<2>(team, k);
    return all;
  }

 private:
  /// Transposes the blocks of Bit x Bit words in those of twice the size.
  template <int Bit, class Team>
  MCT_BLOCK void exchange(Team& team, int k) {
    const bool upper = (k & Bit) != 0;
    MCT_UNROLL
    for (int i = 0; i < 4; ++i) {
      if ((i & Bit) != 0) continue;
      const std::uint32_t other = team.shuffle_xor(upper ? pair[i] : pair[i + Bit], 4 * Bit);
      if (upper) {
        pair[i] = other;
      } else {
        pair[i + Bit] = other;
      }
    }
  }
};

}  // namespace mct::cuda
