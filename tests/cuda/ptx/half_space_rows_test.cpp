// Rows of half-spaces on a GPU from the PTX that nvcc makes of them where
// tests/cuda/kernels/geometry_pointwise.cu has them.
#include "cuda/geometry/half_space_rows.hpp"

#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module geometry_pointwise;
const Module* compiled = &geometry_pointwise;
}  // namespace ptx

template <int M>
struct InPlaceOf<HalfSpaceRowDist<M>> : ptx::CompiledIn<HalfSpaceRowDist<M>, ptx::compiled> {};
template <int M>
struct InPlaceOf<HalfSpaceRowExpmap<M>> : ptx::CompiledIn<HalfSpaceRowExpmap<M>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/half_space_rows_test.cpp"

namespace mct::cuda {

TEST(CudaHalfSpaceRowsCompiled, KernelsAreUsed) { EXPECT_EQ(ptx::replaced().size(), 2u); }

}  // namespace mct::cuda
