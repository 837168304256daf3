// The programs that look at gradients, from the PTX that nvcc makes of them.
#include "cuda/optim/gradient_control.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module optim_adamw;
const Module* compiled = &optim_adamw;
}  // namespace ptx

template <>
struct InPlaceOf<GradientSums<bfloat16>> : ptx::CompiledIn<GradientSums<bfloat16>, ptx::compiled> {
};
template <>
struct InPlaceOf<SumGradients> : ptx::CompiledIn<SumGradients, ptx::compiled> {};
template <>
struct InPlaceOf<ControlSteps> : ptx::CompiledIn<ControlSteps, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/gradient_control_test.cpp"

namespace {

TEST(CudaGradientsCompiled, EveryKernelIsUsed) {
  ptx::replacements() = 0;
  control_of(Gradients<bfloat16>(1), {});
  EXPECT_EQ(ptx::replacements(), 3);
}

}  // namespace
