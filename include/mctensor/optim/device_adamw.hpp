// AdamW steps of arrays in the memory of a GPU. Link mctensor::cuda.
#pragma once

#include <limits>
#include <memory>
#include <span>

#include "mctensor/device/stream.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/loss_scale.hpp"

namespace mct::cuda {

/// AdamW steps for a list of tensors in device memory. Three kernel launches examine the gradients,
/// and one launch updates all tensors. The class is AdamWGroups (device_adamw_groups.hpp) for one
/// group. The caller owns the arrays; their addresses in optim::AdamWMemory are addresses of the
/// device. All work is done in the order of one stream.
///
/// Results have the bits of optim::adamw_step, except payloads of NaN. The norm of the gradients,
/// and with it clipped gradients, may differ in the last bits, because its sum has another order.
/// The order is always the same.
class AdamWList {
 public:
  static constexpr double no_limit = std::numeric_limits<double>::infinity();

  /// Throws DomainError as optim::adamw_step of many arrays does, and for misaligned arrays and
  /// positions beyond 2^42. Throws DeviceError. Arrays are read fast if they begin at a multiple of
  /// 16 bytes and `first` is a multiple of 8; others are read number by number.
  AdamWList(optim::Strategy strategy, optim::Format format,
            std::span<const optim::AdamWMemory> memory, const Stream& stream = default_stream());
  ~AdamWList();
  AdamWList(AdamWList&&) noexcept;
  AdamWList& operator=(AdamWList&&) noexcept;

  std::size_t size() const;
  const Stream& stream() const;

  /// Sets the addresses of the gradients from the next step on, one for each tensor. Throws
  /// DomainError for a wrong number of addresses, and as the constructor does.
  void set_gradients(std::span<const void* const> gradients);

  /// From the next step on, gradients belong to a scaled loss. The scale lies in device memory.
  /// Each step divides gradients by the scale and then changes the scale as optim::GradScaler does.
  /// Throws DomainError as GradScaler does.
  void scale_loss(const optim::GradScalerOptions& options);
  /// The scale of the loss and its count of good steps. Waits for the device. Throws DomainError
  /// unless losses are scaled.
  optim::LossScale loss_scale() const;
  /// The address of the scale on the device; null unless losses are scaled.
  const double* loss_scale_data() const;

  /// Starts step number `step` >= 1 and returns without waiting. Gradients are multiplied by
  /// options.grad_scale, divided by the scale of the loss, and clipped to the norm max_grad_norm.
  /// If a gradient is not finite, parameters and states stay as they are. Throws DomainError for
  /// options that validate refuses, and unless max_grad_norm > 0.
  void step(const optim::AdamWOptions& options, std::int64_t step, double max_grad_norm = no_limit);
  /// Waits for the last step and reports on it, grad_norm included. A skipped step does not count,
  /// so the caller gives the next step the same number. The report alone shows whether a step was
  /// skipped. Throws DomainError if the scale of the gradients became infinite or 0 in the format
  /// of the step's arithmetic; that step was skipped, too.
  optim::StepReport report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Makes an AdamWList for one step, takes the step, waits, and returns the report.
optim::StepReport adamw_step(optim::Strategy strategy, optim::Format format,
                             std::span<const optim::AdamWMemory> memory,
                             const optim::AdamWOptions& options, std::int64_t step,
                             const Stream& stream = default_stream(),
                             double max_grad_norm = AdamWList::no_limit);

}  // namespace mct::cuda
