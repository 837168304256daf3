// The programs of AdamW for bfloat16 and floats on the simulated device, for all that starts them.
#include "cuda/optim/start_adamw.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {

template void start_adamw<bfloat16>(const AdamWLaunch&, const Stream&);
template void start_adamw<float>(const AdamWLaunch&, const Stream&);

}  // namespace mct::cuda
