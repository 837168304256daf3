#include "cuda/base/run_block.hpp"
#include "cuda/optim/start_adamw.hpp"

namespace mct::cuda {

template void start_adamw<float>(const AdamWLaunch&, const Stream&);

}  // namespace mct::cuda
