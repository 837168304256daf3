#include "cuda/attention/prepare.hpp"

#include "cuda/base/run_block.hpp"

namespace mct::cuda {

MCT_FOR_EACH_ATTENTION_PREPARATION(MCT_COMPILE_PROGRAM)

}  // namespace mct::cuda
