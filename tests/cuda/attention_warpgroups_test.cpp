// Attention of a GPU with products by warpgroups, in the simulator: what attention_test.cpp asks of
// the other unit, with the same bounds.
#include <gtest/gtest.h>

#define MCT_HAVE_WARPGROUPS 1
#include "cuda/attention/start_attention_by_warpgroups.hpp"
#include "tests/cuda/attention_errors.hpp"
#include "tests/cuda/attention_there.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::attention::DotProduct;
using mct::attention::Score;
using mct::attention::Umbral;

/// All lengths, the models in turn.
template <class S, int D>
void test(Score score, std::initializer_list<Case> sizes) {
  constexpr TensorCore models[] = {TensorCore::hopper, TensorCore::ampere, TensorCore::rounded};
  std::uint64_t seed = 1;
  for (const Case& size : sizes) {
    test_score_of<S, D, bfloat16, ByWarpgroups>(score, size, seed, models[seed % 3]);
    ++seed;
  }
}

// 192 queries in a block of three warpgroups, blocks of 128 keys or, for distances, 96
TEST(CudaAttentionWarpgroups, DotProductOf64) {
  test<DotProduct, 64>(Score::dot_product, {{1, 1, false}, {200, 300, true}, {70, 129, false}});
}
TEST(CudaAttentionWarpgroups, DistancesOf64) {
  test<Umbral, 64>(Score::umbral, {{17, 77, false}, {200, 220, true}, {70, 193, false}});
  test<mct::attention::Penumbral, 64>(Score::penumbral, {{17, 110, false}, {70, 193, true}});
  test<mct::attention::Laplacian, 64>(Score::laplacian, {{17, 110, true}});
  test<mct::attention::Gaussian, 64>(Score::gaussian, {{17, 110, true}});
}
TEST(CudaAttentionWarpgroups, Of128) {
  test<DotProduct, 128>(Score::dot_product, {{130, 300, true}, {17, 1, false}});
  test<Umbral, 128>(Score::umbral, {{17, 130, false}, {70, 129, true}});
}
/// The first queries see no key, and nor do whole warpgroups.
TEST(CudaAttentionWarpgroups, MoreQueriesThanKeys) {
  test<DotProduct, 64>(Score::dot_product, {{150, 17, true}});
}

/// Vectors that do not fill the tile, and values of another width.
TEST(CudaAttentionWarpgroups, OtherWidths) {
  for (const std::int64_t d : {8, 30, 64}) {
    const auto of = operands<bfloat16>(Score::umbral, 20, 30, d, 72 - d, 5);
    EXPECT_LE((worst_of<Umbral, 64, bfloat16, false, ByWarpgroups>(Score::umbral, of, {}, {1})), 1)
        << d;
  }
}

template <class S, int D>
DeviceAttended<bfloat16> attended(const Operands& of, const Simulation& how) {
  return attend<S, D, bfloat16, false, ByWarpgroups>(DeviceOperands<bfloat16>(of, {1}), {}, how);
}

TEST(CudaAttentionWarpgroups, OrderOfThreadsMakesNoDifference) {
  const auto of = operands<bfloat16>(Score::dot_product, 17, 140, 64, 64, 3);
  const auto first = attended<DotProduct, 64>(of, {1, TensorCore::hopper});
  const auto second = attended<DotProduct, 64>(of, {2, TensorCore::hopper});
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.rest, second.rest);
  EXPECT_EQ(first.log_sum, second.log_sum);
}

/// One key: its value, whatever its weight is rounded to.
TEST(CudaAttentionWarpgroups, OneKeysValueIsExact) {
  const auto of = operands<bfloat16>(Score::dot_product, 3, 1, 128, 128, 3);
  const auto got = attended<DotProduct, 128>(of, {1, TensorCore::hopper});
  const auto v = of.v.values();
  for (std::size_t i = 0; i < got.values.size(); ++i)
    EXPECT_EQ(float(got.values[i]), v[i / (3 * 128) * 128 + i % 128]);
}

TEST(CudaAttentionWarpgroups, WhatIsNotFiniteStaysInItsRow) { test_not_finite<ByWarpgroups>(); }

/// Where the device has them, and they are wanted; not for scores in double.
TEST(CudaAttentionWarpgroups, AreChosen) {
  const auto of = operands<bfloat16>(Score::dot_product, 17, 140, 64, 64, 3);
  const auto there = operands_there<bfloat16>(of);
  auto values = DeviceTensor<bfloat16>::uninitialized({2, 17, 64});
  auto log_sum = DeviceTensor<float>::uninitialized({2, 17});
  const auto view = [](const DeviceTensor<bfloat16>& x) {
    return VectorsView{x.data(), x.numel(), int(x.size(1)), int(x.size(2))};
  };
  AttentionLaunch<bfloat16> launch{
      Score::dot_product, 2,  view(there.x), view(there.y), view(there.v), {}, {}, {17, 140, false},
      values.data(),      {}, log_sum.data()};
  simulated_how() = {1, TensorCore::hopper};
  const auto starts = [&] { return start_attention_by_warpgroups<64>(launch, default_stream()); };
  simulated_warpgroups() = true;
  EXPECT_FALSE(starts());
  warpgroups_are_wanted() = true;
  EXPECT_TRUE(starts());
  EXPECT_EQ(values_there(values), (attended<DotProduct, 64>(of, {1, TensorCore::hopper}).values));
  launch.score = Score::distance;
  EXPECT_FALSE(starts());
  launch.score = Score::dot_product;
  simulated_warpgroups() = false;
  EXPECT_FALSE(starts());
  warpgroups_are_wanted() = false;
}

/// What a fault in the synchronization leads to.
std::string error_with(const Faults& faults) {
  const auto of = operands<bfloat16>(Score::umbral, 17, 200, 64, 64, 3);
  return mct::testing::message_of<SimulationError>([&] {
    attended<Umbral, 64>(of, {1, TensorCore::hopper, faults});
  });
}

TEST(CudaAttentionWarpgroups, FaultsAreFound) {
  EXPECT_EQ(error_with({}), "");
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
  EXPECT_NE(error_with(Faults::impatient_for_products(1)), "");
  EXPECT_NE(error_with(Faults::without_fences_of_products()), "");
  EXPECT_NE(error_with(Faults::without_publishing()), "");
}

}  // namespace
