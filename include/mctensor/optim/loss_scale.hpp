// The rule that changes the scale of a loss when its gradients have infinities or NaN.
#pragma once

#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::optim {

struct GradScalerOptions {
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  /// After so many steps in a row without an infinity or NaN, the scale grows.
  std::int64_t growth_interval = 2000;
};

/// Skipped steps do not make a scale smaller than this. From this scale it can grow again. Its
/// inverse, the factor of gradients, is finite in float and bfloat16.
inline constexpr double least_loss_scale = 0x1p-100;

/// A scale, and the number of steps in a row without an infinity or NaN since the scale last
/// changed.
struct LossScale {
  double scale = 1;
  std::int64_t growth_steps = 0;
};

/// The scale of the next iteration. If a step was skipped, the scale is multiplied by
/// backoff_factor, but not below least_loss_scale (a smaller scale stays). If no step was skipped
/// for growth_interval iterations, the scale is multiplied by growth_factor, unless it would become
/// infinite.
MCT_HD MCT_ALWAYS_INLINE inline LossScale next_loss_scale(LossScale now,
                                                          const GradScalerOptions& options,
                                                          bool was_skipped) {
  if (was_skipped) {
    const double least = now.scale < least_loss_scale ? now.scale : least_loss_scale;
    const double backed_off = now.scale * options.backoff_factor;
    return {backed_off > least ? backed_off : least, 0};
  }
  if (++now.growth_steps < options.growth_interval) return now;
  const double grown = now.scale * options.growth_factor;
  return {grown - grown == 0 ? grown : now.scale, 0};
}

}  // namespace mct::optim
