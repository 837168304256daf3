// MC-AdamW (Collage): parameters kept in 16-bit numbers while a model computes in float.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// AdamW with a precision strategy for the float variables of a model. T, bfloat16 or half, is the
/// 16-bit format. The optimizer owns theta and the states in the formats of the strategy; the
/// variables hold theta widened to float, so that forward and backward passes compute with 16-bit
/// weights. Gradients are rounded to T first (not for Strategy::full).
///
/// Source: seed 004, Alg. 9.
template <class T = bfloat16>
class McAdamW {
 public:
  /// Rounds the variables' values to what the strategy stores: theta to T, what is left to its low
  /// component. Throws DomainError as adamw_step does.
  McAdamW(std::vector<Variable<float>> parameters, Strategy strategy,
          const AdamWOptions& options = {});

  /// One step with the gradients of the variables, after which those that have one hold the new
  /// theta. If an element of a gradient is infinite or NaN nothing changes but skipped_steps(), and
  /// the report counts them.
  StepReport step();
  void zero_grad() const;

  /// May be changed between steps: the learning rate of a schedule, for example.
  AdamWOptions& options() { return options_; }
  Strategy strategy() const { return strategy_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t skipped_steps() const { return skipped_; }

  /// Bytes of all arrays, without gradients.
  std::int64_t bytes() const;
  std::int64_t parameters() const;

  /// Parameter i as the strategy holds it: theta plus its low component, or the float weight,
  /// rounded to float.
  Tensor<float> exact_value(std::size_t i) const;
  /// Sets parameter i from floats, as the constructor does; its states stay.
  void set_value(std::size_t i, const Tensor<float>& value);

  /// Writes everything that steps depend on, in the exact formats: training goes on bit for bit.
  /// The file is replaced as a whole. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads it and writes theta to the variables. Throws IoError naming what does not belong to this
  /// optimizer; then nothing has changed.
  void load(const std::filesystem::path& path);

 private:
  /// One array of a parameter in any format: 16-bit values, floats, or pairs of bytes.
  struct Array {
    std::size_t size = 0;  // bytes of an element; 0: there is none
    Tensor<T> narrow;      // of 2 bytes, or two elements of 1 byte each
    Tensor<float> wide;

    static Array allocate(std::size_t size, const Shape& shape);
    void* data() const;
    std::int64_t bytes() const;
  };
  /// What is kept for one variable.
  struct Slot {
    Array theta, low, m, v, v_low;
    Tensor<float> scales;
    std::int64_t first;  // position of its first element: each has random numbers of its own
  };

  AdamWMemory memory_of(const Slot& slot, std::int64_t count) const;
  void show(std::size_t i) const;  // writes theta to the variable

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
