#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_row_optimizer.hpp"

namespace mct::cuda {

template void start_row_optimizer(
    const RowOptimizerLaunch<geometry::RsgdOptions, RowKind::manifold, 1>&, const Stream&);
template void start_row_optimizer(
    const RowOptimizerLaunch<geometry::RadamOptions, RowKind::manifold, 1>&, const Stream&);

}  // namespace mct::cuda
