// Gradients of attention of a GPU, in the simulator, against those of attention with all its
// weights in double.
#include <gtest/gtest.h>

#include "tests/cuda/attention_gradients.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::attention::Score;

TEST(CudaAttentionBackward, EveryScoreOf64) {
  test_gradients<64, bfloat16>(17, 77, {}, {2, 4, 40}, 0);
  test_gradients<64, bfloat16>(40, 17, causal_if(true), {2, 4, 40}, 10);  // queries that see no key
  test_gradients<64, bfloat16>(1, 1, {}, {2, 4, 40}, 20);
}
TEST(CudaAttentionBackward, EveryScoreOf128) {
  test_gradients<128, bfloat16>(17, 40, causal_if(true), {2, 4, 40}, 30);
}
TEST(CudaAttentionBackward, EveryScoreOfFloats) {
  test_gradients<64, float>(17, 33, causal_if(true), {2, 200, 8}, 40);
  test_gradients<128, float>(17, 20, {}, {2, 200, 8}, 50);
}

TEST(CudaAttentionBackward, TheOrderOfThreadsDoesNotMatter) {
  using S = mct::attention::Umbral;
  const auto of = operands<bfloat16>(Score::umbral, 20, 70, 64, 64, 3);
  const auto gradient = mct::randn<float, 1>({2, 20, 64}, 5);
  const auto one = gradients<S, 64, bfloat16>(of, gradient, causal_if(true), {1});
  const auto two = gradients<S, 64, bfloat16>(of, gradient, causal_if(true), {2});
  EXPECT_EQ(one.x, two.x);
  EXPECT_EQ(one.y, two.y);
  EXPECT_EQ(one.v, two.v);
  EXPECT_EQ(one.a, two.a);
  EXPECT_EQ(one.b, two.b);
}

TEST(CudaAttentionBackward, FaultsAreFound) {
  using S = mct::attention::Umbral;
  const auto of = operands<bfloat16>(Score::umbral, 70, 70, 64, 64, 3);
  DeviceOperands<bfloat16> device(of, {1});
  const auto result = attend<S, 64, bfloat16>(device, {}, {1});
  const auto gradient = mct::randn<float, 1>({2, 70, 64}, 5);
  const auto error_with = [&](const Faults& faults) {
    return mct::testing::message_of<SimulationError>([&] {
      attend_backward<S, 64, bfloat16>(device, result, gradient, {},
                                       {1, TensorCore::hopper, faults});
    });
  };
  EXPECT_EQ(error_with({}), "");
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

}  // namespace
