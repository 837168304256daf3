#include <gtest/gtest.h>

#include "tests/cuda/adamw_arrays.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::half;

TEST(CudaAdamW, Light) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (const Strategy strategy : mct::optim::all_strategies()) {
    const auto layout = mct::optim::layout_of(strategy);
    if (layout.m == 1) continue;
    const std::vector<Tensors::Size> sizes = {{1, 0}, {7, 8}, {127, 128}, {129, 2040}, {5003, 136}};
    Tensors host(strategy, Format::bfloat16, sizes);
    std::vector<float> weights(5300);
    for (float& w : weights) w = normal(random);
    host.set_weights(weights);
    AdamWOptions options;
    options.metrics = true;
    options.seed = 7;
    Tensors device(host);
    for (int step = 1; step < 4; ++step) {
      host.set_gradients([&](std::size_t, std::size_t) { return normal(random) * 0.1F; });
      for (std::size_t t = 0; t < sizes.size(); ++t)
        device.bytes(t, kept_arrays.size()) = host.bytes(t, kept_arrays.size());
      const auto report =
          mct::optim::adamw_step(strategy, Format::bfloat16, host.memory(), options, step);
      const auto totals = layout.theta == 4 ? step_on_grid<float>(device, options, step, {})
                                            : step_on_grid<bfloat16>(device, options, step, {});
      EXPECT_EQ(host.difference(device), "") << to_string(strategy) << " step " << step;
      EXPECT_EQ(totals.count[1], report.updates);
      EXPECT_EQ(totals.count[2], report.lost_updates);
      EXPECT_EQ(totals.count[3], report.v_updates);
      EXPECT_EQ(totals.count[4], report.lost_v_updates);
      EXPECT_NEAR(totals.sum[0] / report.update_squared, 1, 1e-6);
    }
  }
}

}  // namespace
