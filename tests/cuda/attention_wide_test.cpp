// Attention of a GPU, in the simulator: of wide vectors and of floats.
#include <gtest/gtest.h>

#include "tests/cuda/attention_errors.hpp"

namespace {

using mct::bfloat16;
using mct::cuda::testing::test_scores;

TEST(CudaAttention, EveryScoreOf128) {
  test_scores<128, bfloat16>({{17, 130, true}, {77, 1, false}});
}
TEST(CudaAttention, EveryScoreOfFloats) {
  test_scores<64, float>({{17, 77, false}, {77, 17, true}});
  test_scores<128, float>({{1, 77, false}, {17, 40, true}});
}

}  // namespace
