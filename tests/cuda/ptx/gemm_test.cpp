// Matrix products of a GPU from the PTX that nvcc makes of cuda/linalg/gemm.cu, and with faults
// that tests/cuda/ptx.cmake plants in it: all must be noticed.
#include "tests/cuda/gemm_cases.hpp"
#include "tests/cuda/ptx/from_ptx.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module linalg_gemm, linalg_gemm_no_barrier, linalg_gemm_other_limb,
    linalg_gemm_late_wait, linalg_gemm_other_bound;
}

struct Compiled {
  template <class Program>
  using Of = ptx::FromPtx<Program, ptx::linalg_gemm>;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Ptx, CudaGemm, Compiled);

/// One program from the mutant, the others from the PTX as it is.
template <class Faulty, const ptx::Module& mutant>
struct Mutated {
  template <class Program>
  using Of = std::conditional_t<std::is_same_v<Program, Faulty>, ptx::FromPtx<Program, mutant>,
                                ptx::FromPtx<Program, ptx::linalg_gemm>>;
};

/// The simulator's message, or "other bits", or nothing.
template <class Form>
std::string noticed() {
  std::mt19937 random(3);
  const auto a = random_matrix<double, 2>(20, 50, random);
  const auto b = random_matrix<double, 2>(50, 9, random);
  const auto right = product_on_grid<FromSource>(a, b, {1});
  std::string what;
  const std::string message = mct::testing::message_of<SimulationError>([&] {
    if (product_on_grid<Form>(a, b, {1}).data != right.data) what = "other bits";
  });
  return message + what;
}

using Product = Gemm<double, 2>;
using Packing = PackFactor<double, 2>;

TEST(CudaGemmMutants, TheOriginalIsRight) {
  EXPECT_EQ((noticed<Mutated<Product, ptx::linalg_gemm>>()), "");
}
TEST(CudaGemmMutants, WithoutABarrier) {
  const auto message = noticed<Mutated<Product, ptx::linalg_gemm_no_barrier>>();
  EXPECT_TRUE(message.find("race") != std::string::npos ||
              message.find("still being copied") != std::string::npos)
      << message;
}
TEST(CudaGemmMutants, AnotherLimb) {
  EXPECT_EQ((noticed<Mutated<Product, ptx::linalg_gemm_other_limb>>()), "other bits");
}
TEST(CudaGemmMutants, AWaitForTooFewCopies) {
  const auto message = noticed<Mutated<Product, ptx::linalg_gemm_late_wait>>();
  EXPECT_NE(message.find("still being copied"), std::string::npos) << message;
}
TEST(CudaGemmMutants, AnotherBound) {
  EXPECT_NE((noticed<Mutated<Packing, ptx::linalg_gemm_other_bound>>()), "");
}

}  // namespace mct::cuda
