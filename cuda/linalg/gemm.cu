// Products by the vector units.
#include "cuda/base/run_block.hpp"
#include "cuda/linalg/product.hpp"

namespace mct::cuda {

MCT_FOR_EACH_VECTOR_PRODUCT(MCT_COMPILE_PROGRAM)

}  // namespace mct::cuda
