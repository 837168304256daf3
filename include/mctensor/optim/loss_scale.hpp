// How the scale of a loss follows infinities and NaN in its gradients.
#pragma once

#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::optim {

struct GradScalerOptions {
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  /// Steps in a row without an infinity or NaN after which the scale grows.
  std::int64_t growth_interval = 2000;
};

/// A scale, and the steps in a row without an infinity or NaN since it last changed.
struct LossScale {
  double scale = 1;
  std::int64_t growth_steps = 0;
};

/// That of the next iteration: multiplied by backoff_factor if a step was skipped, by growth_factor
/// if none was for growth_interval iterations (and it stays finite).
MCT_HD MCT_ALWAYS_INLINE inline LossScale next_loss_scale(LossScale now,
                                                          const GradScalerOptions& options,
                                                          bool was_skipped) {
  if (was_skipped) return {now.scale * options.backoff_factor, 0};
  if (++now.growth_steps < options.growth_interval) return now;
  const double grown = now.scale * options.growth_factor;
  return {grown - grown == 0 ? grown : now.scale, 0};
}

}  // namespace mct::optim
