// AdamW steps of arrays in the memory of a GPU. Link mctensor::cuda.
#pragma once

#include <limits>
#include <memory>
#include <span>

#include "mctensor/device/stream.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/loss_scale.hpp"

namespace mct::cuda {

/// A list of tensors in a device's memory, whose AdamW steps are one launch each, after three that
/// look at the gradients: AdamWGroups (device_adamw_groups.hpp) of one group. The arrays are those
/// of optim::AdamWMemory with addresses of the device. They stay the caller's, and everything is
/// done in the order of one stream.
///
/// What a step leaves in them are the bits that optim::adamw_step of the list leaves, but for
/// payloads of NaN. The norm of the gradients, and the clipping with it, may differ in the last
/// bits: its sums have another order, which is always the same.
class AdamWList {
 public:
  static constexpr double no_limit = std::numeric_limits<double>::infinity();

  /// Throws DomainError as optim::adamw_step of many, and for arrays that do not begin where a
  /// number of their type can, and positions beyond 2^42; DeviceError. Arrays that do not begin at
  /// multiples of 16 bytes, or with a `first` that is none of 8, are read number by number.
  AdamWList(optim::Strategy strategy, optim::Format format,
            std::span<const optim::AdamWMemory> memory, const Stream& stream = default_stream());
  ~AdamWList();
  AdamWList(AdamWList&&) noexcept;
  AdamWList& operator=(AdamWList&&) noexcept;

  std::size_t size() const;
  const Stream& stream() const;

  /// Where gradients lie from the next step on, one for each tensor. Throws DomainError for another
  /// number of them and as the constructor.
  void set_gradients(std::span<const void* const> gradients);

  /// From the next step on gradients are those of a loss times a scale in the device's memory,
  /// which the steps divide by and then change as optim::GradScaler does. Throws DomainError as it.
  void scale_loss(const optim::GradScalerOptions& options);
  /// The scale and its count. Waits. Throws DomainError unless losses are scaled.
  optim::LossScale loss_scale() const;
  /// The scale's address on the device, null unless losses are scaled.
  const double* loss_scale_data() const;

  /// Starts step number `step` >= 1 and returns. Gradients are multiplied by options.grad_scale,
  /// divided by the loss's scale, and clipped to the norm max_grad_norm; if one is not finite
  /// nothing changes. Throws DomainError for options that validate refuses and unless max_grad_norm
  /// > 0.
  void step(const optim::AdamWOptions& options, std::int64_t step, double max_grad_norm = no_limit);
  /// What the last step did, its grad_norm included. Waits for it. A step that was skipped does not
  /// count: the next one has the same number, which who does not ask cannot know. Throws
  /// DomainError if the scale of the gradients became infinite or 0 in the format that the step
  /// computes in: it was skipped, too.
  optim::StepReport report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One step of a list that is used once, and what it did: AdamWList's.
optim::StepReport adamw_step(optim::Strategy strategy, optim::Format format,
                             std::span<const optim::AdamWMemory> memory,
                             const optim::AdamWOptions& options, std::int64_t step,
                             const Stream& stream = default_stream(),
                             double max_grad_norm = AdamWList::no_limit);

}  // namespace mct::cuda
