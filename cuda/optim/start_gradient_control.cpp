#include "cuda/device/run.hpp"
#include "cuda/optim/adamw_launch.hpp"

namespace mct::cuda {
namespace {

template <class T>
void start_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream) {
  run(GradientSums<T>{step.tensors, step.chunks, step.chunk_count, of_blocks},
      {GradientSums<T>::blocks}, stream);
}

/// Rounded: to what the constants of the step are rounded.
template <class Rounded>
void start_control(const GradientLaunch& g, const Stream& stream) {
  run(GradientControl<Rounded>{g.of_blocks, g.grad_scale, g.max_norm, g.loss_scale, g.scaler,
                               g.control, g.report},
      {}, stream);
}

}  // namespace

void start_gradient_control(const AdamWLaunch& step, const GradientLaunch& gradients,
                            const Stream& stream) {
  const bool is_half = step.format == optim::Format::float16;
  if (optim::layout_of(step.strategy).grad == sizeof(float)) {
    start_sums<float>(step, gradients.of_blocks, stream);
  } else if (is_half) {
    start_sums<half>(step, gradients.of_blocks, stream);
  } else {
    start_sums<bfloat16>(step, gradients.of_blocks, stream);
  }
  if (!step.strict) {
    start_control<float>(gradients, stream);
  } else if (is_half) {
    start_control<half>(gradients, stream);
  } else {
    start_control<bfloat16>(gradients, stream);
  }
}

}  // namespace mct::cuda
