#include "mctensor/distributed/shards.hpp"

#include <algorithm>
#include <string>

#include "mctensor/error.hpp"

namespace mct::distributed {

Span shard_of(std::int64_t count, int rank, int ranks, std::int64_t unit) {
  if (count < 0 || unit < 1 || rank < 0 || rank >= ranks)
    throw DomainError(
        "shard_of: " + std::to_string(count) + " elements in units of " + std::to_string(unit) +
        " for rank " + std::to_string(rank) + " of " + std::to_string(ranks) +
        "; expected at least 0 elements, a unit of at least 1, and a rank from 0 to ranks - 1");
  const std::int64_t units = count / unit + (count % unit > 0 ? 1 : 0);
  // units * rank / ranks, which might overflow
  const auto begin_of = [&](std::int64_t r) {
    const std::int64_t first = units / ranks * r + units % ranks * r / ranks;
    return first == units ? count : first * unit;
  };
  return {begin_of(rank), begin_of(rank + 1)};
}

std::vector<Span> shards_of(std::int64_t count, int ranks, std::int64_t unit) {
  std::vector<Span> spans;
  spans.reserve(std::size_t(std::max(ranks, 0)));
  for (int rank = 0; rank < ranks; ++rank) spans.push_back(shard_of(count, rank, ranks, unit));
  return spans;
}

}  // namespace mct::distributed
