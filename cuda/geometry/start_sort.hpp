// Starts the programs that sort a list of rows.
#pragma once

#include <cstdint>
#include <utility>

#include "cuda/device/run.hpp"
#include "cuda/geometry/sort_rows.hpp"

namespace mct::cuda {

/// Sorts the keys of a list of rows. `keys` and `other` are buffers of `count` keys, which take
/// turns. Returns the buffer with the sorted keys.
inline const RowKey* start_sort(const std::int32_t* rows, std::int64_t count, RowKey* keys,
                                RowKey* other, const Stream& stream) {
  run(SortTiles{rows, count, keys}, blocks_for(count, SortTiles::tile), stream);
  for (std::int64_t sorted = SortTiles::tile; sorted < count; sorted *= MergeRuns::ways) {
    run(MergeRuns{keys, other, std::uint32_t(count), std::uint32_t(sorted)},
        blocks_for(count, MergeRuns::threads), stream);
    std::swap(keys, other);
  }
  return keys;
}

}  // namespace mct::cuda
