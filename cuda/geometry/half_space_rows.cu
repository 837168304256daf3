#include "cuda/geometry/half_space_rows.hpp"

#include "cuda/base/run_block.hpp"

namespace mct::cuda {

MCT_FOR_EACH_HALF_SPACE_ROWS(MCT_COMPILE_PROGRAM)

}  // namespace mct::cuda
