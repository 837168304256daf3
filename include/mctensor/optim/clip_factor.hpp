// How much gradients are scaled down so that their norm is at most a given one.
#pragma once

#include <cmath>

#include "mctensor/error.hpp"
#include "mctensor/optim/number_text.hpp"

namespace mct::optim {

/// max_norm / norm where norm is larger, else 1; 1 for a norm that is not finite: such a step is
/// skipped. As AdamWOptions::grad_scale it clips without a pass over the gradients. Throws
/// DomainError unless max_norm > 0.
inline double clip_factor(double norm, double max_norm) {
  if (!(max_norm > 0)) throw DomainError("max_norm " + number_text(max_norm) + " is not positive");
  return std::isfinite(norm) && norm > max_norm ? max_norm / norm : 1;
}

}  // namespace mct::optim
