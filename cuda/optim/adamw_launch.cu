#include "cuda/optim/adamw_launch.hpp"

#include "cuda/base/run_block.hpp"

namespace mct::cuda {
namespace {

template <class T>
cudaError_t launch_sums(const AdamWLaunch& step, GradientTotals* of_blocks, cudaStream_t stream) {
  return launch(GradientSums<T>{step.tensors, step.chunks, step.chunk_count, of_blocks},
                GradientSums<T>::blocks, stream);
}

/// Rounded: to what the constants of the step are rounded.
template <class Rounded>
cudaError_t launch_control(const GradientLaunch& g, cudaStream_t stream) {
  return launch(GradientControl<Rounded>{g.of_blocks, g.grad_scale, g.max_norm, g.loss_scale,
                                         g.scaler, g.control, g.report},
                1, stream);
}

}  // namespace

int most_adamw_blocks() {
  int device = 0;
  int multiprocessors = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
          cudaSuccess)
    return 0;
  return 4 * multiprocessors;
}

cudaError_t launch_gradient_control(const AdamWLaunch& step, const GradientLaunch& gradients,
                                    cudaStream_t stream) {
  const bool is_float = optim::layout_of(step.strategy).grad == sizeof(float);
  const bool is_half = step.format == optim::Format::float16;
  const cudaError_t error = is_float  ? launch_sums<float>(step, gradients.of_blocks, stream)
                            : is_half ? launch_sums<half>(step, gradients.of_blocks, stream)
                                      : launch_sums<bfloat16>(step, gradients.of_blocks, stream);
  if (error != cudaSuccess) return error;
  return !step.strict ? launch_control<float>(gradients, stream)
         : is_half    ? launch_control<half>(gradients, stream)
                      : launch_control<bfloat16>(gradients, stream);
}

cudaError_t launch_adamw(const AdamWLaunch& step, cudaStream_t stream) {
  if (optim::composition_of(step.strategy).theta == optim::Number::float32)
    return launch_adamw_of<float>(step, stream);
  return step.format == optim::Format::float16 ? launch_adamw_of<half>(step, stream)
                                               : launch_adamw_of<bfloat16>(step, stream);
}

}  // namespace mct::cuda
