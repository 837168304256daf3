// Products through integers on a GPU from their source.
#include "tests/cuda/integer_product_cases.hpp"

namespace mct::cuda::integer_product_cases {

INSTANTIATE_TYPED_TEST_SUITE_P(Source, CudaIntegerProduct, FromSource);

}  // namespace mct::cuda::integer_product_cases
