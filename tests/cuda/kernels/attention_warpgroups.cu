// Attention forward by inner products and by umbral cones, with products by warpgroups.
#include "cuda/attention/forward.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using attention::DotProduct;
using attention::Umbral;

MCT_COMPILE_PROGRAM(AttentionForward<DotProduct, 64, bfloat16, false, ByWarpgroups>)
MCT_COMPILE_PROGRAM(AttentionForward<DotProduct, 128, bfloat16, false, ByWarpgroups>)
MCT_COMPILE_PROGRAM(AttentionForward<Umbral, 64, bfloat16, false, ByWarpgroups>)

}  // namespace mct::cuda
