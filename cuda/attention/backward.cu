#include "cuda/attention/backward.hpp"

#include "cuda/attention/prepare.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using namespace attention;

#define MCT_BACKWARD(S, D, T)                                                               \
  template cudaError_t launch(const AttentionBackward<S, D, T, true>&, dim3, cudaStream_t); \
  template cudaError_t launch(const AttentionBackward<S, D, T, false>&, dim3, cudaStream_t);
#define MCT_WIDTHS(S)           \
  MCT_BACKWARD(S, 64, bfloat16) \
  MCT_BACKWARD(S, 128, bfloat16)

template cudaError_t launch(const GatherSoftmax<bfloat16>&, dim3, cudaStream_t);
template cudaError_t launch(const GatherSoftmax<float>&, dim3, cudaStream_t);

MCT_WIDTHS(DotProduct)
MCT_WIDTHS(Gaussian)
MCT_WIDTHS(Laplacian)
MCT_WIDTHS(Umbral)
MCT_WIDTHS(Penumbral)
MCT_WIDTHS(Distance)

#undef MCT_WIDTHS
#undef MCT_BACKWARD

}  // namespace mct::cuda
