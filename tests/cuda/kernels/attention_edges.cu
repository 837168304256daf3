// Attention along edges by inner products and by umbral cones, and its gradients.
#include "cuda/attention/edges.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

using attention::DotProduct;
using attention::Umbral;

MCT_COMPILE_PROGRAM(AttendEdges<DotProduct>)
MCT_COMPILE_PROGRAM(AttendEdges<Umbral>)
MCT_COMPILE_PROGRAM(DeriveEdgesByQueries<DotProduct>)
MCT_COMPILE_PROGRAM(DeriveEdgesByQueries<Umbral>)
MCT_COMPILE_PROGRAM(DeriveEdgesByKeys<false>)
MCT_COMPILE_PROGRAM(DeriveEdgesByKeys<true>)

}  // namespace mct::cuda
