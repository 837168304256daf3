// Learning rate schedules: the factor of the initial learning rate at a step.
#pragma once

#include <cstdint>

namespace mct::optim {

enum class Decay {
  constant,      ///< with a warm-up, if there is one
  cosine,        ///< along half a cosine
  linear,        ///< along a line; with `hold`, the schedule "warm-up, stable, decay"
  inverse_sqrt,  ///< sqrt(w / step), with the last step w of warm-up and hold (at least 1)
  step,          ///< times gamma after every `period` steps, as PyTorch's StepLR
};

/// The factor rises linearly over the first `warmup` steps: it is step / warmup. It is 1 for the
/// next `hold` steps. Then all kinds except constant fall: cosine and linear reach `floor` at step
/// `total` and stay there, and the others fall until they reach `floor`.
struct Schedule {
  Decay decay = Decay::constant;
  std::int64_t warmup = 0;
  std::int64_t total = 0;  ///< cosine and linear only
  double floor = 0;
  std::int64_t hold = 0;    ///< the largest integer means without end
  std::int64_t period = 0;  ///< step only
  double gamma = 0.1;       ///< step only

  /// The factor for step number `step`, counted from 1. Checks all options at every step. Throws
  /// DomainError, which names the option, for a step below 1, a negative warm-up or hold, or a
  /// floor outside [0, 1]; for cosine and linear unless total > warmup + hold; for Decay::step if
  /// period < 1 or gamma is outside [0, 1].
  double factor(std::int64_t step) const;
};

}  // namespace mct::optim
