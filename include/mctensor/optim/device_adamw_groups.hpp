// AdamW steps of several groups of parameters in the memory of a GPU, in one chain of launches.
// Link mctensor::cuda.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "mctensor/device/stream.hpp"
#include "mctensor/optim/adamw_groups.hpp"
#include "mctensor/optim/loss_scale.hpp"

namespace mct::cuda {

/// Parameters with the same strategy, options and number of steps: what optim::AdamWGroup is where
/// the arrays lie in a device's memory.
struct AdamWGroup {
  optim::Strategy strategy = optim::Strategy::plus;
  optim::Format format = optim::Format::bfloat16;
  std::span<const optim::AdamWMemory> memory;
  /// None, or floats[i] beside memory[i], of a strategy with a 16-bit theta, in the device's
  /// memory: for each gradients and parameters that show theta, or for each gradients alone, which
  /// are not rounded. grad of memory may be any address then.
  std::span<const optim::FloatSide> floats;
  optim::AdamWOptions options;
  /// The number of the step, where `steps` is null.
  std::int64_t step = 1;

  // In the device's memory, each may be null.

  /// How many steps have been taken: a step that is not skipped adds 1.
  std::int64_t* steps = nullptr;
  /// The learning rate, as a float or as a double, in the place of options.lr and
  /// options.schedule. A rate of at most 10^-12 of the largest is 0.
  const float* lr = nullptr;
  const double* long_lr = nullptr;
  /// The largest rate of the schedule, of which options.schedule is a part, where rates lie in the
  /// device's memory.
  double peak_lr = 0;
};

/// What else a step asks of the device's memory; each may be null.
struct AdamWSignals {
  /// Gradients are divided by this: a gradient scaler's.
  const float* grad_scale = nullptr;
  /// Not 0: the step is skipped.
  const float* found_inf = nullptr;
  /// look() writes 1 where a gradient is not finite or found_inf is not 0, else 0; step() skips
  /// where it is not 0 any more: between the two, processes may agree.
  std::int32_t* vote = nullptr;
};

/// Steps that were skipped, and how many of them since the last one that was not.
struct alignas(16) SkipCounts {
  std::int64_t all = 0, in_a_row = 0;
};

/// AdamW steps of groups. The arrays stay the caller's. A step looks at all gradients, then decides
/// on skipping, clipping and constants, then updates: all of it on the device, in the order of a
/// stream, without waiting.
///
/// Memory is allocated, and waited for, where groups have other tensors than before, by their
/// number, sizes and formats: in the first step. After that a step can be recorded in a CUDA graph,
/// whose replays read rates, counts and signals anew.
///
/// Bits are those of optim::adamw_step of groups, but for payloads of NaN. The norm of the
/// gradients, and the clipping with it, may differ in the last bits: its sums have another order,
/// which is always the same.
class AdamWGroups {
 public:
  static constexpr double no_limit = std::numeric_limits<double>::infinity();

  /// Of the stream's device. Counts of skipped steps go on from these, of an optimizer that has
  /// been loaded.
  explicit AdamWGroups(const Stream& stream = default_stream(), const SkipCounts& skips = {});
  ~AdamWGroups();
  AdamWGroups(AdamWGroups&&) noexcept;
  AdamWGroups& operator=(AdamWGroups&&) noexcept;

  /// Begins a step: gradients are read. Throws DomainError as optim::adamw_step of groups, for
  /// magnitudes of options.grad_scale that differ, as AdamWList for where arrays begin, for floats
  /// of which only gradients or parameters are there, or that are not to be rounded; DeviceError,
  /// for a step that is recorded though it must allocate, too.
  void look(std::span<const AdamWGroup> groups, const AdamWSignals& signals, const Stream& stream);
  /// Ends it: gradients are clipped to the norm max_grad_norm, and everything is updated, or
  /// nothing. Throws DomainError unless max_grad_norm > 0, and without look().
  void step(double max_grad_norm = no_limit);

  /// What the last step did, its grad_norm included. Waits for it. Throws DomainError if constants
  /// that were made of what lies in the device's memory, or the scale of the gradients, became
  /// infinite, or 0 though they are not, in the format that the step computes in, or a rate is no
  /// number that is at least 0: it was skipped, too.
  optim::StepReport report() const;
  /// Waits.
  SkipCounts skips() const;

  /// From the next step on gradients are those of a loss times a scale in the device's memory,
  /// which the steps divide by and then change as optim::GradScaler does. Throws DomainError as it.
  void scale_loss(const optim::GradScalerOptions& options);
  /// The scale and its count. Waits. Throws DomainError unless losses are scaled.
  optim::LossScale loss_scale() const;
  /// The scale's address on the device, null unless losses are scaled.
  const double* loss_scale_data() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mct::cuda
