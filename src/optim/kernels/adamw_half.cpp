// The AdamW kernels with parameters of half, compiled once per instruction set.
#include "src/optim/kernels/adamw_select.hpp"

namespace mct::optim_detail::MCT_KERNELS {

template <>
AdamWKernel adamw_kernel<half>(optim::Strategy strategy, bool strict, bool metrics) {
  return kernels::choose_adamw<half>(strategy, strict, metrics);
}

}  // namespace mct::optim_detail::MCT_KERNELS
