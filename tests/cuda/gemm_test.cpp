// Matrix products of a GPU from their source.
#include "tests/cuda/gemm_cases.hpp"

namespace mct::cuda {

INSTANTIATE_TYPED_TEST_SUITE_P(Source, CudaGemm, FromSource);

}  // namespace mct::cuda
