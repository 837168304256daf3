// What an AdamW step is told by the programs that have looked at its gradients.
#pragma once

#include <cstdint>

namespace mct::cuda {

/// In global memory.
struct StepControl {
  float grad_scale;   // in the place of AdamWConstants::grad_scale
  std::int32_t skip;  // not 0: everything stays as it is
};

/// What was found, for a host that wants to know.
struct alignas(16) GradientReport {
  double norm;             // StepReport::grad_norm: grad_scale included, before clipping
  std::int64_t nonfinite;  // StepReport::nonfinite
  /// The scale became infinite or 0 in the format that the step computes in: the step is skipped
  /// (the host's throws DomainError).
  std::int64_t refused;
  double grad_scale;  // with the loss scale and the clipping
};

}  // namespace mct::cuda
