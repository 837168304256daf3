// The AdamW program beside the library's step, from the PTX that nvcc makes of it where
// tests/cuda/kernels/optim_adamw.cu has it.
#include "cuda/optim/adamw.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module optim_adamw;
const Module* compiled = &optim_adamw;
}  // namespace ptx

template <class T, optim::Composition C, bool Strict, bool Rare, bool Measured>
struct InPlaceOf<AdamW<T, C, Strict, Rare, Measured>>
    : ptx::CompiledIn<AdamW<T, C, Strict, Rare, Measured>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/adamw_test.cpp"

namespace {

TEST(CudaAdamWCompiled, EveryKernelIsUsed) {
  ptx::replacements() = 0;
  Cases::usual();
  EXPECT_GE(ptx::replacements(), 4);  // light, plus, stochastic, split8
}

}  // namespace
