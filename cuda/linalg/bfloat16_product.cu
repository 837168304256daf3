#include "cuda/base/run_block.hpp"
#include "cuda/linalg/multiply_bfloat16.hpp"
#include "cuda/linalg/pack_bfloat16.hpp"

namespace mct::cuda {

MCT_COMPILE_PROGRAM(PackBfloat16<2>)
MCT_COMPILE_PROGRAM(PackBfloat16<3>)
MCT_COMPILE_PROGRAM(MultiplyBfloat16<2, float>)
MCT_COMPILE_PROGRAM(MultiplyBfloat16<3, float>)
MCT_COMPILE_PROGRAM(MultiplyBfloat16<2, bfloat16>)
MCT_COMPILE_PROGRAM(MultiplyBfloat16<3, bfloat16>)

}  // namespace mct::cuda
