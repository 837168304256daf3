// How the compiled AdamW kernels are found; see src/tensor/kernels/registry.hpp.
#pragma once

#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::optim_detail {

// null for what does not exist: strict arithmetic of most strategies, split16 with half
MCT_DECLARE_KERNELS(template <class T>
                    AdamWKernel adamw_kernel(optim::Strategy strategy, bool strict, bool metrics);)

}  // namespace mct::optim_detail
