// Products through integers: Ozaki's second scheme on the tensor cores for bytes.
#include "cuda/base/run_block.hpp"
#include "cuda/linalg/cut_residues.hpp"
#include "cuda/linalg/line_ranges.hpp"
#include "cuda/linalg/multiply_residues.hpp"
#include "cuda/linalg/sum_residues.hpp"

namespace mct::cuda {

template cudaError_t launch(const LineRanges<2>&, dim3, cudaStream_t);
template cudaError_t launch(const CutResidues<2, 3>&, dim3, cudaStream_t);
template cudaError_t launch(const MultiplyResidues&, dim3, cudaStream_t);
template cudaError_t launch(const SumResidues<2, 7>&, dim3, cudaStream_t);

}  // namespace mct::cuda
