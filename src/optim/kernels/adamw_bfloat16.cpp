// The AdamW kernels with parameters of bfloat16, compiled once per instruction set.
#include "src/optim/kernels/adamw_select.hpp"

namespace mct::optim_detail::MCT_KERNELS {

template <>
AdamWKernel adamw_kernel<bfloat16>(optim::Strategy strategy, bool strict, bool metrics) {
  return kernels::choose_adamw<bfloat16>(strategy, strict, metrics);
}

}  // namespace mct::optim_detail::MCT_KERNELS
