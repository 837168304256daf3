// The element-wise kernels on float components, compiled once per instruction set.
#include "src/tensor/kernels/elementwise_loops.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::tensor_detail::MCT_KERNELS {

MCT_DEFINE_ELEMENTWISE(float, 1)
MCT_DEFINE_ELEMENTWISE(float, 2)
MCT_DEFINE_ELEMENTWISE(float, 3)
MCT_DEFINE_ELEMENTWISE(float, 4)

}  // namespace mct::tensor_detail::MCT_KERNELS
