// The state of AdamW for the parameters of an optimizer: arrays, counts of steps and options, and
// how files hold them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::optim {

/// The arrays of some parameters, the number of steps of each parameter, and the options of steps.
/// The optimizers (McAdamW, ShardedMcAdamW, cuda::McAdamW) choose the memory of the arrays and
/// update them. The elements of all parameters have positions, one after the other, and each
/// parameter begins at a multiple of 128. AdamWMemory::first is the position of a parameter's first
/// element. So each parameter has its own random numbers.
class AdamWState {
 public:
  /// A state without arrays. Error messages begin with `owner`, which must outlive this object.
  /// Throws DomainError for options that validate refuses.
  AdamWState(const char* owner, Strategy strategy, Format format, const AdamWOptions& options,
             std::vector<Shape> shapes);
  AdamWState(AdamWState&&) = default;
  AdamWState& operator=(AdamWState&&) = default;
  AdamWState(const AdamWState&) = delete;
  AdamWState& operator=(const AdamWState&) = delete;

  /// The options of steps. You may change them between steps.
  AdamWOptions& options() { return options_; }
  const AdamWOptions& options() const { return options_; }
  Strategy strategy() const { return strategy_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t skipped_steps() const { return skipped_; }
  std::int64_t parameters() const;

  /// The arrays of parameter i, which the caller may read and write. Throws ShapeError unless there
  /// is a parameter i.
  const AdamWMemory& memory(std::size_t i) const;

  /// A function that allocates `bytes` bytes of zeroed memory, aligned to 64 bytes. The memory
  /// lives as long as the pointer.
  using Allocate = std::function<std::shared_ptr<void>(std::size_t bytes)>;
  /// Allocates memory of the CPU.
  static std::shared_ptr<void> allocate_here(std::size_t bytes);
  /// Returns true if this array of parameter i is to be allocated.
  using Wants = std::function<bool(const KeptArray& array, std::size_t i)>;
  /// Allocates the arrays that the strategy keeps and for which `wants` returns true. The arrays of
  /// one entry of kept_arrays lie end to end, parameter after parameter.
  void allocate(const Wants& wants, const Allocate& allocate = &allocate_here);

  /// set_weights writes float weights of parameter i into theta and low. weights reads them back,
  /// rounded as the strategy holds them. The arrays must be in memory of the CPU. Throw ShapeError
  /// unless there is a parameter i, and set_weights also unless it has the shape of `value`.
  void set_weights(std::size_t i, const Tensor<float>& value);
  Tensor<float> weights(std::size_t i) const;

  /// A file holds a description of the optimizer, the counts, and the exact arrays, which must be
  /// in memory of the CPU. Arrays of lower bits, and pairs of 8-bit codes, are written as numbers
  /// of the 16-bit format with the same bits.
  StateDescription description() const;
  StateCounts counts() const;
  /// Throws DomainError for another number of parameters.
  void set_counts(const StateCounts& counts);
  /// Parts of save, load and load_checkpoint. Throws IoError if an entry is missing, does not
  /// belong to this optimizer or holds invalid values; the message names the entry. After an error
  /// nothing has changed.
  void save_to(StateWriter& writer) const;
  void load_from(StateReader& reader);

 protected:
  /// Throws ShapeError, whose message names the function, unless there is a parameter i.
  void require_index(const char* function, std::size_t i) const;
  /// Throws DomainError unless the strategy accepts variables whose numbers have this many bytes.
  void require_variables(std::size_t bytes_of_number) const;
  /// Throws DomainError, which names max_grad_norm, unless it is positive.
  void require_norm(double max_grad_norm) const;

  /// The parts of a step that an optimizer supplies.
  struct StepParts {
    std::int64_t elements;
    std::function<double()> norm;  ///< the norm of all gradients; no element is larger
    std::function<std::int64_t()> nonfinite;
    std::function<StepReport(const AdamWOptions&)> update;
  };
  /// Takes a step. Clips the gradients if max_grad_norm is not null. Skips the step if gradients
  /// are not finite.
  StepReport take_step(const double* max_grad_norm, const StepParts& parts);

  const char* owner_;
  Strategy strategy_;
  Format format_;
  Layout layout_;
  AdamWOptions options_;
  std::vector<Shape> shapes_;
  std::vector<std::int64_t> first_;  // positions of parameters, and the end of all
  std::vector<AdamWMemory> memory_;
  std::vector<std::int64_t> updates_;  // steps of each parameter
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t allocated_ = 0;                 // bytes, without gaps
  std::vector<std::shared_ptr<void>> blocks_;  // in which the arrays lie

 private:
  /// The bytes of an array of parameter i, rounded up to whole words of 16 bits, as a file holds
  /// them.
  std::size_t bytes_of(const KeptArray& array, std::size_t i) const;
  /// Calls visit(name of the entry in a file, index in kept_arrays, content, tensor that views the
  /// memory) for every array of a parameter.
  template <class Visit>
  void for_each_entry(std::size_t i, const Visit& visit) const;
};

}  // namespace mct::optim
