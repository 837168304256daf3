#include "cuda/attention/forward.hpp"

#include "cuda/attention/prepare.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using namespace attention;

template cudaError_t launch(const SplitVectors&, dim3, cudaStream_t);
template cudaError_t launch(const GatherNumbers<1>&, dim3, cudaStream_t);
template cudaError_t launch(const GatherNumbers<2>&, dim3, cudaStream_t);

#define MCT_ATTENTION(S)                                                                      \
  template cudaError_t launch(const AttentionForward<S, 64, bfloat16>&, dim3, cudaStream_t);  \
  template cudaError_t launch(const AttentionForward<S, 128, bfloat16>&, dim3, cudaStream_t); \
  template cudaError_t launch(const AttentionForward<S, 64, float>&, dim3, cudaStream_t);     \
  template cudaError_t launch(const AttentionForward<S, 128, float>&, dim3, cudaStream_t);

MCT_ATTENTION(DotProduct)
MCT_ATTENTION(Gaussian)
MCT_ATTENTION(Laplacian)
MCT_ATTENTION(Umbral)
MCT_ATTENTION(Penumbral)
MCT_ATTENTION(Distance)

#undef MCT_ATTENTION

}  // namespace mct::cuda
