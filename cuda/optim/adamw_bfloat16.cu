#include "cuda/optim/adamw_instances.hpp"

namespace mct::cuda {

template cudaError_t launch_adamw_of<bfloat16>(const AdamWLaunch&, cudaStream_t);

}  // namespace mct::cuda
