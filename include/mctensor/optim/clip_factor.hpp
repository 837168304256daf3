// The factor that limits the norm of gradients.
#pragma once

#include "mctensor/base/number_text.hpp"
#include "mctensor/config.hpp"
#include "mctensor/error.hpp"

namespace mct::optim {

/// clip_factor without the check of max_norm, which must be above 0.
MCT_HD MCT_ALWAYS_INLINE inline double clip_ratio(double norm, double max_norm) {
  const bool is_finite = norm - norm == 0;
  return is_finite && norm > max_norm ? max_norm / norm : 1;
}

/// max_norm / norm if norm is larger than max_norm, else 1. Also 1 for a norm that is not finite,
/// because such a step is skipped. As AdamWOptions::grad_scale the factor clips the gradients
/// without another pass over them. Throws DomainError unless max_norm > 0.
inline double clip_factor(double norm, double max_norm) {
  if (!(max_norm > 0)) throw DomainError("max_norm " + number_text(max_norm) + " is not positive");
  return clip_ratio(norm, max_norm);
}

}  // namespace mct::optim
