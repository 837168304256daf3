// The element-wise kernels on bfloat16 components, compiled once per instruction set.
#include "src/tensor/kernels/elementwise_loops.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::tensor_detail::MCT_KERNELS {

MCT_DEFINE_ELEMENTWISE(bfloat16, 1)
MCT_DEFINE_ELEMENTWISE(bfloat16, 2)
MCT_DEFINE_ELEMENTWISE(bfloat16, 3)

}  // namespace mct::tensor_detail::MCT_KERNELS
