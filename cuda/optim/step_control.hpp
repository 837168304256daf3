// What an AdamW step is told by programs that ran before it.
#pragma once

#include <cstdint>

namespace mct::cuda {

/// In global memory. FinishGradients writes it.
struct StepControl {
  float grad_scale;   // in the place of AdamWConstants::grad_scale
  std::int32_t skip;  // not 0: everything stays as it is
};

}  // namespace mct::cuda
