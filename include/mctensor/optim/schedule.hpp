// Learning rate schedules: the factor of the initial learning rate at a step.
#pragma once

#include <cstdint>

namespace mct::optim {

enum class Decay { constant, cosine, linear };

/// Linear warm-up from 0 over the first `warmup` steps, then constant, or falling to `floor` at
/// step `total` along half a cosine or a line, and constant after that.
struct Schedule {
  Decay decay = Decay::constant;
  std::int64_t warmup = 0;
  std::int64_t total = 0;
  double floor = 0;

  /// The factor for step number `step`, counted from 1. Throws DomainError if `total` does not lie
  /// beyond `warmup` although the factor is to fall.
  double factor(std::int64_t step) const;
};

}  // namespace mct::optim
