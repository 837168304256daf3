#include "cuda/base/run_block.hpp"
#include "cuda/linalg/multiply_bfloat16.hpp"
#include "cuda/linalg/pack_bfloat16.hpp"

namespace mct::cuda {

template cudaError_t launch(const PackBfloat16<2>&, dim3, cudaStream_t);
template cudaError_t launch(const PackBfloat16<3>&, dim3, cudaStream_t);
template cudaError_t launch(const MultiplyBfloat16<2, float>&, dim3, cudaStream_t);
template cudaError_t launch(const MultiplyBfloat16<3, float>&, dim3, cudaStream_t);
template cudaError_t launch(const MultiplyBfloat16<2, bfloat16>&, dim3, cudaStream_t);
template cudaError_t launch(const MultiplyBfloat16<3, bfloat16>&, dim3, cudaStream_t);

}  // namespace mct::cuda
