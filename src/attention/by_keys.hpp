// The edges of a neighbourhood by their keys.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/attention/streaming.hpp"

namespace mct::attention_detail {

/// The same edges by keys, in the order of the queries.
struct ByKeys {
  std::vector<std::int64_t> starts, queries, edges;

  ByKeys(const attention::Neighbourhood& seen, std::int64_t keys)
      : starts(std::size_t(keys + 1)),
        queries(std::size_t(seen.columns.numel())),
        edges(queries.size()) {
    const std::int64_t* const key = seen.columns.data();
    for (std::size_t e = 0; e < edges.size(); ++e) ++starts[std::size_t(key[e]) + 1];
    for (std::size_t j = 1; j < starts.size(); ++j) starts[j] += starts[j - 1];
    std::vector<std::int64_t> next = starts;
    for (std::int64_t i = 0; i + 1 < seen.starts.numel(); ++i)
      for (std::int64_t e = seen.starts.data()[i]; e < seen.starts.data()[i + 1]; ++e) {
        const auto at = std::size_t(next[std::size_t(key[e])]++);
        queries[at] = i;
        edges[at] = e;
      }
  }
};

}  // namespace mct::attention_detail
