// The end of a batch: adds its losses and advances the state of training.
#pragma once

#include "cuda/base/pack.hpp"
#include "cuda/embed/training_state.hpp"

namespace mct::cuda {

/// Adds the losses of the batch, and the slopes if there are any, in the order of the CPU, and the
/// number of rows that stayed. One block.
struct EndBatch {
  static constexpr int threads = 256, blocks_per_sm = 1;

  TrainingState* state;
  const double *losses, *slopes;  // null: no slopes
  const std::int32_t* stayed;
  std::int64_t blocks;  // blocks of MoveRows

  template <class Team>
  struct Shared {
    typename Team::template Array<double, threads> losses, slopes;
    typename Team::template Array<std::int64_t, threads> stayed;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    auto now = load_record(team, state);
    std::int64_t sum = 0;
    for (std::int64_t i = team.rank(); i < blocks; i += threads)
      sum += team.template load<1>(stayed + i)[0];
    shared.stayed.template write<1>(team.rank(), {{sum}});
    const std::int64_t examples = now.examples();
    now.slope = 0;
    for (std::int64_t first = 0; first < examples; first += threads) {
      const std::int64_t e = first + team.rank();
      if (e < examples) {
        shared.losses.template write<1>(team.rank(), team.template load<1>(losses + e));
        if (slopes != nullptr)
          shared.slopes.template write<1>(team.rank(), team.template load<1>(slopes + e));
      }
      team.barrier();
      if (team.rank() == 0)
        for (int i = 0; i < threads && first + i < examples; ++i) {
          now.loss_sum = now.loss_sum + shared.losses.template read<1>(i)[0];
          if (slopes != nullptr) now.slope = now.slope + shared.slopes.template read<1>(i)[0];
        }
      team.barrier();  // the next losses overwrite these
    }
    if (team.rank() != 0) return;
    for (int i = 0; i < threads; ++i) now.stayed += shared.stayed.template read<1>(i)[0];
    ++now.number;
    store_record(team, state, now);
  }
};

}  // namespace mct::cuda
