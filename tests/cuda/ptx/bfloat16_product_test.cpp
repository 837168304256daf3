// Products of expansions of bfloat16 from the PTX that nvcc makes of
// cuda/linalg/bfloat16_product.cu.
#include "cuda/linalg/bfloat16_product.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module linalg_bfloat16_product;
const Module* compiled = &linalg_bfloat16_product;
}  // namespace ptx

template <int N>
struct InPlaceOf<PackBfloat16<N>> : ptx::CompiledIn<PackBfloat16<N>, ptx::compiled> {};
template <int N, class Result>
struct InPlaceOf<MultiplyBfloat16<N, Result>>
    : ptx::CompiledIn<MultiplyBfloat16<N, Result>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/bfloat16_product_test.cpp"

namespace mct::cuda {
namespace {

TEST(CudaBfloat16ProductCompiled, KernelsAreUsed) {
  ptx::replacements() = 0;
  worst<3>(2, 3, 4, 0, TensorCore::rounded);
  EXPECT_EQ(ptx::replacements(), 6);  // two factors and the product, with either kind of result
}

}  // namespace
}  // namespace mct::cuda
