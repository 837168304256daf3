// The AdamW program beside the library's step: bfloat16, and float for Strategy::full.
#include "tests/cuda/adamw_cases.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using Cases = AdamWCases<bfloat16>;

TEST(CudaAdamW, IsTheHostsStep) { Cases::usual(); }
TEST(CudaAdamW, IsTheHostsStepWithMetrics) { Cases::measured(); }
TEST(CudaAdamW, MeasuresTheHostsSample) { Cases::sampled(); }
TEST(CudaAdamW, IsTheHostsStepInStrictArithmetic) { Cases::strict(); }
TEST(CudaAdamW, IsTheHostsStepWhereSomethingIsRare) { Cases::rare(); }
TEST(CudaAdamW, KeepsWhatHasNoFiniteGradient) { Cases::kept(); }
TEST(CudaAdamW, IsTheHostsStepOfExtremeWeights) { Cases::extreme_weights(); }

TEST(CudaAdamW, TakesItsScaleFromMemory) {
  AdamWOptions options;
  options.grad_scale = 0.125;
  Pair<bfloat16> pair(Strategy::plus, 8);
  pair.draw_gradients();
  mct::optim::adamw_step(Strategy::plus, Format::bfloat16, pair.host.memory(), options, 1);
  options.grad_scale = 1;
  const StepControl control{0.125F, 0};
  GridStep grid;
  grid.control = &control;
  step_of<bfloat16>(pair.device, options, 1, grid);
  EXPECT_EQ(pair.host.difference(pair.device), "");
}

TEST(CudaAdamW, SkipsWhatItIsToldTo) {
  AdamWOptions options;
  options.metrics = true;
  Pair<bfloat16> pair(Strategy::plus, 9);
  pair.draw_gradients();
  const StepControl control{1, 1};
  GridStep grid;
  grid.control = &control;
  const auto totals = step_of<bfloat16>(pair.device, options, 1, grid);
  EXPECT_EQ(pair.host.difference(pair.device), "");
  EXPECT_EQ(totals.count[AdamWQuantity::measured], 0);
}

TEST(CudaAdamW, HasNoProgramForWhatIsNotDefined) {
  const auto none = [](auto) {};
  EXPECT_FALSE(with_adamw<mct::half>({Strategy::split16}, none));
  EXPECT_FALSE(with_adamw<bfloat16>({Strategy::full}, none));
  EXPECT_FALSE(with_adamw<bfloat16>({Strategy::residual, true}, none));
  EXPECT_TRUE(with_adamw<float>({Strategy::full}, none));
}

TEST(CudaAdamW, RefusesPlacesThatAThreadCannotRead) {
  using mct::testing::message_of;
  std::vector<mct::optim::AdamWMemory> list(1, Pair<bfloat16>(Strategy::light, 1).host.memory()[5]);
  const auto message = [&] {
    return message_of<mct::DomainError>([&] { check_places(Strategy::light, list); });
  };
  EXPECT_EQ(message(), "");
  list[0].first = 4;
  EXPECT_EQ(message(), "AdamW: tensor 0: first 4 is not a multiple of 8");
  list[0].first = std::int64_t(1) << 42;
  EXPECT_EQ(message(),
            "AdamW: tensor 0: first 4398046511104 and count 5003 together are above 2^42");
  list[0].first = 0;
  list[0].m = static_cast<char*>(list[0].m) + 8;
  EXPECT_EQ(message(), "AdamW: tensor 0: m does not begin at a multiple of 16 bytes");
}

std::string error_of(const std::vector<Tensors::Size>& sizes, const Faults& faults = {}) {
  AdamWOptions options;
  options.metrics = true;
  Pair<bfloat16> pair(Strategy::plus, 9, sizes);
  pair.draw_gradients();
  GridStep grid;
  grid.how.faults = faults;
  return mct::testing::message_of<SimulationError>(
      [&] { step_of<bfloat16>(pair.device, options, 1, grid); });
}

TEST(CudaAdamW, FaultsAreFound) {
  EXPECT_EQ(error_of(odd_sizes), "");
  EXPECT_NE(error_of(odd_sizes, Faults::without_barrier(0)), "");
  EXPECT_NE(error_of({{100, 4}}), "");  // misaligned
}

}  // namespace
