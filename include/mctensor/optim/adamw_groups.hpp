// One AdamW step of several groups of parameters. Each group has its own strategy, format and
// options.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// Arrays of floats that belong to the 16-bit arrays of one AdamWMemory and have as many elements.
/// A model that computes in float uses them.
struct FloatSide {
  /// The gradient, which replaces AdamWMemory::grad.
  const float* grad = nullptr;
  /// Theta as the last step (or set_weights and widen_to_floats) wrote it. If the caller has
  /// changed an element since then, the element becomes the weight and is split anew. The step
  /// writes the new theta here.
  float* theta = nullptr;
  /// True: the step rounds grad to the 16-bit format and uses the result, which must be finite.
  /// False: the step uses the floats.
  bool rounds_grad = true;
};

/// The arguments of adamw_step for one group, and the floats that belong to its arrays.
struct AdamWGroup {
  Strategy strategy = Strategy::plus;
  Format format = Format::bfloat16;
  std::span<const AdamWMemory> memory;
  /// Empty, or one element for each element of `memory`. Then memory[i].grad is not read.
  std::span<const FloatSide> floats;
  AdamWOptions options;
  std::int64_t step = 1;
};

/// Receives the number of gradients of this process that are infinite or NaN, and returns whether
/// the step is skipped. A vote lets several processes skip together.
using SkipVote = std::function<bool(std::int64_t nonfinite)>;

/// One step of all groups. Each group gets the bits of its own adamw_step. The step first reads the
/// gradients of all groups. If an element is infinite or NaN, or the vote returns true, no group
/// changes, and `skipped` is true in the report. The vote is called once, before any group changes.
/// If a group is refused, the vote is called with the number 1, because other processes wait for
/// it.
///
/// Throws DomainError as adamw_step does for one of the groups. Also throws it for `floats` of a
/// group with a float theta, and if `floats` and `memory` have different lengths. After an error
/// nothing has changed. Arrays of different groups must not overlap; this is not checked.
StepReport adamw_step(std::span<const AdamWGroup> groups, const SkipVote& vote = nullptr);

}  // namespace mct::optim
