// Exact sums from the PTX that nvcc makes of tests/cuda/kernels/distributed_exact_sums.cu.
#include "cuda/distributed/exact_row_sums.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module distributed_exact_sums;
const Module* compiled = &distributed_exact_sums;
}  // namespace ptx

template <>
struct InPlaceOf<ExactRowSums> : ptx::CompiledIn<ExactRowSums, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/exact_sums_test.cpp"

namespace mct::cuda {

TEST(CudaExactSumsCompiled, KernelIsUsed) { EXPECT_EQ(ptx::replaced().size(), 1u); }

}  // namespace mct::cuda
