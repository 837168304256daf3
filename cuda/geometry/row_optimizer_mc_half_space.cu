#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_row_optimizer.hpp"

namespace mct::cuda {

template void start_row_optimizer(
    const RowOptimizerLaunch<geometry::RsgdOptions, RowKind::mc_half_space, 2>&, const Stream&);
template void start_row_optimizer(
    const RowOptimizerLaunch<geometry::RadamOptions, RowKind::mc_half_space, 2>&, const Stream&);
template void start_row_optimizer(
    const RowOptimizerLaunch<geometry::RsgdOptions, RowKind::mc_half_space, 3>&, const Stream&);
template void start_row_optimizer(
    const RowOptimizerLaunch<geometry::RadamOptions, RowKind::mc_half_space, 3>&, const Stream&);

}  // namespace mct::cuda
