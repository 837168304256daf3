// The AdamW kernels of strategies that keep all in float, compiled once per instruction set.
#include "src/optim/kernels/adamw_select.hpp"

namespace mct::optim_detail::MCT_KERNELS {

template <>
AdamWKernels adamw_kernels<float>(optim::Strategy strategy, bool strict) {
  return kernels::choose_adamw<float>(strategy, strict);
}

}  // namespace mct::optim_detail::MCT_KERNELS
