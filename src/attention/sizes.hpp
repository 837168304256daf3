// Sizes of attention, and of its tiles.
#pragma once

#include <cstdint>

namespace mct::attention_detail {

/// Groups are what the leading dimensions number: batch and heads.
struct Sizes {
  std::int64_t groups, queries, keys, depth, values;
};

/// Queries and keys of a tile: a tile of scores and what belongs to it stay in the first cache.
constexpr std::int64_t tile_queries = 48;
template <class E>
constexpr std::int64_t tile_keys = 512 / std::int64_t(sizeof(E));

inline std::int64_t blocks_of(std::int64_t n, std::int64_t block) {
  return (n + block - 1) / block;
}

/// Work for some number of tiles.
inline double cost_of(const Sizes& s) {
  return double(s.groups) * double(s.queries) * double(s.keys) * double(s.depth + s.values);
}

/// Queries from both ends in turn, so that ranges of them cost alike under a causal mask.
inline std::int64_t in_turn(std::int64_t i, std::int64_t count) {
  return i % 2 == 0 ? i / 2 : count - 1 - i / 2;
}

}  // namespace mct::attention_detail
