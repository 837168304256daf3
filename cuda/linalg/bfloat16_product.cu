// Products of bf16x2 and bf16x3 by the tensor cores.
#include "cuda/base/run_block.hpp"
#include "cuda/linalg/bfloat16_product.hpp"

namespace mct::cuda {

MCT_FOR_EACH_BFLOAT16_PRODUCT(MCT_COMPILE_PROGRAM)

}  // namespace mct::cuda
