// In which order edges come in an epoch of training.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "mctensor/tensor/philox.hpp"

namespace mct::embed {

/// Fisher, Yates.
inline std::vector<std::uint32_t> edge_order(std::size_t edges, std::uint64_t seed,
                                             std::int64_t epoch) {
  std::vector<std::uint32_t> order(edges);
  std::iota(order.begin(), order.end(), 0u);
  constexpr std::uint32_t stream = 0x0DE80000;  // no other of a seed
  std::array<std::uint32_t, 4> words{};
  for (std::size_t at = 0; at + 1 < edges; ++at) {
    if (at % 4 == 0)
      words = philox4x32({std::uint32_t(at), std::uint32_t(at >> 32), std::uint32_t(epoch), stream},
                         {std::uint32_t(seed), std::uint32_t(seed >> 32)});
    const std::size_t left = edges - at;
    std::swap(order[left - 1], order[std::size_t(std::uint64_t(words[at % 4]) * left >> 32)]);
  }
  return order;
}

}  // namespace mct::embed
