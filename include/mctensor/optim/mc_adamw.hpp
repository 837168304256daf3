// MC-AdamW (Collage): parameters kept in 16-bit numbers while a model computes in float.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/state_file.hpp"

namespace mct::optim {

/// AdamW with a precision strategy for the float variables of a model. T, bfloat16 or half, is the
/// 16-bit format. The optimizer owns theta and the states in the formats of the strategy; the
/// variables hold theta widened to float, so that forward and backward passes compute with 16-bit
/// weights. Gradients are rounded to T first. With Strategy::full nothing is rounded, and the
/// variables' own floats are theta, if they are contiguous.
///
/// Source: Yu 2024, Alg. 9.
template <class T = bfloat16>
class McAdamW {
 public:
  /// Rounds the variables' values to what the strategy stores: theta to T, what is left to its low
  /// component. Throws DomainError for options that validate refuses.
  McAdamW(std::vector<Variable<float>> parameters, Strategy strategy,
          const AdamWOptions& options = {});

  /// One step with the gradients of the variables, after which those that have one hold the new
  /// theta. If an element of a gradient, rounded to T, is infinite or NaN nothing changes but
  /// skipped_steps(), and the report counts them. Throws DomainError for bad options.
  StepReport step();
  void zero_grad() const;

  /// May be changed between steps: the learning rate of a schedule, for example.
  AdamWOptions& options() { return options_; }
  Strategy strategy() const { return strategy_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t skipped_steps() const { return skipped_; }

  /// Bytes of all arrays, without gradients.
  std::int64_t bytes() const;
  /// Bytes of the floats that the variables hold besides: copies of theta for the model to compute
  /// with, none where theta is the variables' own.
  std::int64_t variable_bytes() const;
  std::int64_t parameters() const;

  /// Parameter i as the strategy holds it: theta plus its low component, or the float weight,
  /// rounded to float.
  Tensor<float> exact_value(std::size_t i) const;
  /// Sets parameter i from floats, as the constructor does; its states stay.
  void set_value(std::size_t i, const Tensor<float>& value);

  /// Writes everything that steps depend on, in the exact formats: training goes on bit for bit.
  /// What is no number (codes of 8 bits, two at a time, and lower bits) is written as bits of T.
  /// The file is replaced as a whole. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads it and writes theta to the variables. Throws IoError naming the entry that is missing,
  /// does not belong to this optimizer or holds what is no state; then nothing has changed.
  void load(const std::filesystem::path& path);

  /// Parts of save and load, of load_checkpoint too: whose states they are, and all of them.
  StateDescription description() const;
  void save_to(StateWriter& writer) const;
  void load_from(StateReader& reader);
  const std::vector<Variable<float>>& variables() const { return variables_; }

 private:
  /// What is kept for one variable: the arrays of the table, those that the strategy has.
  struct Slot {
    std::array<Storage, kept_arrays.size()> arrays;
    std::int64_t steps = 0;
    std::int64_t first = 0;  // position of its first element: each has random numbers of its own
  };

  AdamWMemory memory_of(std::size_t i) const;
  bool is_own_theta(std::size_t i) const;  // theta is the variable's memory
  StepReport update(std::size_t i, const Tensor<float>& grad);
  void show(std::size_t i) const;  // writes theta to the variable
  /// Calls visit(name of the entry in a file, row of the table, content, tensor over its memory)
  /// for every array of a variable.
  template <class Visit>
  void for_each_entry(std::size_t i, const Visit& visit) const;

  std::vector<Variable<float>> variables_;
  Strategy strategy_;
  AdamWOptions options_;
  std::vector<Slot> slots_;
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;
};

extern template class McAdamW<bfloat16>;
extern template class McAdamW<half>;

}  // namespace mct::optim
