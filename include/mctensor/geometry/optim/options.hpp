// Options that the Riemannian optimizers share.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"

namespace mct::geometry {

/// A learning rate that starts smaller: `factor` times it during the first `steps` steps.
struct BurnIn {
  std::int64_t steps = 0;
  double factor = 0.01;
};

/// How the radius follows its gradient: log K <- log K - lr K dL/dK.
struct RadiusOptions {
  double lr = 1e-3;
  Rescaling rescaling = Rescaling::rescale_distances;
};

namespace optim_detail {

/// Throws DomainError naming the option unless it is finite and `good`.
inline void check_option(const std::string& name, double value, bool good) {
  if (!std::isfinite(value) || !good)
    throw DomainError(name + " " + number_text(value) + " makes no sense");
}

}  // namespace optim_detail

}  // namespace mct::geometry
