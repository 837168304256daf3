// An AdamW step on a GPU, as the host sees it.
#pragma once

#include <algorithm>

#include "cuda/base/launch.hpp"
#include "cuda/optim/adamw_totals.hpp"
#include "cuda/optim/gradient_control.hpp"
#include "cuda/optim/tensor_list.hpp"
#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// A step of a list of tensors. Everything that is pointed to lies in the device's memory.
struct AdamWLaunch {
  optim::Strategy strategy = optim::Strategy::plus;
  optim::Format format = optim::Format::bfloat16;
  const optim::AdamWMemory* tensors = nullptr;  // check_places has looked at them
  /// Null, or floats beside them (float_sides.hpp): theta shows that of the tensors, whose grad
  /// lies there while the step runs; grad has the gradients.
  const optim::AdamWMemory* floats = nullptr;
  const TensorChunk* chunks = nullptr;  // chunks_of the list
  int chunk_count = 0;
  /// constants_of the step and its options.
  optim_detail::AdamWConstants constants{};
  bool strict = false;
  /// There is AMSGrad for some of the tensors.
  bool amsgrad = false;
  /// The learning rate is not known here.
  bool has_other_lr = false;
  /// The results of ControlSteps.
  const StepControl* control = nullptr;
  /// AdamWOptions::metric_sample where something is to be measured, else 0.
  int sample = 0;
  /// most_adamw_blocks of the device.
  int most_blocks = 0;
  /// Null, or `most_blocks` of them, and another one for the sums of the step.
  AdamWTotals* of_blocks = nullptr;
  AdamWTotals* totals = nullptr;

  /// The blocks that look at its gradients.
  int gradient_blocks() const { return std::min(chunk_count, GradientSums<float>::blocks); }
};

/// The blocks of a step on a device with so many multiprocessors are not more.
constexpr int most_adamw_blocks(int multiprocessors) { return 4 * multiprocessors; }

/// Sums over the gradients of a list, which have the type of its theta or are floats beside it, of
/// gradient_blocks().
void start_gradient_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream);

/// Before the step of a list with floats: takes what was written to them, and their gradients.
void start_reading_floats(const AdamWLaunch& step, const Stream& stream);
/// After it: the floats show theta.
void start_showing_theta(const AdamWLaunch& step, const Stream& stream);

/// The step itself, of a strategy whose 16-bit format is T, or float for Strategy::full. Compiled
/// with the programs (start_adamw.hpp) in a .cu file for each T.
template <class T>
void start_adamw(const AdamWLaunch& step, const Stream& stream);

}  // namespace mct::cuda
