// The AdamW programs of one 16-bit format, compiled. For the .cu files alone.
#pragma once

#include <algorithm>

#include "cuda/base/run_block.hpp"
#include "cuda/optim/adamw_choose.hpp"
#include "cuda/optim/adamw_launch.hpp"

namespace mct::cuda {

template <class T>
cudaError_t launch_adamw_of(const AdamWLaunch& step, cudaStream_t stream) {
  const auto& c = step.constants;
  const bool rare =
      step.control == nullptr || step.amsgrad || c.l2_decay != 0 || c.metric_scale != 1;
  const AdamWChoice choice{step.strategy, step.strict, rare, step.sample > 0};
  cudaError_t error = cudaErrorInvalidValue;
  with_adamw<T>(choice, [&]<class Program>(std::type_identity<Program> /*chosen*/) {
    const int blocks = std::min(step.chunk_count, most_adamw_blocks() / 4 * Program::blocks_per_sm);
    error = cudaSuccess;
    if (blocks > 0)
      error = launch(Program{step.tensors, step.chunks, step.chunk_count, c, step.control,
                             step.of_blocks, step.sample, step.phase},
                     blocks, stream);
    if (error == cudaSuccess && step.totals != nullptr && Program::counts)
      error = launch(SumAdamWTotals{step.of_blocks, blocks, step.totals}, 1, stream);
  });
  return error;
}

}  // namespace mct::cuda
