// Sums and counts over elements: of threads, of a block, of all blocks.
#pragma once

#include <cstdint>

#include "cuda/base/record.hpp"

namespace mct::cuda {

/// The totals over elements. In global memory Count is std::int64_t.
template <int Sums, int Counts, class Count = std::int64_t>
struct alignas(Sums + Counts > 1 ? 16 : 8) Totals {
  static constexpr int sums = Sums, counts = Counts;

  double sum[Sums] = {};
  Count count[Counts] = {};
};

/// The sums over a block of Threads threads, always in the same order. Only the first thread gets
/// them.
template <int Threads, int Sums, int Counts, class Team>
struct BlockTotals {
  static constexpr int warps = Threads / 32;

  typename Team::template Array<double, warps * Sums> sum;
  typename Team::template Array<std::int64_t, warps * Counts> count;

  template <class Count>
  MCT_BLOCK Totals<Sums, Counts> reduce(Team& team, const Totals<Sums, Counts, Count>& own) {
    const int warp = team.rank() / 32;
    const bool writes = team.rank() % 32 == 0;
    MCT_UNROLL
    for (int q = 0; q < Sums; ++q) {
      const double x = of_warp(team, own.sum[q]);
      if (writes) sum.template write<1>(warp * Sums + q, {{x}});
    }
    MCT_UNROLL
    for (int q = 0; q < Counts; ++q) {
      const Count x = of_warp(team, own.count[q]);
      if (writes) count.template write<1>(warp * Counts + q, {{std::int64_t(x)}});
    }
    team.barrier();
    Totals<Sums, Counts> all{};
    if (team.rank() != 0) return all;
    for (int w = 0; w < warps; ++w) {
      MCT_UNROLL
      for (int q = 0; q < Sums; ++q) all.sum[q] += sum.template read<1>(w * Sums + q)[0];
      MCT_UNROLL
      for (int q = 0; q < Counts; ++q) all.count[q] += count.template read<1>(w * Counts + q)[0];
    }
    return all;
  }

 private:
  template <class X>
  MCT_BLOCK static X of_warp(Team& team, X x) {
    MCT_UNROLL
    for (int mask = 16; mask > 0; mask /= 2) x += team.shuffle_xor(x, mask);
    return x;
  }
};

/// Adds up what the blocks of a program have written, always in the same order. Called by all
/// threads of one block; only the first gets the result.
template <int Threads, int Sums, int Counts, class Team>
MCT_BLOCK Totals<Sums, Counts> sum_of_blocks(Team& team,
                                             BlockTotals<Threads, Sums, Counts, Team>& shared,
                                             const Totals<Sums, Counts>* of_blocks, int blocks) {
  Totals<Sums, Counts> own;
  for (int b = team.rank(); b < blocks; b += Threads) {
    const auto of_block = load_record(team, of_blocks + b);
    MCT_UNROLL
    for (int q = 0; q < Sums; ++q) own.sum[q] += of_block.sum[q];
    MCT_UNROLL
    for (int q = 0; q < Counts; ++q) own.count[q] += of_block.count[q];
  }
  return shared.reduce(team, own);
}

}  // namespace mct::cuda
