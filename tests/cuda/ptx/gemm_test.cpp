// Matrix products of a GPU from the PTX that nvcc makes of cuda/linalg/gemm.cu, and with faults
// that tests/cuda/ptx.cmake plants in it: all must be noticed.
#include "cuda/linalg/product.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module linalg_gemm, linalg_gemm_no_barrier, linalg_gemm_other_limb,
    linalg_gemm_late_wait, linalg_gemm_other_bound;
const Module* packing = &linalg_gemm;
const Module* product = &linalg_gemm;
const Module* guarded = &linalg_gemm;
}  // namespace ptx

template <class T, int N>
struct InPlaceOf<PackFactor<T, N>> : ptx::CompiledIn<PackFactor<T, N>, ptx::packing> {};
template <class T, int N>
struct InPlaceOf<Gemm<T, N>> : ptx::CompiledIn<Gemm<T, N>, ptx::product> {};
template <class T, int N>
struct InPlaceOf<GuardedSums<T, N>> : ptx::CompiledIn<GuardedSums<T, N>, ptx::guarded> {};

}  // namespace mct::cuda

#include "tests/cuda/gemm_test.cpp"

namespace mct::cuda {
namespace {

Tensor<double, 2> usual_product() {
  return product_on_device(mct::randn<double, 2>({20, 50}, 3), mct::randn<double, 2>({50, 9}, 4),
                           1);
}

/// What a mutant in the place of `module` leads to: the simulator's message, or "other bits", or
/// nothing.
std::string noticed(const ptx::Module*& module, const ptx::Module& mutant) {
  const auto right = usual_product();
  const ptx::Module* const original = std::exchange(module, &mutant);
  std::string what;
  const std::string message = mct::testing::message_of<SimulationError>([&] {
    if (usual_product().values() != right.values()) what = "other bits";
  });
  module = original;
  return message + what;
}

TEST(CudaGemmMutants, TheOriginalIsRight) {
  ptx::replacements() = 0;
  const auto compiled = usual_product();
  EXPECT_EQ(ptx::replacements(), 4);  // two factors, the product, what is not finite
  ptx::packing = ptx::product = ptx::guarded = nullptr;
  EXPECT_EQ(compiled.values(), usual_product().values());
  ptx::packing = ptx::product = ptx::guarded = &ptx::linalg_gemm;
}
TEST(CudaGemmMutants, WithoutABarrier) {
  const auto message = noticed(ptx::product, ptx::linalg_gemm_no_barrier);
  EXPECT_TRUE(message.find("race") != std::string::npos ||
              message.find("still being copied") != std::string::npos)
      << message;
}
TEST(CudaGemmMutants, AnotherLimb) {
  EXPECT_EQ(noticed(ptx::product, ptx::linalg_gemm_other_limb), "other bits");
}
TEST(CudaGemmMutants, AWaitForTooFewCopies) {
  const auto message = noticed(ptx::product, ptx::linalg_gemm_late_wait);
  EXPECT_NE(message.find("still being copied"), std::string::npos) << message;
}
TEST(CudaGemmMutants, AnotherBound) {
  EXPECT_NE(noticed(ptx::packing, ptx::linalg_gemm_other_bound), "");
}

}  // namespace
}  // namespace mct::cuda
