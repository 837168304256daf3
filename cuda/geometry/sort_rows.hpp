// Sorts the places of a list of rows by their rows, so that one thread adds the gradients of a row,
// in the order of the list.
//
// A key has a row in the upper bits and a place in the list in the lower bits. All keys are
// different, so their order does not depend on the blocks. Places without a row (-1) have the
// largest keys.
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

/// Sorts the keys of each tile. Source: Batcher: Sorting networks and their applications, 1968 (the
/// bitonic network). A thread has neighbouring keys, so that most compared pairs are in one thread
/// or in one warp. Keys of different warps are exchanged through shared memory.
///
/// Grid: (count / tile, rounded up).
struct SortTiles {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int own = 4;  // keys of a thread
  static constexpr int tile = own * threads;
  static constexpr int warp = 32;

  const std::int32_t* rows;
  std::int64_t count;
  RowKey* keys;

  template <class Team>
  struct Shared {
    typename Team::template Array<RowKey, tile> keys;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t first = std::int64_t(team.block_x()) * tile + own * team.rank();
    RowKey mine[own];
    MCT_UNROLL
    for (int e = 0; e < own; ++e) {
      const std::int64_t at = first + e;
      mine[e] = at < count ? row_key(team.template load<1>(rows + at)[0], at) : ~RowKey(0);
    }
    MCT_ROLL
    for (int size = 2; size <= tile; size *= 2) {
      int step = size / 2;
      MCT_ROLL
      for (; step >= own * warp; step /= 2) {
        team.barrier();  // all have read the earlier keys
        MCT_UNROLL
        for (int e = 0; e < own; ++e)
          shared.keys.template write<1>(e * threads + team.rank(), {{mine[e]}});
        team.barrier();
        const int other = team.rank() ^ (step / own);
        MCT_UNROLL
        for (int e = 0; e < own; ++e)
          keep(mine[e], shared.keys.template read<1>(e * threads + other)[0], own * team.rank() + e,
               step, size);
      }
      MCT_ROLL
      for (; step >= own; step /= 2) {
        MCT_UNROLL
        for (int e = 0; e < own; ++e)
          keep(mine[e], team.shuffle_xor(mine[e], step / own), own * team.rank() + e, step, size);
      }
      exchange_own<2>(team, mine, size);
      exchange_own<1>(team, mine, size);
    }
    MCT_UNROLL
    for (int e = 0; e < own; ++e)
      if (first + e < count) team.template store<1>(keys + first + e, {{mine[e]}});
  }

 private:
  static_assert(own == 4);

  /// Of key `mine`, number i of the tile, and key `other`, `step` away, keeps the one that belongs
  /// here.
  MCT_BLOCK static void keep(RowKey& mine, RowKey other, int i, int step, int size) {
    const bool is_smaller = ((i & step) == 0) == ((i & size) == 0);
    if ((other < mine) == is_smaller) mine = other;
  }
  /// Exchanges pairs within a thread.
  template <int step, class Team>
  MCT_BLOCK static void exchange_own(Team& team, RowKey (&mine)[own], int size) {
    if (step >= size) return;
    MCT_UNROLL
    for (int e = 0; e < own; ++e) {
      if ((e & step) != 0) continue;
      const RowKey a = mine[e], b = mine[e + step];
      const bool is_ascending = ((own * team.rank() + e) & size) == 0;
      const bool swap = (b < a) == is_ascending;
      mine[e] = swap ? b : a;
      mine[e + step] = swap ? a : b;
    }
  }
};

/// Merges every `ways` sorted runs into one. The place of a key is its place in its own run plus
/// the number of smaller keys in each of the other runs.
///
/// Grid: (count / threads, rounded up).
struct MergeRuns {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int ways = 4;

  const RowKey* from;
  RowKey* to;
  std::uint32_t count, run;  // below 2^31

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::uint32_t at = std::uint32_t(thread_number<threads>(team));
    if (at >= count) return;
    const RowKey key = key_at(team, at);
    const std::uint32_t own = at / run;
    const std::uint32_t first = own / ways * ways;  // the first of the merged runs
    const std::uint32_t place = at - (own - first) * run + smaller(team, first, own, key);
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
  /// How many keys of the other merged runs are smaller. All runs are searched at the same time,
  /// because a search is a chain of loads.
  template <class Team>
  MCT_BLOCK std::uint32_t smaller(Team& team, std::uint32_t first, std::uint32_t own,
                                  RowKey key) const {
    std::uint32_t low[ways], high[ways], begins = 0;
    MCT_UNROLL
    for (std::uint32_t i = 0; i < ways; ++i) {
      low[i] = begin_of(first + i);
      high[i] = first + i == own ? low[i] : begin_of(first + i + 1);
      begins += low[i];
    }
    MCT_ROLL
    for (std::uint32_t length = run; length > 0; length /= 2) {  // as often as the longest needs
      RowKey middle[ways];
      MCT_UNROLL
      for (int i = 0; i < ways; ++i)
        middle[i] = low[i] < high[i] ? key_at(team, (low[i] + high[i]) / 2) : RowKey(0);
      MCT_UNROLL
      for (int i = 0; i < ways; ++i) {
        if (low[i] >= high[i]) continue;
        const std::uint32_t at = (low[i] + high[i]) / 2;
        const bool is_below = middle[i] < key;
        low[i] = is_below ? at + 1 : low[i];
        high[i] = is_below ? high[i] : at;
      }
    }
    std::uint32_t all = 0;
    MCT_UNROLL
    for (int i = 0; i < ways; ++i) all += low[i];
    return all - begins;
  }
};

/// Whether the keys of a row begin at `at` in the sorted keys. Sets `key` to the key there.
template <class Team>
MCT_BLOCK bool begins_row(Team& team, const RowKey* keys, std::int64_t at, RowKey& key) {
  key = team.template load<1>(keys + at)[0];
  const RowKey before = team.template load<1>(keys + (at > 0 ? at - 1 : at))[0];
  return row_of(key) >= 0 && (at == 0 || row_of(before) != row_of(key));
}
/// The sum of gradient(place) for all places of a row, in the order of the list. The row's keys
/// begin at `at` with `key`.
template <class Team, class F>
MCT_BLOCK auto sum_of_row(Team& team, const RowKey* keys, std::int64_t count, std::int64_t at,
                          RowKey key, const F& gradient) {
  constexpr int at_once = 4;  // gradients that are loaded at the same time
  auto sum = gradient(place_of(key));
  ++at;
  for (bool is_same = true; is_same; at += at_once) {
    // all loads come before the additions, which keep the order of the list
    bool same[at_once];
    RowKey next[at_once];
    decltype(sum) more[at_once];
    MCT_UNROLL
    for (int j = 0; j < at_once; ++j)
      next[j] = at + j < count ? team.template load<1>(keys + at + j)[0] : ~RowKey(0);
    MCT_UNROLL
    for (int j = 0; j < at_once; ++j) {
      same[j] = row_of(next[j]) == row_of(key);
      if (same[j]) more[j] = gradient(place_of(next[j]));
    }
    MCT_UNROLL
    for (int j = 0; j < at_once; ++j) {
      if (!same[j]) continue;
      MCT_UNROLL
      for (int c = 0; c < decltype(sum)::dimension; ++c) sum[c] = sum[c] + more[j][c];
    }
    is_same = same[at_once - 1];
  }
  return sum;
}

}  // namespace mct::cuda
