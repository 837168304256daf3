// The sums of every component type, compiled once per instruction set.
#include "src/tensor/kernels/registry.hpp"
#include "src/tensor/kernels/sum_kernels.hpp"

namespace mct::tensor_detail::MCT_KERNELS {

MCT_FOR_EACH_NUMBER_TENSOR(MCT_DEFINE_SUM)

}  // namespace mct::tensor_detail::MCT_KERNELS
