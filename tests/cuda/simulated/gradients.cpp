// The programs that look at gradients of AdamW on the simulated device.
#include "cuda/optim/gradient_control.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {

MCT_FOR_EACH_GRADIENT_PROGRAM(MCT_SIMULATE_PROGRAM)

}  // namespace mct::cuda
