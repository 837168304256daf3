// The AdamW kernels with parameters of bfloat16, compiled once per instruction set.
#include "src/optim/kernels/adamw_select.hpp"

namespace mct::optim_detail::MCT_KERNELS {

template <>
AdamWKernels adamw_kernels<bfloat16>(optim::Strategy strategy, bool strict) {
  return kernels::choose_adamw<bfloat16>(strategy, strict);
}

}  // namespace mct::optim_detail::MCT_KERNELS
