// The blocks by which sharded optimizers share out, measure and sum up.
#pragma once

#include <cstdint>

namespace mct::optim_detail {

/// Elements of which sums are found in double before they are added up exactly. Blocks begin at the
/// same positions for any number of ranks. Those of AdamWOptions::metric_sample are as long.
inline constexpr std::int64_t sharded_block = 2048;

}  // namespace mct::optim_detail
