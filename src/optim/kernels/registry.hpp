// How the compiled AdamW kernels are found; see src/tensor/kernels/registry.hpp.
#pragma once

#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::optim_detail {

// T is float for the strategies without a 16-bit format
MCT_DECLARE_KERNELS(template <class T>
                    AdamWKernels adamw_kernels(optim::Strategy strategy, bool strict);)

}  // namespace mct::optim_detail
