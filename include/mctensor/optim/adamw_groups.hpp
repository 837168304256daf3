// One AdamW step of several groups of parameters, each with its own strategy, format and options,
// for optimizers with parameter groups.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// Float arrays beside the arrays of a strategy with a 16-bit theta, with the same number of
/// elements.
struct FloatSide {
  /// The gradient; replaces AdamWMemory::grad.
  const float* grad = nullptr;
  /// Theta as the last step (or set_weights and widen_to_floats) wrote it. If an element differs,
  /// the caller has written it: the element becomes the weight, and is split anew. The step writes
  /// the new theta here.
  float* theta = nullptr;
  /// True: grad is rounded to T first, and must stay finite in T. False: the step uses the floats.
  bool rounds_grad = true;
};

/// The arguments of one adamw_step, and the floats beside its arrays.
struct AdamWGroup {
  Strategy strategy = Strategy::plus;
  Format format = Format::bfloat16;
  std::span<const AdamWMemory> memory;
  /// Empty, or floats[i] beside memory[i]; then the grad of memory[i] is not read.
  std::span<const FloatSide> floats;
  AdamWOptions options;
  std::int64_t step = 1;
};

/// Receives the number of gradients of this process that are infinite or NaN, and returns whether
/// the step is skipped. A vote lets several processes skip together.
using SkipVote = std::function<bool(std::int64_t nonfinite)>;

/// One step of all groups, each as adamw_step of its arrays does, bit for bit. The step first reads
/// the gradients of all groups once: if an element is infinite or NaN, or the vote says so, no
/// group changes, and the report says `skipped`. The vote, if there is one, is called once, also
/// (with the number 1) if a group is refused.
///
/// Throws DomainError as adamw_step does for one of the groups, and for floats beside a float theta
/// or if `floats` and `memory` have different lengths; after an error nothing has changed. Arrays
/// of different groups must not overlap; this is not checked.
StepReport adamw_step(std::span<const AdamWGroup> groups, const SkipVote& vote = nullptr);

}  // namespace mct::optim
