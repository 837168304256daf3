// The sums of a step over all ranks. They are the same on all ranks, for any number of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/distributed/collectives.hpp"
#include "mctensor/optim/step_report.hpp"

namespace mct::optim_detail {

/// Collective, where there are ranks; null is one. Counts; sums of doubles, exact and rounded once;
/// reports, whose sums are such.
std::int64_t total_of(distributed::Communicator* ranks, std::int64_t count);
double total_of(distributed::Communicator* ranks, const std::vector<double>& terms);
optim::StepReport total_of(distributed::Communicator* ranks,
                           const std::vector<optim::StepReport>& reports);

}  // namespace mct::optim_detail
