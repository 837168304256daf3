// Products through integers on a GPU from the PTX that nvcc makes of cuda/linalg/residues.cu.
#include "cuda/linalg/integer_product.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module linalg_residues, linalg_gemm;
const Module* compiled = &linalg_residues;
const Module* vector_units = &linalg_gemm;  // where a product falls back to them
}  // namespace ptx

template <int N>
struct InPlaceOf<LineRanges<N>> : ptx::CompiledIn<LineRanges<N>, ptx::compiled> {};
template <int N, int Digits>
struct InPlaceOf<CutResidues<N, Digits>> : ptx::CompiledIn<CutResidues<N, Digits>, ptx::compiled> {
};
template <>
struct InPlaceOf<MultiplyResidues> : ptx::CompiledIn<MultiplyResidues, ptx::compiled> {};
template <int N, int Digits>
struct InPlaceOf<SumResidues<N, Digits>> : ptx::CompiledIn<SumResidues<N, Digits>, ptx::compiled> {
};

template <class T, int N>
struct InPlaceOf<PackFactor<T, N>> : ptx::CompiledIn<PackFactor<T, N>, ptx::vector_units> {};
template <class T, int N>
struct InPlaceOf<Gemm<T, N>> : ptx::CompiledIn<Gemm<T, N>, ptx::vector_units> {};
template <class T, int N>
struct InPlaceOf<GuardedSums<T, N>> : ptx::CompiledIn<GuardedSums<T, N>, ptx::vector_units> {};

}  // namespace mct::cuda

#include "tests/cuda/integer_product_test.cpp"

namespace mct::cuda {
namespace {

TEST(CudaIntegerProductCompiled, KernelsAreUsed) {
  ptx::replacements() = 0;
  expect_host_bits<2>(3, 4, 5, normwise, 0, 1);
  EXPECT_EQ(ptx::replacements(), 6);  // ranges and residues of two factors, product, sums
}

}  // namespace
}  // namespace mct::cuda
