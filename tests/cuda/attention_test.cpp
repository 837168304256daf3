// Attention of a GPU, in the simulator, against attention with all its weights in double.
#include <gtest/gtest.h>

#include "tests/cuda/attention_errors.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::attention::Score;

TEST(CudaAttention, EveryScoreOf64) {
  test_scores<64, bfloat16>({{1, 1, false}, {17, 77, false}, {130, 17, false}, {17, 130, true}});
}
/// The first queries see no key.
TEST(CudaAttention, MoreQueriesThanKeys) { test_scores<64, bfloat16>({{40, 17, true}}); }

/// Vectors that do not fill the tile, and values of another width.
TEST(CudaAttention, OtherWidths) {
  for (const std::int64_t d : {8, 30, 64}) {
    const auto of = operands<bfloat16>(Score::umbral, 20, 30, d, 72 - d, 5);
    EXPECT_LE((worst_of<mct::attention::Umbral, 64, bfloat16>(Score::umbral, of, {}, {1})), 1) << d;
  }
}

/// The models differ, and nothing else makes a difference.
TEST(CudaAttention, ModelsOfTensorCores) {
  const auto of = operands<float>(Score::dot_product, 17, 40, 64, 64, 3);
  const auto by = [&](TensorCore model, unsigned seed) {
    const Simulation how{seed, model};
    return attend<mct::attention::DotProduct, 64, float>(DeviceOperands<float>(of, how), {}, how)
        .values;
  };
  EXPECT_EQ(by(TensorCore::hopper, 1), by(TensorCore::hopper, 2));  // the order of the threads
  EXPECT_NE(by(TensorCore::hopper, 1), by(TensorCore::ampere, 1));
  EXPECT_NE(by(TensorCore::hopper, 1), by(TensorCore::rounded, 1));
}

TEST(CudaAttention, WhatIsNotFiniteStaysInItsRow) { test_not_finite<ByWarps>(); }

/// What a fault in the synchronization leads to.
std::string error_with(const Faults& faults) {
  const auto of = operands<bfloat16>(Score::umbral, 17, 200, 64, 64, 3);
  const DeviceOperands<bfloat16> device(of, {1});
  return mct::testing::message_of<SimulationError>([&] {
    attend<mct::attention::Umbral, 64, bfloat16>(device, {}, {1, TensorCore::hopper, faults});
  });
}

TEST(CudaAttention, FaultsAreFound) {
  EXPECT_EQ(error_with({}), "");
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

}  // namespace
