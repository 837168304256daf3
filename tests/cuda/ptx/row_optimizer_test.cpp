// Riemannian optimizers on a GPU from the PTX that nvcc makes of their steps where
// tests/cuda/kernels/geometry_pointwise.cu has them: those of the other spaces are the sources.
#include "cuda/geometry/thread_row.hpp"

#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module geometry_pointwise;
const Module* compiled = &geometry_pointwise;
}  // namespace ptx

template <class Options, class Rows, int n>
struct InPlaceOf<FollowGradients<Options, Rows, n>>
    : ptx::CompiledIn<FollowGradients<Options, Rows, n>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/row_optimizer_test.cpp"

namespace mct::cuda {

TEST(CudaRowOptimizerCompiled, KernelsAreUsed) {
  EXPECT_EQ(ptx::replaced().size(), 3u);  // all that the module has
}

}  // namespace mct::cuda
