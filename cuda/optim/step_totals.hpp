// What became of the updates of a step: sums of threads, of a block, of all blocks.
#pragma once

#include <cstdint>

#include "cuda/base/record.hpp"
#include "src/optim/kernels/adamw_metrics.hpp"

namespace mct::cuda {

/// The sums and counts of optim::StepReport: of a thread, of a block or of a step.
template <class Count>
struct TotalsOf {
  static constexpr int sums = 3, counts = 6;

  /// update^2, effective^2, update effective.
  double sum[sums] = {};
  /// measured, updates, lost_updates, v_updates, lost_v_updates, nonfinite.
  Count count[counts] = {};

  template <bool Rare>
  MCT_BLOCK void add(const optim_detail::AdamWConstants& c, float gradient, float update,
                     const kernels::AdamWLanes<float>& before,
                     const kernels::AdamWLanes<float>& after) {
    const auto terms = kernels::metric_terms<Rare>(c, gradient, update, before, after);
    sum[0] += double(terms.update) * double(terms.update);
    sum[1] += double(terms.effective) * double(terms.effective);
    sum[2] += double(terms.update) * double(terms.effective);
    count[0] += 1;
    count[1] += Count(terms.moves);
    count[2] += Count(terms.lost);
    count[3] += Count(terms.v_moves);
    count[4] += Count(terms.v_lost);
  }
};

using ThreadTotals = TotalsOf<std::int32_t>;

/// In global memory.
struct alignas(16) StepTotals : TotalsOf<std::int64_t> {
  std::int64_t padding = 0;
};

/// The sums over a block of Threads threads, always in the same order. Only the first thread gets
/// them.
template <int Threads, class Team>
struct BlockTotals {
  static constexpr int warps = Threads / 32;

  typename Team::template Array<double, warps * StepTotals::sums> sum;
  typename Team::template Array<std::int64_t, warps * StepTotals::counts> count;

  template <class Count>
  MCT_BLOCK StepTotals reduce(Team& team, const TotalsOf<Count>& own) {
    const int warp = team.rank() / 32;
    const bool writes = team.rank() % 32 == 0;
    MCT_UNROLL
    for (int q = 0; q < StepTotals::sums; ++q) {
      const double x = of_warp(team, own.sum[q]);
      if (writes) sum.template write<1>(warp * StepTotals::sums + q, {{x}});
    }
    MCT_UNROLL
    for (int q = 0; q < StepTotals::counts; ++q) {
      const Count x = of_warp(team, own.count[q]);
      if (writes) count.template write<1>(warp * StepTotals::counts + q, {{std::int64_t(x)}});
    }
    team.barrier();
    StepTotals all{};
    if (team.rank() != 0) return all;
    for (int w = 0; w < warps; ++w) {
      MCT_UNROLL
      for (int q = 0; q < StepTotals::sums; ++q)
        all.sum[q] += sum.template read<1>(w * StepTotals::sums + q)[0];
      MCT_UNROLL
      for (int q = 0; q < StepTotals::counts; ++q)
        all.count[q] += count.template read<1>(w * StepTotals::counts + q)[0];
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

/// Adds up what the blocks of a step have written. One block.
struct SumTotals {
  static constexpr int threads = 256, blocks_per_sm = 1;

  const StepTotals* of_blocks;
  int blocks;
  StepTotals* to;

  template <class Team>
  struct Shared {
    BlockTotals<threads, Team> totals;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    TotalsOf<std::int64_t> own;
    for (int b = team.rank(); b < blocks; b += threads) {
      const auto of_block = load_record(team, of_blocks + b);
      for (int q = 0; q < StepTotals::sums; ++q) own.sum[q] += of_block.sum[q];
      for (int q = 0; q < StepTotals::counts; ++q) own.count[q] += of_block.count[q];
    }
    const StepTotals all = shared.totals.reduce(team, own);
    if (team.rank() == 0) store_record(team, to, all);
  }
};

}  // namespace mct::cuda
