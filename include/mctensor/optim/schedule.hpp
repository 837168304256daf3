// Learning rate schedules: the factor by which the initial learning rate is multiplied at each
// step.
#pragma once

#include <cstdint>

namespace mct::optim {

enum class Decay {
  constant,      ///< with a warm-up, if there is one
  cosine,        ///< falls along half a cosine
  linear,        ///< falls along a line; with `hold`, the schedule "warm-up, stable, decay"
  inverse_sqrt,  ///< sqrt(w / step), where w is the last step of warm-up and hold, at least 1
  step,          ///< is multiplied by gamma after every `period` steps, as PyTorch's StepLR
};

/// In the first `warmup` steps the factor is step / warmup. It is 1 for the next `hold` steps. Then
/// it falls, except for Decay::constant. Cosine and linear reach `floor` at step `total` and stay
/// there; the others fall until they reach `floor`.
struct Schedule {
  Decay decay = Decay::constant;
  std::int64_t warmup = 0;
  std::int64_t total = 0;  ///< cosine and linear only
  double floor = 0;
  std::int64_t hold = 0;    ///< the largest integer: the hold does not end
  std::int64_t period = 0;  ///< step only
  double gamma = 0.1;       ///< step only

  /// The factor for step number `step`, counted from 1. Checks all options at every step. Throws
  /// DomainError, which names the option, for a step below 1, a negative warm-up or hold, or a
  /// floor outside [0, 1]. Also throws it for cosine and linear unless total > warmup + hold, and
  /// for Decay::step if period < 1 or gamma is outside [0, 1].
  double factor(std::int64_t step) const;
};

}  // namespace mct::optim
