// Writes words, which are parameters of the launch, to a device's memory. It needs no copy, does
// not wait, and can be recorded.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"

namespace mct::cuda {

/// Writes words[0 ... count - 1] to to[0], to[stride] ... One block.
struct WriteWords {
  static constexpr int threads = 128, blocks_per_sm = 1;
  /// The parameters of a kernel have no room for more.
  static constexpr int most = 496;

  std::uint64_t* to;
  std::int32_t stride, count;
  std::uint64_t words[most];

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    for (int i = team.rank(); i < count; i += threads)
      team.template store<1>(to + std::int64_t(i) * stride, Pack<std::uint64_t, 1>{{words[i]}});
  }
};

}  // namespace mct::cuda
