// One AdamW step of several groups of parameters, each with its own strategy, format and options:
// what an optimizer with parameter groups does in a step.
#pragma once

#include <cstdint>
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

/// One step of all groups, each as adamw_step of its arrays does, bit for bit. Gradients of all
/// groups are read once, first: if an element is infinite or NaN no group changes, and the report
/// says `skipped`.
///
/// Throws DomainError as adamw_step does for one of the groups, and if there are floats, but not as
/// many as arrays, or beside a theta of floats; then nothing has changed. Arrays of different
/// groups must not overlap, which is not looked at.
StepReport adamw_step(std::span<const AdamWGroup> groups);

/// The elements of all groups, and how many gradients are infinite or NaN: what adamw_step finds
/// out first, for processes that leave out a step together. Throws as adamw_step does.
StepReport nonfinite_gradients(std::span<const AdamWGroup> groups);

}  // namespace mct::optim
