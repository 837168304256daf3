// Attention by inner products, with a bias and without, and by umbral cones, forward, and the
// gradients of the first.
#include "cuda/attention/backward.hpp"
#include "cuda/attention/forward.hpp"
#include "cuda/attention/prepare.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using attention::DotProduct;
using attention::Umbral;

MCT_COMPILE_PROGRAM(GatherNumbers<1>)
MCT_COMPILE_PROGRAM(GatherSoftmax<bfloat16>)
MCT_COMPILE_PROGRAM(AttentionForward<DotProduct, 64, bfloat16>)
MCT_COMPILE_PROGRAM(AttentionForward<DotProduct, 64, bfloat16, true>)
MCT_COMPILE_PROGRAM(AttentionForward<Umbral, 64, bfloat16>)
MCT_COMPILE_PROGRAM(AttentionBackward<DotProduct, 64, bfloat16, true>)
MCT_COMPILE_PROGRAM(AttentionBackward<DotProduct, 64, bfloat16, false>)

}  // namespace mct::cuda
