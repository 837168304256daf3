// Products of expansions of bfloat16 on a GPU from their source.
#include "tests/cuda/bfloat16_product_cases.hpp"

namespace mct::cuda::bfloat16_product_cases {

INSTANTIATE_TYPED_TEST_SUITE_P(Source, CudaBfloat16Product, FromSource);

}  // namespace mct::cuda::bfloat16_product_cases
