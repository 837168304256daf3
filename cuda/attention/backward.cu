#include "cuda/attention/backward.hpp"

#include "cuda/attention/prepare.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using namespace attention;

MCT_COMPILE_PROGRAM(GatherSoftmax<bfloat16>)

#define MCT_BACKWARD(S)                                          \
  MCT_COMPILE_PROGRAM(AttentionBackward<S, 64, bfloat16, true>)  \
  MCT_COMPILE_PROGRAM(AttentionBackward<S, 64, bfloat16, false>) \
  MCT_COMPILE_PROGRAM(AttentionBackward<S, 128, bfloat16, true>) \
  MCT_COMPILE_PROGRAM(AttentionBackward<S, 128, bfloat16, false>)

MCT_BACKWARD(DotProduct)
MCT_BACKWARD(Gaussian)
MCT_BACKWARD(Laplacian)
MCT_BACKWARD(Umbral)
MCT_BACKWARD(Penumbral)
MCT_BACKWARD(Distance)

#undef MCT_BACKWARD

}  // namespace mct::cuda
