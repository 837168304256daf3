// Products through integers: Ozaki's second scheme on the tensor cores for bytes.
#include "cuda/base/run_block.hpp"
#include "cuda/linalg/integer_product.hpp"

namespace mct::cuda {

MCT_FOR_EACH_INTEGER_PRODUCT(MCT_COMPILE_PROGRAM)

}  // namespace mct::cuda
