// One AdamW step of several groups of parameters, each with its own strategy, format and options,
// for optimizers with parameter groups.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// Arrays of floats for a strategy with a 16-bit theta, with as many elements as its arrays.
struct FloatSide {
  /// The gradient; replaces AdamWMemory::grad.
  const float* grad = nullptr;
  /// Theta as the last step (or set_weights and widen_to_floats) wrote it. If the caller has
  /// changed an element since then, the element becomes the weight and is split anew. The step
  /// writes the new theta here.
  float* theta = nullptr;
  /// Whether grad is first rounded to the 16-bit format, in which it must stay finite. If not, the
  /// step uses the floats.
  bool rounds_grad = true;
};

/// The arguments of one adamw_step, and floats that belong to its arrays.
struct AdamWGroup {
  Strategy strategy = Strategy::plus;
  Format format = Format::bfloat16;
  std::span<const AdamWMemory> memory;
  /// Empty, or one element for each of `memory`. With floats[i] the grad of memory[i] is not read.
  std::span<const FloatSide> floats;
  AdamWOptions options;
  std::int64_t step = 1;
};

/// Receives the number of gradients of this process that are infinite or NaN, and returns whether
/// the step is skipped. A vote lets several processes skip together.
using SkipVote = std::function<bool(std::int64_t nonfinite)>;

/// One step of all groups, with the bits of one adamw_step for each. The step first reads the
/// gradients of all groups. If an element is infinite or NaN, or the vote returns true, no group
/// changes, and `skipped` is true in the report. A vote is called once. If a group is refused, it
/// is called with the number 1.
///
/// Throws DomainError as adamw_step does for one of the groups. Also throws it for `floats` of a
/// group with a float theta, and if `floats` and `memory` have different lengths. After an error
/// nothing has changed. Arrays of different groups must not overlap; this is not checked.
StepReport adamw_step(std::span<const AdamWGroup> groups, const SkipVote& vote = nullptr);

}  // namespace mct::optim
