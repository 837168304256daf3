// Learning rate schedules: the factor of the initial learning rate at a step.
#pragma once

#include <cstdint>

namespace mct::optim {

enum class Decay {
  constant,      ///< with a warm-up, if there is one
  cosine,        ///< along half a cosine
  linear,        ///< along a line; with `hold`: warm-up, stable, decay
  inverse_sqrt,  ///< sqrt(w / step), 1 at step w, the end of warm-up and hold (at least 1)
  step,          ///< times gamma after every `period` steps, as PyTorch's StepLR
};

/// Linear warm-up from 0 over the first `warmup` steps, 1 for the next `hold`, then falling to
/// `floor`: cosine and linear fall until step `total` and are constant after it; the other kinds
/// fall until they reach `floor`.
struct Schedule {
  Decay decay = Decay::constant;
  std::int64_t warmup = 0;
  std::int64_t total = 0;  ///< cosine and linear only
  double floor = 0;
  std::int64_t hold = 0;    ///< the largest number means for ever
  std::int64_t period = 0;  ///< step only
  double gamma = 0.1;       ///< step only

  /// The factor for step number `step`, counted from 1. Throws DomainError with the wrong option,
  /// at every step: a step below 1, a negative warm-up or hold, a `total` of cosine and linear that
  /// is not above warm-up + hold (a hold for ever allows no total), a period below 1, gamma or
  /// floor outside [0, 1].
  double factor(std::int64_t step) const;
};

}  // namespace mct::optim
