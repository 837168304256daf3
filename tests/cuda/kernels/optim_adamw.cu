// AdamW steps of bfloat16: the light and plus strategies, one with random numbers, one with codes
// of 8 bits, and what comes before: sums over gradients, and what follows from them.
#include "cuda/base/run_block.hpp"
#include "cuda/optim/adamw_choose.hpp"
#include "cuda/optim/gradient_control.hpp"
#include "cuda/optim/gradient_sums.hpp"

namespace mct::cuda {

template <optim::Strategy strategy, bool Strict, bool Measured>
using Step = AdamW<bfloat16, optim::composition_of(strategy), Strict, Strict, Measured>;

MCT_COMPILE_PROGRAM(Step<optim::Strategy::light, false, false>)
MCT_COMPILE_PROGRAM(Step<optim::Strategy::plus, false, false>)
MCT_COMPILE_PROGRAM(Step<optim::Strategy::plus, false, true>)
MCT_COMPILE_PROGRAM(Step<optim::Strategy::plus, true, true>)
MCT_COMPILE_PROGRAM(Step<optim::Strategy::stochastic, false, false>)
MCT_COMPILE_PROGRAM(Step<optim::Strategy::split8, false, false>)
MCT_COMPILE_PROGRAM(GradientSums<bfloat16>)
MCT_COMPILE_PROGRAM(SumGradients)
MCT_COMPILE_PROGRAM(ControlSteps)
MCT_COMPILE_PROGRAM(WriteWords)
MCT_COMPILE_PROGRAM(TakeFloatEdits<bfloat16>)
MCT_COMPILE_PROGRAM(ConvertFloats<bfloat16, false>)
MCT_COMPILE_PROGRAM(ConvertFloats<bfloat16, true>)

}  // namespace mct::cuda
