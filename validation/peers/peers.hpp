// Measures other implementations beside ours, on the same inputs.
#pragma once

#include "validation/core/suite.hpp"
#include "validation/results.hpp"

namespace mct::validation {

/// Appends to results.peers and results.components: 100 000 cases for each row and point, a tenth
/// of that if `quick`. The same seed gives the same numbers whatever the number of threads. The
/// filter is the suite's, searched in "f64x2 add" (the points of the figures count as add,
/// mul_scalar and mul); leaving nothing is not an error here, because the suite has operations
/// without peers. Throws DomainError for a filter that is not a regular expression.
void measure_peers(const Options& options, bool quick, Results& results);

}  // namespace mct::validation
