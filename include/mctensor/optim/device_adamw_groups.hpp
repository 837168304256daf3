// AdamW steps of several groups of parameters in the memory of a GPU. A step starts all its kernels
// without waiting. Link mctensor::cuda.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "mctensor/device/stream.hpp"
#include "mctensor/optim/adamw_groups.hpp"
#include "mctensor/optim/loss_scale.hpp"

namespace mct::cuda {

/// Parameters with the same strategy, options and number of steps: an optim::AdamWGroup whose
/// arrays are in device memory.
struct AdamWGroup {
  optim::Strategy strategy = optim::Strategy::plus;
  optim::Format format = optim::Format::bfloat16;
  std::span<const optim::AdamWMemory> memory;
  /// Empty, or floats in device memory for a strategy with a 16-bit theta; floats[i] belongs to
  /// memory[i]. A group has one of two kinds: float parameters that show theta with their
  /// gradients, which are rounded to T, or gradients alone, which are not rounded. memory[i].grad
  /// is then not read.
  std::span<const optim::FloatSide> floats;
  optim::AdamWOptions options;
  /// The number of the step; used only if `steps` is null.
  std::int64_t step = 1;

  // `steps`, `lr` and `long_lr` point to device memory. Each may be null. If both rates are given,
  // `lr` is used.

  /// The number of steps taken so far. Each step that is not skipped adds 1.
  std::int64_t* steps = nullptr;
  /// The learning rate, as a float or as a double. It replaces options.lr. A rate of at most 10^-12
  /// times the largest rate (peak_lr) counts as 0.
  const float* lr = nullptr;
  const double* long_lr = nullptr;
  /// The largest rate of the schedule. If the rate is in device memory, rate / max(rate, peak_lr)
  /// replaces options.schedule.
  double peak_lr = 0;
};

/// Further inputs of a step in device memory; each may be null.
struct AdamWSignals {
  /// The scale of a gradient scaler. Gradients are divided by the scale.
  const float* grad_scale = nullptr;
  /// If not 0, the step is skipped.
  const float* found_inf = nullptr;
  /// look() writes 1 here if a gradient is not finite or found_inf is not 0, else 0. step() skips
  /// the step if this number is not 0. Between the two calls, processes may agree on a common
  /// number.
  std::int32_t* vote = nullptr;
};

/// The number of skipped steps: in total, and since the last step that was taken.
struct alignas(16) SkipCounts {
  std::int64_t all = 0, in_a_row = 0;
};

/// AdamW steps of groups. The caller owns the arrays. A step examines all gradients, decides
/// whether it is skipped, computes the clipping factor and the constants, and updates the arrays.
/// All of this runs on the device, in the order of a stream. Calls do not wait.
///
/// The first step allocates memory and waits for it. So does each step whose tensors differ in
/// number, sizes or formats from the step before. Other steps can be recorded in a CUDA graph. Each
/// replay of the graph reads rates, counts and signals anew.
///
/// Results have the bits of optim::adamw_step of groups, except payloads of NaN. The norm of the
/// gradients, and with it clipped gradients, may differ in the last bits, because its sum has
/// another order. The order is always the same.
class AdamWGroups {
 public:
  static constexpr double no_limit = std::numeric_limits<double>::infinity();

  /// Steps on the stream's device. Counts of skipped steps start from `skips`.
  explicit AdamWGroups(const Stream& stream = default_stream(), const SkipCounts& skips = {});
  ~AdamWGroups();
  AdamWGroups(AdamWGroups&&) noexcept;
  AdamWGroups& operator=(AdamWGroups&&) noexcept;

  /// Begins a step: examines the gradients. Throws DomainError as optim::adamw_step of groups does,
  /// for misaligned arrays, and for groups whose options.grad_scale differ in magnitude. Also
  /// throws DomainError if only some tensors of a group have floats, and for floats that AdamWGroup
  /// does not allow. Throws DeviceError, also if a step that must allocate memory is recorded in a
  /// graph.
  void look(std::span<const AdamWGroup> groups, const AdamWSignals& signals, const Stream& stream);
  /// Ends a step: clips gradients to the norm max_grad_norm and updates all parameters, or none if
  /// the step is skipped. Throws DomainError unless max_grad_norm > 0, and if look() was not
  /// called.
  void step(double max_grad_norm = no_limit);

  /// Waits for the last step and reports on it, grad_norm included. Throws DomainError if a rate in
  /// device memory is negative, infinite or NaN. Also throws DomainError if the scale of the
  /// gradients, or a constant computed on the device, overflowed or underflowed in the format of
  /// the step's arithmetic. Such a step was skipped, too.
  optim::StepReport report() const;
  /// Waits.
  SkipCounts skips() const;

  /// From the next step on, gradients belong to a scaled loss. The scale lies in device memory.
  /// Each step divides gradients by the scale and then changes the scale as optim::GradScaler does.
  /// Throws DomainError as GradScaler does.
  void scale_loss(const optim::GradScalerOptions& options);
  /// The scale of the loss and its count of good steps. Waits for the device. Throws DomainError
  /// unless losses are scaled.
  optim::LossScale loss_scale() const;
  /// The address of the scale on the device; null unless losses are scaled.
  const double* loss_scale_data() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mct::cuda
