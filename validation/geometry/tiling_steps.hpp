// The numerical error of one step in the tilings, beside that of the half-space representations.
#pragma once

#include "validation/core/philox.hpp"

namespace mct::validation {

/// Not for several threads at a time: see TruthPrecision.
///
/// The distance between where a step of length 1/2 from a stored point, `distance` away from the
/// origin, leads in double and where it should lead.
double ltiling_step_error(double distance, Random& random);
double htiling_step_error(double distance, Random& random);

}  // namespace mct::validation
