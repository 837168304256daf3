// What became of the updates of a step: the sums and counts of optim::StepReport.
#pragma once

#include "cuda/optim/totals.hpp"
#include "src/optim/kernels/adamw_metrics.hpp"

namespace mct::cuda {

/// The places of the sums and counts.
struct AdamWQuantity {
  enum Sum { update_squared, effective_squared, update_times_effective, sums };
  enum Count {
    measured,
    updates,
    lost_updates,
    v_updates,
    lost_v_updates,
    nonfinite,
    unused,
    counts
  };
};

using AdamWTotals = Totals<AdamWQuantity::sums, AdamWQuantity::counts>;
using AdamWThreadTotals = Totals<AdamWQuantity::sums, AdamWQuantity::counts, std::int32_t>;
template <int Threads, class Team>
using AdamWBlockTotals = BlockTotals<Threads, AdamWQuantity::sums, AdamWQuantity::counts, Team>;

/// Adds an element: see kernels::metric_terms.
template <bool Rare>
MCT_BLOCK void measure(const optim_detail::AdamWConstants& c, float gradient, float update,
                       const kernels::AdamWLanes<float>& before,
                       const kernels::AdamWLanes<float>& after, AdamWThreadTotals& to) {
  using Q = AdamWQuantity;
  const auto terms = kernels::metric_terms<Rare>(c, gradient, update, before, after);
  to.sum[Q::update_squared] += double(terms.update) * double(terms.update);
  to.sum[Q::effective_squared] += double(terms.effective) * double(terms.effective);
  to.sum[Q::update_times_effective] += double(terms.update) * double(terms.effective);
  to.count[Q::measured] += 1;
  to.count[Q::updates] += int(terms.moves);
  to.count[Q::lost_updates] += int(terms.lost);
  to.count[Q::v_updates] += int(terms.v_moves);
  to.count[Q::lost_v_updates] += int(terms.v_lost);
}

/// The totals of a step. One block.
struct SumAdamWTotals {
  static constexpr int threads = 256, blocks_per_sm = 1;

  const AdamWTotals* of_blocks;
  int blocks;
  AdamWTotals* to;

  template <class Team>
  struct Shared {
    AdamWBlockTotals<threads, Team> totals;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const AdamWTotals all = sum_of_blocks(team, shared.totals, of_blocks, blocks);
    if (team.rank() == 0) store_record(team, to, all);
  }
};

}  // namespace mct::cuda
