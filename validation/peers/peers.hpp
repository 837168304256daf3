// Measures other implementations beside ours, on the same inputs.
#pragma once

#include "validation/core/suite.hpp"
#include "validation/results.hpp"

namespace mct::validation {

/// Appends to results.peers and results.components. The same seed gives the same numbers whatever
/// the number of threads. The filter is that of the suite: searched in "f64x2 add". `quick` takes
/// a tenth of the cases.
void measure_peers(const Options& options, bool quick, Results& results);

}  // namespace mct::validation
