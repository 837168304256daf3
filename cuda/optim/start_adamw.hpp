// Starts the AdamW step of one 16-bit format. Include it only where its programs are compiled.
#pragma once

#include <algorithm>

#include "cuda/device/run.hpp"
#include "cuda/optim/adamw_choose.hpp"
#include "cuda/optim/adamw_launch.hpp"

namespace mct::cuda {

template <class T>
void start_adamw(const AdamWLaunch& step, const Stream& stream) {
  const auto& c = step.constants;
  const bool scales_metrics = c.metric_scale != 1 || (step.has_other_lr && step.sample > 0);
  const bool rare = step.amsgrad || c.l2_decay != 0 || scales_metrics || c.float_grad;
  const AdamWChoice choice{step.strategy, step.strict, rare, step.sample > 0};
  const bool found = with_adamw<T>(choice, [&]<class Program>(std::type_identity<Program>) {
    const int blocks = std::min(step.chunk_count, step.most_blocks / 4 * Program::blocks_per_sm);
    run(Program{step.tensors, step.chunks, step.chunk_count, c, step.control, step.of_blocks,
                step.sample},
        {blocks}, stream);
    if (step.totals != nullptr && Program::counts)
      run(SumAdamWTotals{step.of_blocks, blocks, step.totals}, {}, stream);
  });
  if (!found)
    throw DeviceError("AdamW: there is no program for " + optim::to_string(step.strategy));
}

}  // namespace mct::cuda
