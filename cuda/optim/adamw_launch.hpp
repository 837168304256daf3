// Starts AdamW steps on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <limits>

#include "cuda/optim/adamw_totals.hpp"
#include "cuda/optim/gradient_control.hpp"
#include "cuda/optim/tensor_list.hpp"

namespace mct::cuda {

/// A step of a list of tensors. Everything that is pointed to lies in the device's memory.
struct AdamWLaunch {
  optim::Strategy strategy = optim::Strategy::plus;
  optim::Format format = optim::Format::bfloat16;
  const optim::AdamWMemory* tensors = nullptr;  // check_places has looked at them
  const TensorChunk* chunks = nullptr;          // chunks_of the list
  int chunk_count = 0;
  /// constants_of the step and its options.
  optim_detail::AdamWConstants constants{};
  bool strict = false;
  /// There is AMSGrad for some of the tensors.
  bool amsgrad = false;
  /// What launch_gradient_control writes. Null: the gradients have not been looked at; those that
  /// are not finite leave their elements alone.
  const StepControl* control = nullptr;
  /// AdamWOptions::metric_sample where something is to be measured, else 0; the step modulo it.
  int sample = 0, phase = 0;
  /// Null, or most_adamw_blocks() of them, and another one for the sums of the step.
  AdamWTotals* of_blocks = nullptr;
  AdamWTotals* totals = nullptr;
};

/// What the gradients of a step lead to.
struct GradientLaunch {
  double grad_scale = 1;
  double max_norm = std::numeric_limits<double>::infinity();
  /// May be null; see GradientControl.
  optim::LossScale* loss_scale = nullptr;
  optim::GradScalerOptions scaler;
  GradientTotals* of_blocks = nullptr;  // GradientSums<>::blocks of them
  StepControl* control = nullptr;
  GradientReport* report = nullptr;
};

/// The blocks of a step on the current device are not more.
int most_adamw_blocks();

/// Looks at the gradients of the step's list, which have the type of its theta.
cudaError_t launch_gradient_control(const AdamWLaunch& step, const GradientLaunch& gradients,
                                    cudaStream_t stream);

/// The step itself. cudaErrorInvalidValue for a strategy that has no such program.
cudaError_t launch_adamw(const AdamWLaunch& step, cudaStream_t stream);

/// The same for the strategies whose 16-bit format is T, and float for Strategy::full.
template <class T>
cudaError_t launch_adamw_of(const AdamWLaunch& step, cudaStream_t stream);

}  // namespace mct::cuda
