// Adam's correction of moments that begin at zero.
#pragma once

#include <cmath>

namespace mct::optim {

/// 1 - beta^t without cancellation, in double.
inline double bias_correction(double beta, double t) {
  return beta == 0 ? 1 : -std::expm1(t * std::log(beta));
}

}  // namespace mct::optim
