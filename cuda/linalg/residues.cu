// Products through integers: Ozaki's second scheme on the tensor cores for bytes.
#include "cuda/base/run_block.hpp"
#include "cuda/linalg/cut_residues.hpp"
#include "cuda/linalg/line_ranges.hpp"
#include "cuda/linalg/multiply_residues.hpp"
#include "cuda/linalg/sum_residues.hpp"

namespace mct::cuda {

// What products of usual numbers need: 62, 107 and 160 bits and some more for a spread of
// exponents.
#define MCT_LIMBS(N, operand_digits, more_digits, result_digits, more_results)            \
  template cudaError_t launch(const LineRanges<N>&, dim3, cudaStream_t);                  \
  template cudaError_t launch(const CutResidues<N, operand_digits>&, dim3, cudaStream_t); \
  template cudaError_t launch(const CutResidues<N, more_digits>&, dim3, cudaStream_t);    \
  template cudaError_t launch(const SumResidues<N, result_digits>&, dim3, cudaStream_t);  \
  template cudaError_t launch(const SumResidues<N, more_results>&, dim3, cudaStream_t);

MCT_LIMBS(1, 2, 3, 4, 5)
MCT_LIMBS(2, 3, 4, 7, 8)
MCT_LIMBS(3, 5, 6, 10, 11)
template cudaError_t launch(const MultiplyResidues&, dim3, cudaStream_t);

#undef MCT_LIMBS

}  // namespace mct::cuda
