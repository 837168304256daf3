#include "cuda/optim/adamw_instances.hpp"

namespace mct::cuda {

template cudaError_t launch_adamw_of<half>(const AdamWLaunch&, cudaStream_t);

}  // namespace mct::cuda
