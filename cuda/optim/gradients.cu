// The programs that check the gradients of AdamW steps.
#include "cuda/base/run_block.hpp"
#include "cuda/optim/gradient_control.hpp"

namespace mct::cuda {

MCT_FOR_EACH_GRADIENT_PROGRAM(MCT_COMPILE_PROGRAM)

}  // namespace mct::cuda
