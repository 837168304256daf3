// The places of a list of rows in the order of the rows: so a row's gradients are added by one
// thread, in the order of the list.
//
// A key is a row, and below it the place in the list. All keys are different, so that there is one
// order, whatever the blocks do; places of no row (-1) have the largest keys.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"
#include "cuda/base/thread_number.hpp"

namespace mct::cuda {

using RowKey = std::uint64_t;

MCT_HD constexpr RowKey row_key(std::int32_t row, std::int64_t place) {
  return RowKey(std::uint32_t(row)) << 32 | std::uint32_t(place);
}
MCT_HD constexpr std::int32_t row_of(RowKey key) { return std::int32_t(key >> 32); }
MCT_HD constexpr std::int64_t place_of(RowKey key) { return std::int64_t(key & 0xffffffffu); }

/// Sorts the keys of each tile. Source: Batcher: Sorting networks and their applications, 1968
/// (the bitonic network).
///
/// Grid: (count / tile, rounded up).
struct SortTiles {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int tile = 1024;

  const std::int32_t* rows;
  std::int64_t count;
  RowKey* keys;

  template <class Team>
  struct Shared {
    typename Team::template Array<RowKey, tile> keys;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t first = std::int64_t(team.block_x()) * tile;
    for (int i = team.rank(); i < tile; i += threads) {
      const std::int64_t at = first + i;
      const RowKey key = at < count ? row_key(team.template load<1>(rows + at)[0], at) : ~RowKey(0);
      shared.keys.template write<1>(i, {{key}});
    }
    team.barrier();
    MCT_ROLL
    for (int size = 2; size <= tile; size *= 2) {
      MCT_ROLL
      for (int step = size / 2; step > 0; step /= 2) {
        for (int pair = team.rank(); pair < tile / 2; pair += threads) {
          const int i = 2 * pair - (pair & (step - 1));
          exchange(shared, i, i + step, (i & size) == 0);
        }
        team.barrier();
      }
    }
    for (int i = team.rank(); i < tile && first + i < count; i += threads)
      team.template store<1>(keys + first + i, shared.keys.template read<1>(i));
  }

 private:
  template <class S>
  MCT_BLOCK static void exchange(S& shared, int i, int j, bool ascending) {
    const auto a = shared.keys.template read<1>(i);
    const auto b = shared.keys.template read<1>(j);
    if ((a[0] > b[0]) != ascending) return;
    shared.keys.template write<1>(i, b);
    shared.keys.template write<1>(j, a);
  }
};

/// Merges `ways` sorted runs each into one: a key's place is that in its own run and, for each
/// other one, the number of smaller keys there.
///
/// Grid: (count / threads, rounded up).
struct MergeRuns {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int ways = 4;

  const RowKey* from;
  RowKey* to;
  std::uint32_t count, run;  // below 2^31

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::uint32_t at = std::uint32_t(thread_number<threads>(team));
    if (at >= count) return;
    const RowKey key = key_at(team, at);
    const std::uint32_t own = at / run;
    const std::uint32_t first = own / ways * ways;  // run of those that become one
    std::uint32_t place = at - (own - first) * run;
    MCT_UNROLL
    for (std::uint32_t i = 0; i < ways; ++i)
      if (first + i != own) place += smaller(team, first + i, key);
    team.template store<1>(to + place, {{key}});
  }

 private:
  template <class Team>
  MCT_BLOCK RowKey key_at(Team& team, std::uint32_t i) const {
    return team.template load<1>(from + i)[0];
  }
  MCT_BLOCK std::uint32_t begin_of(std::uint32_t number) const {
    const std::uint64_t begin = std::uint64_t(number) * run;
    return begin < count ? std::uint32_t(begin) : count;
  }
  /// How many keys of a run are smaller.
  template <class Team>
  MCT_BLOCK std::uint32_t smaller(Team& team, std::uint32_t number, RowKey key) const {
    const std::uint32_t begin = begin_of(number);
    std::uint32_t low = begin;
    for (std::uint32_t high = begin_of(number + 1); low < high;) {
      const std::uint32_t middle = (low + high) / 2;
      const bool is_below = key_at(team, middle) < key;
      low = is_below ? middle + 1 : low;
      high = is_below ? high : middle;
    }
    return low - begin;
  }
};

}  // namespace mct::cuda
