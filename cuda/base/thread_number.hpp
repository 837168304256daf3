// Numbers of threads.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"

namespace mct::cuda {

/// The number of a thread in its row of the grid; a block has `threads` threads.
template <int threads, class Team>
MCT_BLOCK std::int64_t thread_number(const Team& team) {
  return std::int64_t(team.block_x()) * threads + team.rank();
}

}  // namespace mct::cuda
