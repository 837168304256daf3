// The AdamW program beside the library's step: half.
#include "tests/cuda/adamw_cases.hpp"

namespace {

using Cases = mct::cuda::testing::AdamWCases<mct::half>;

TEST(CudaAdamWHalf, IsTheHostsStep) { Cases::usual(); }
TEST(CudaAdamWHalf, IsTheHostsStepWithMetrics) { Cases::measured(); }
TEST(CudaAdamWHalf, IsTheHostsStepInStrictArithmetic) { Cases::strict(); }
TEST(CudaAdamWHalf, IsTheHostsStepWhereSomethingIsRare) { Cases::rare(); }
TEST(CudaAdamWHalf, KeepsWhatHasNoFiniteGradient) { Cases::kept(); }
TEST(CudaAdamWHalf, IsTheHostsStepOfExtremeWeights) { Cases::extreme_weights(); }
TEST(CudaAdamWHalf, NoticesEditedWeightsAsTheHost) { Cases::edited(); }

}  // namespace
