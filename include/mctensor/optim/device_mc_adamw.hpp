// MC-AdamW (Collage) for parameters on a GPU. Link mctensor::cuda.
#pragma once

#include <filesystem>
#include <vector>

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/optim/adamw_state.hpp"
#include "mctensor/optim/device_adamw.hpp"

namespace mct::cuda {

/// AdamW with a precision strategy for tensors of a device. T is the 16-bit format, bfloat16 or
/// half; with Strategy::full T is float. The tensors themselves are theta. The optimizer holds the
/// strategy's other arrays on the device of the tensors. Gradients are read in place.
///
/// Results have the bits of optim::McAdamW, except the norm of gradients (see AdamWList).
template <class T = bfloat16>
class McAdamW : private optim::AdamWState {
 public:
  using AdamWState::options, AdamWState::strategy;

  /// The parameters hold the weights; the states begin as zeros. Throws ShapeError unless there is
  /// a gradient of the same shape for each parameter. Throws DomainError for options that validate
  /// refuses, a weight that is not finite, Strategy::full with 16-bit numbers, another strategy
  /// with floats, and tensors that overlap. Throws DeviceError.
  McAdamW(std::vector<DeviceTensor<T>> parameters, std::vector<DeviceTensor<T>> gradients,
          optim::Strategy strategy, const optim::AdamWOptions& options = {},
          const Stream& stream = default_stream());

  /// Sets the gradients of the next steps. Throws ShapeError and DomainError as the constructor
  /// does.
  void set_gradients(std::vector<DeviceTensor<T>> gradients);

  /// Starts a step and returns without waiting. The step runs after the work that the tensors'
  /// streams have now, and before work that they get later. Throws DomainError as AdamWList::step
  /// does.
  void step(double max_grad_norm = AdamWList::no_limit);
  /// Waits for the last step and reports on it. A skipped step does not count. Throws DomainError
  /// as AdamWList::report does.
  optim::StepReport report();

  /// The number of steps that were started, minus the steps that report() found skipped.
  std::int64_t steps() const { return steps_; }
  /// As the functions of AdamWList with these names.
  void scale_loss(const optim::GradScalerOptions& options) { list_->scale_loss(options); }
  optim::LossScale loss_scale() const { return list_->loss_scale(); }
  const double* loss_scale_data() const { return list_->loss_scale_data(); }

  /// Parameter i as the strategy holds it, rounded to float. Waits.
  Tensor<float> exact_value(std::size_t i) const;
  /// Sets parameter i from floats; its states stay. Waits. Throws ShapeError unless value has the
  /// shape of the parameter. Throws DomainError for a number that is not finite in the format of
  /// theta.
  void set_value(std::size_t i, const Tensor<float>& value);

  /// Writes the file that optim::McAdamW writes. Waits. Throws IoError, and DomainError as report()
  /// does.
  void save(const std::filesystem::path& path);
  /// Reads a file of this class or of optim::McAdamW. Waits. Throws IoError as optim::McAdamW::load
  /// does, and if parameters in the file have different numbers of steps. After an error nothing
  /// has changed.
  void load(const std::filesystem::path& path);

 private:
  /// Throws ShapeError unless the gradients fit the parameters.
  void check_gradients(const std::vector<DeviceTensor<T>>& gradients) const;
  /// States in CPU memory. fetch_weights copies theta, low and marks of one parameter; new_state
  /// makes zeros for all parameters.
  optim::AdamWState fetch_weights(std::size_t i) const;
  optim::AdamWState new_state() const;
  /// Copies the arrays that `from` and `to` both have, and waits.
  void copy_arrays(const optim::AdamWMemory& from, const optim::AdamWMemory& to) const;

  std::vector<DeviceTensor<T>> parameters_, gradients_;
  Stream stream_;
  std::unique_ptr<AdamWList> list_;
  bool counts_ = false;  // whether steps_ counts a step that has no report yet
};

}  // namespace mct::cuda
