// The programs of AdamW for half on the simulated device.
#include "cuda/optim/start_adamw.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {

template void start_adamw<half>(const AdamWLaunch&, const Stream&);

}  // namespace mct::cuda
