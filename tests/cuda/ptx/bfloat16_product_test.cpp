// Products of expansions of bfloat16 from the PTX that nvcc makes of
// cuda/linalg/bfloat16_product.cu.
#include "tests/cuda/bfloat16_product_cases.hpp"
#include "tests/cuda/ptx/from_ptx.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module linalg_bfloat16_product;
}

namespace bfloat16_product_cases {

struct Compiled {
  template <class Program>
  using Of = ptx::FromPtx<Program, ptx::linalg_bfloat16_product>;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Ptx, CudaBfloat16Product, Compiled);

}  // namespace bfloat16_product_cases
}  // namespace mct::cuda
