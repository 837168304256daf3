// One AdamW step of several groups of parameters, each with its own strategy, format and options:
// what an optimizer with parameter groups does in a step.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// Floats beside the arrays of a strategy with a 16-bit theta, of as many elements.
struct FloatSide {
  /// In the place of AdamWMemory::grad.
  const float* grad = nullptr;
  /// Shows theta: what the last step wrote, or set_weights and widen_to_floats. Where it is another
  /// number it was written from outside, and the weight becomes that, split anew. Gets the new
  /// theta.
  float* theta = nullptr;
  /// grad is rounded to T first, and must stay numbers of T. Else the step computes with it as it
  /// is.
  bool rounds_grad = true;
};

/// What one call of adamw_step takes, and the floats beside it.
struct AdamWGroup {
  Strategy strategy = Strategy::plus;
  Format format = Format::bfloat16;
  std::span<const AdamWMemory> memory;
  /// None, or floats[i] beside memory[i], whose grad may be any address then.
  std::span<const FloatSide> floats;
  AdamWOptions options;
  std::int64_t step = 1;
};

/// Told how many gradients here are infinite or NaN, it says whether the step is left out: for
/// processes that do so together.
using SkipVote = std::function<bool(std::int64_t nonfinite)>;

/// One step of all groups, each as adamw_step of its arrays does, bit for bit. Gradients of all
/// groups are read once, first: if an element is infinite or NaN, or the vote says so, no group
/// changes, and the report says `skipped`. The vote, if there is one, is called once, with 1 where
/// a group is refused.
///
/// Throws DomainError as adamw_step does for one of the groups, and if there are floats, but not as
/// many as arrays, or beside a theta of floats; then nothing has changed. Arrays of different
/// groups must not overlap, which is not looked at.
StepReport adamw_step(std::span<const AdamWGroup> groups, const SkipVote& vote = nullptr);

}  // namespace mct::optim
