// MC-AdamW (Collage): AdamW whose parameters are stored in 16-bit numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <type_traits>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/optim/adamw_state.hpp"

namespace mct::optim {

/// The memory that training holds for its parameters, without activations.
struct ParameterBytes {
  std::int64_t weights = 0;    ///< the variables' values, which forward and backward passes read
  std::int64_t states = 0;     ///< all other arrays of the optimizer
  std::int64_t gradients = 0;  ///< all gradients; with gradient release, only the largest
  std::int64_t total() const { return weights + states + gradients; }
  bool operator==(const ParameterBytes&) const = default;
};

/// The format of the type T, which is bfloat16 or half.
template <class T>
inline constexpr Format format_of = std::is_same_v<T, half> ? Format::float16 : Format::bfloat16;

/// AdamW with a precision strategy for the variables of a model. T is the 16-bit format, bfloat16
/// or half. P is the type of the variables, float or T.
///
/// If P is T, the memory of a contiguous variable is theta, and its gradient is read in place. So
/// training needs no memory beyond the arrays of the strategy. If P is float, the optimizer owns
/// theta, and variables "show" theta: they hold it as floats, for a model that computes in float
/// with 16-bit weights. Gradients are then first rounded to T. With Strategy::full nothing is
/// rounded, and the memory of a contiguous variable is theta.
///
/// You may write to a variable between steps (load a model, clamp or average weights). The written
/// number becomes the weight and is split anew; its moments stay. If the variable shows theta, or
/// if theta is a copy of float weights (master), only written elements change. Otherwise all 128
/// elements of a group lose low when one of them is written (AdamWMemory::marks).
///
/// Source: Yu 2024, Alg. 9.
template <class T = bfloat16, class P = float>
class McAdamW : private AdamWState {
 public:
  using AdamWState::counts, AdamWState::set_counts;
  using AdamWState::options, AdamWState::strategy, AdamWState::parameters, AdamWState::memory;
  using AdamWState::steps, AdamWState::skipped_steps, AdamWState::description;

  /// Rounds the variables' values to the storage of the strategy: theta to T, and the rest to the
  /// array low. Throws DomainError for options that validate refuses, for Strategy::full with
  /// variables of T, and for a variable that occurs twice.
  McAdamW(std::vector<Variable<P>> parameters, Strategy strategy, const AdamWOptions& options = {});
  ~McAdamW();
  McAdamW(McAdamW&&) = delete;

  /// One step with the gradients of the variables. Variables with a gradient then hold the new
  /// theta. If an element of a gradient, rounded to T, is infinite or NaN, only skipped_steps()
  /// changes, and the report has the number of such elements. Throws DomainError for options that
  /// validate refuses.
  StepReport step();
  /// A step with all gradients scaled so that their norm is at most max_grad_norm. grad_norm of the
  /// report is the norm before clipping, options().grad_scale included. The clipping takes no
  /// further pass over the gradients. Throws DomainError unless max_grad_norm > 0, and if gradients
  /// are released.
  StepReport step(double max_grad_norm);
  void zero_grad() const;

  /// Gradient release saves memory. Each parameter is updated in the backward pass as soon as its
  /// gradient is complete, and the gradient is freed. So only the gradients of one operation exist
  /// at a time. step() then ends the step: it updates the parameters that still have a gradient,
  /// counts the step, and reports on all parameters.
  ///
  /// A parameter whose gradient is infinite or NaN stays as it was, but other parameters change. So
  /// a whole step cannot be skipped or clipped, and gradients of several backward passes are not
  /// added up. Set the options of the step before you call backward(). Gradient release uses the
  /// variables' hooks until it is switched off or the optimizer is destroyed.
  void set_gradient_release(bool on = true);
  bool releases_gradients() const { return releases_; }

  /// The memory that is held for the parameters when all gradients exist. A step needs no further
  /// memory, so this is the peak without activations.
  ParameterBytes bytes() const;

  /// Parameter i as the strategy holds it: theta plus its low component, or the float weight,
  /// rounded to float. Throws ShapeError unless there is a parameter i.
  Tensor<float> exact_value(std::size_t i) const;
  /// Sets parameter i from floats, as the constructor does; its states stay. Throws ShapeError
  /// unless there is a parameter i and value has its shape.
  void set_value(std::size_t i, const Tensor<float>& value);

  /// Writes the exact arrays, the counts of steps and the seed. A training that reads them and has
  /// the same other options continues with the same bits. The file is replaced as a whole. Throws
  /// IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads a file and writes theta to the variables. Throws IoError if an entry is missing, does
  /// not belong to this optimizer or holds invalid values; the message names the entry. After an
  /// error nothing has changed.
  void load(const std::filesystem::path& path);

  /// As AdamWState::save_to; numbers that were written to variables are saved, too.
  void save_to(StateWriter& writer) const;
  void load_from(StateReader& reader);
  const std::vector<Variable<P>>& variables() const { return variables_; }

 private:
  /// The parameters that one step updates: all parameters with a gradient.
  struct Batch;

  bool is_own_theta(std::size_t i) const;  // theta is the variable's memory
  void add(std::size_t i, Batch& batch) const;
  std::int64_t nonfinite(const Batch& batch) const;
  StepReport update(const Batch& batch, const AdamWOptions& options);
  StepReport step_all(const double* max_grad_norm);
  void step_released(std::size_t i);
  void show(std::size_t i) const;  // writes theta to the variable
  /// Numbers that the caller has written to a variable that shows theta become the weights.
  /// (Variables that are theta have marks instead.)
  void take_edits(std::size_t i) const;

  std::vector<Variable<P>> variables_;
  std::vector<bool> in_a_row_;  // whether variables are contiguous
  bool releases_ = false;
  StepReport released_;  // since the last step()
};

extern template class McAdamW<bfloat16, float>;
extern template class McAdamW<half, float>;
extern template class McAdamW<bfloat16, bfloat16>;
extern template class McAdamW<half, half>;

}  // namespace mct::optim
