// The AdamW kernels with parameters of half, compiled once per instruction set.
#include "src/optim/kernels/adamw_select.hpp"

namespace mct::optim_detail::MCT_KERNELS {

template <>
AdamWKernels adamw_kernels<half>(optim::Strategy strategy, bool strict) {
  return kernels::choose_adamw<half>(strategy, strict);
}

}  // namespace mct::optim_detail::MCT_KERNELS
