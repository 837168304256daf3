// The distribution of elements over ranks.
#pragma once

#include <cstdint>
#include <vector>

namespace mct::distributed {

/// Elements begin ... end - 1.
struct Span {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

/// Spans begin at multiples of this, because in optimizers 128 elements share scales and random
/// numbers.
inline constexpr std::int64_t shard_unit = 128;

/// The part of `count` elements that belongs to a rank. The spans of all ranks, in the order of the
/// ranks, cover all elements. Each span begins at a multiple of `unit`. The lengths of spans differ
/// by one unit at most. Throws DomainError for a negative count, unit < 1, or a rank outside 0 ...
/// ranks - 1.
Span shard_of(std::int64_t count, int rank, int ranks, std::int64_t unit = shard_unit);

/// The parts of all ranks, in their order; none if ranks < 1. Throws DomainError for a negative
/// count and for unit < 1.
std::vector<Span> shards_of(std::int64_t count, int ranks, std::int64_t unit = shard_unit);

}  // namespace mct::distributed
