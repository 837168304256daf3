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
  const optim::AdamWMemory* tensors = nullptr;  // checked by check_places
  /// Null, or floats beside the tensors (float_sides.hpp): theta shows the tensors' theta, and its
  /// memory holds their grad while the step runs; grad has the gradients.
  const optim::AdamWMemory* floats = nullptr;
  const TensorChunk* chunks = nullptr;  // chunks_of the list
  int chunk_count = 0;
  /// constants_of the step and its options.
  optim_detail::AdamWConstants constants{};
  bool strict = false;
  /// Some of the tensors have AMSGrad.
  bool amsgrad = false;
  /// The host does not know the learning rate.
  bool has_other_lr = false;
  /// The results of ControlSteps.
  const StepControl* control = nullptr;
  /// AdamWOptions::metric_sample where something is to be measured, else 0.
  int sample = 0;
  /// most_adamw_blocks of the device.
  int most_blocks = 0;
  /// Null, or `most_blocks` totals, and one more for the sums of the step.
  AdamWTotals* of_blocks = nullptr;
  AdamWTotals* totals = nullptr;

  /// The number of blocks that read the gradients.
  int gradient_blocks() const { return std::min(chunk_count, GradientSums<float>::blocks); }
};

/// The most blocks of a step on a device with this number of multiprocessors.
constexpr int most_adamw_blocks(int multiprocessors) { return 4 * multiprocessors; }

/// Sums over the gradients of a list, for each of gradient_blocks(). The gradients have the type of
/// theta or are floats beside it.
void start_gradient_sums(const AdamWLaunch& step, GradientTotals* of_blocks, const Stream& stream);

/// For a list with floats, before the step: takes over what was written to the floats and their
/// gradients.
void start_reading_floats(const AdamWLaunch& step, const Stream& stream);
/// After the step: writes the new theta to the floats.
void start_showing_theta(const AdamWLaunch& step, const Stream& stream);

/// The step itself, of a strategy whose 16-bit format is T, or float for Strategy::full. Compiled
/// with the programs (start_adamw.hpp) in a .cu file for each T.
template <class T>
void start_adamw(const AdamWLaunch& step, const Stream& stream);

}  // namespace mct::cuda
