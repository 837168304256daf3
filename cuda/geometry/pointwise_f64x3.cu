#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_pointwise.hpp"

template void mct::cuda::start_pointwise(const PointwiseLaunch<double, 3>&, const Stream&);
