// Products through integers: Ozaki's second scheme on the tensor cores for bytes.
#include "cuda/base/run_block.hpp"
#include "cuda/linalg/integer_product.hpp"

namespace mct::cuda {

#define MCT_LIMBS(N)                                         \
  MCT_COMPILE_PROGRAM(LineRanges<N>)                         \
  MCT_COMPILE_PROGRAM(CutResidues<N, operand_digits<N>>)     \
  MCT_COMPILE_PROGRAM(CutResidues<N, operand_digits<N> + 1>) \
  MCT_COMPILE_PROGRAM(SumResidues<N, result_digits<N>>)      \
  MCT_COMPILE_PROGRAM(SumResidues<N, result_digits<N> + 1>)

MCT_LIMBS(1)
MCT_LIMBS(2)
MCT_LIMBS(3)
MCT_COMPILE_PROGRAM(MultiplyResidues)

#undef MCT_LIMBS

}  // namespace mct::cuda
