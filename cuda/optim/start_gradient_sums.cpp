#include "cuda/device/run.hpp"
#include "cuda/optim/adamw_launch.hpp"

namespace mct::cuda {
namespace {

template <class T>
void start_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream) {
  run(GradientSums<T>{step.tensors, step.chunks, step.chunk_count, of_blocks},
      {step.gradient_blocks()}, stream);
}

}  // namespace

void start_gradient_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream) {
  if (optim::layout_of(step.strategy).grad == sizeof(float)) {
    start_sums<float>(step, of_blocks, stream);
  } else if (step.format == optim::Format::float16) {
    start_sums<half>(step, of_blocks, stream);
  } else {
    start_sums<bfloat16>(step, of_blocks, stream);
  }
}

}  // namespace mct::cuda
