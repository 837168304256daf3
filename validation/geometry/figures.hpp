// The figures of the report on hyperbolic geometry.
#pragma once

#include "validation/core/suite.hpp"
#include "validation/results.hpp"

namespace mct::validation {

/// Appends to results.figures those whose "geometry figure <id>" the filter finds. The same seed
/// gives the same numbers whatever the number of threads; `quick` takes fewer points.
void measure_figures(const Options& options, bool quick, Results& results);

}  // namespace mct::validation
