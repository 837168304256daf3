#include "cuda/attention/forward.hpp"

#include "cuda/attention/prepare.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using namespace attention;

MCT_COMPILE_PROGRAM(SplitVectors)
MCT_COMPILE_PROGRAM(GatherNumbers<1>)
MCT_COMPILE_PROGRAM(GatherNumbers<2>)

#define MCT_ATTENTION(S)                                  \
  MCT_COMPILE_PROGRAM(AttentionForward<S, 64, bfloat16>)  \
  MCT_COMPILE_PROGRAM(AttentionForward<S, 128, bfloat16>) \
  MCT_COMPILE_PROGRAM(AttentionForward<S, 64, float>)     \
  MCT_COMPILE_PROGRAM(AttentionForward<S, 128, float>)

MCT_ATTENTION(DotProduct)
MCT_ATTENTION(Gaussian)
MCT_ATTENTION(Laplacian)
MCT_ATTENTION(Umbral)
MCT_ATTENTION(Penumbral)
MCT_ATTENTION(Distance)

#undef MCT_ATTENTION

}  // namespace mct::cuda
