// The effect of the updates of a step: the sums and counts of optim::StepReport.
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

/// The terms of eight elements; sums are in float as on the host. See kernels::metric_terms.
class OctetTotals {
 public:
  template <bool Rare>
  MCT_BLOCK void add(const optim_detail::AdamWConstants& c, float gradient, float update,
                     const kernels::AdamWLanes<float>& before,
                     const kernels::AdamWLanes<float>& after) {
    const auto terms = kernels::metric_terms<Rare>(c, gradient, update, before, after);
    add_product(Q::update_squared, terms.update, terms.update);
    add_product(Q::effective_squared, terms.effective, terms.effective);
    add_product(Q::update_times_effective, terms.update, terms.effective);
    count_[Q::measured] += 1;
    count_[Q::updates] += int(terms.moves);
    count_[Q::lost_updates] += int(terms.lost);
    count_[Q::v_updates] += int(terms.v_moves);
    count_[Q::lost_v_updates] += int(terms.v_lost);
  }
  MCT_BLOCK void add_nonfinite(bool bad) { count_[Q::nonfinite] += int(bad); }
  MCT_BLOCK void add_to(AdamWThreadTotals& all) const {
    MCT_UNROLL
    for (int q = 0; q < Q::sums; ++q) all.sum[q] += double(sum_[q]);
    MCT_UNROLL
    for (int q = 0; q < Q::counts; ++q) all.count[q] += count_[q];
  }

 private:
  using Q = AdamWQuantity;

  MCT_BLOCK void add_product(Q::Sum q, float x, float y) {
    sum_[q] = detail::fused_multiply_add(x, y, sum_[q]);
  }

  float sum_[Q::sums] = {};
  std::int32_t count_[Q::counts] = {};
};

/// Adds up the totals of a step. One block.
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
