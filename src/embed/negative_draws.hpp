// The nodes that random words stand for as negatives, on the CPU and on a GPU.
#pragma once

#include <array>
#include <cstdint>

#include "mctensor/tensor/philox.hpp"

namespace mct::embed_detail {

/// Tries for each negative. Where they find too few nodes, the nodes that were found are repeated.
inline constexpr int tries_of_negative = 10;

/// Philox' counter for the words of an edge that stands at a place of an epoch, but for its last
/// number, which is 0, 1, ... for four words each.
MCT_HD constexpr std::array<std::uint32_t, 3> negative_counter(std::uint64_t place,
                                                               std::uint32_t epoch) {
  return {std::uint32_t(place), std::uint32_t(place >> 32), epoch};
}
MCT_HD constexpr std::array<std::uint32_t, 2> negative_key(std::uint64_t seed) {
  return {std::uint32_t(seed), std::uint32_t(seed >> 32)};
}

/// The node below `nodes` that a word stands for.
MCT_HD constexpr std::int32_t node_of(std::uint32_t word, std::uint64_t nodes) {
  return std::int32_t(std::uint64_t(word) * nodes >> 32);
}
/// Of the entry at a node in a table of aliases: the node, by `keep` of 2^32 chances, or another.
MCT_HD constexpr std::int32_t node_or_alias(std::int32_t node, std::uint32_t chance,
                                            std::uint64_t keep, std::int32_t alias) {
  return chance < keep ? node : alias;
}

}  // namespace mct::embed_detail
