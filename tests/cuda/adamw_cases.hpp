// Steps on a grid beside those of the library, for one 16-bit format.
#pragma once

#include <gtest/gtest.h>

#include "tests/cuda/adamw_arrays.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda::testing {

inline const std::vector<Tensors::Size> odd_sizes = {
    {1, 0},  {7, 8}, {127, 128}, {0, 0}, {129, 2040}, {5003, 136}, {16, std::int64_t(1) << 40},
    {90, 21}};

/// Two copies of the same tensors: `host` is for the library, `device` for the grid.
template <class T>
struct Pair {
  static constexpr Format format = std::is_same_v<T, half> ? Format::float16 : Format::bfloat16;

  Tensors host, device;
  std::mt19937 random;

  Pair(Strategy strategy, unsigned seed, const std::vector<Tensors::Size>& sizes = odd_sizes,
       bool amsgrad = false)
      : host(weights_of(strategy, seed, sizes, amsgrad)), device(host), random(seed + 1) {}

  /// Normal numbers of several sizes; among them zeros, subnormals and the largest ones.
  void draw_gradients(float size = 0.1F) {
    std::normal_distribution<float> normal;
    const float tiny = 0x1p-20F;
    const float special[] = {0.0F, -0.0F, 0x1p-133F, 3e38F, 0x1p-24F, -60000, 1e-30F};
    host.set_gradients([&](std::size_t, std::size_t) {
      const auto kind = random() % 64;
      if (kind < 7 && (format == Format::bfloat16 || kind != 3)) return special[kind];
      return normal(random) * size * (kind < 32 ? 1 : tiny);
    });
    copy_gradients();
  }
  void copy_gradients() {
    for (std::size_t t = 0; t < host.memory().size(); ++t)
      device.bytes(t, kept_arrays.size()) = host.bytes(t, kept_arrays.size());
  }

 private:
  static Tensors weights_of(Strategy strategy, unsigned seed,
                            const std::vector<Tensors::Size>& sizes, bool amsgrad) {
    Tensors tensors(strategy, format, sizes, amsgrad);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> weights;
    for (const auto& size : sizes)
      for (std::int64_t i = 0; i < size.count; ++i)
        weights.push_back(random() % 16 == 0 ? 0.0F : normal(random));
    tensors.set_weights(weights);
    return tensors;
  }
};

template <class T>
AdamWTotals step_of(const Tensors& tensors, const AdamWOptions& options, std::int64_t step,
                    const GridStep& grid = {}) {
  return tensors.is_float() ? step_on_grid<float>(tensors, options, step, grid)
                            : step_on_grid<T>(tensors, options, step, grid);
}

inline void expect_report(const AdamWTotals& totals, const optim::StepReport& report,
                          double scale = 1) {
  using Q = AdamWQuantity;
  EXPECT_EQ(totals.count[Q::measured], report.measured);
  EXPECT_EQ(totals.count[Q::updates], report.updates);
  EXPECT_EQ(totals.count[Q::lost_updates], report.lost_updates);
  EXPECT_EQ(totals.count[Q::v_updates], report.v_updates);
  EXPECT_EQ(totals.count[Q::lost_v_updates], report.lost_v_updates);
  EXPECT_EQ(totals.count[Q::nonfinite], report.nonfinite);
  const double sums[] = {report.update_squared, report.effective_squared,
                         report.update_times_effective};
  for (int q = 0; q < Q::sums; ++q) {
    const double sum = totals.sum[q] * scale * scale;
    if (std::isfinite(sums[q]))
      EXPECT_NEAR(sum, sums[q], 0x1p-18 * std::abs(sums[q])) << q;
    else
      EXPECT_EQ(std::isnan(sum), std::isnan(sums[q])) << q;
  }
}

/// Two steps, bit for bit.
template <class T>
void expect_same_steps(Strategy strategy, const AdamWOptions& options, bool rare = false,
                       bool amsgrad = false) {
  const bool strict = options.arithmetic == optim::Arithmetic::strict;
  Pair<T> pair(strategy, 3, odd_sizes, amsgrad);
  for (int step = 1; step <= 2; ++step) {
    pair.draw_gradients(step == 2 ? 30.0F : 0.1F);
    const auto report =
        optim::adamw_step(strategy, Pair<T>::format, pair.host.memory(), options, step);
    GridStep grid;
    grid.blocks = step;
    grid.rare = rare;
    grid.how.seed = unsigned(step);
    const AdamWTotals totals = step_of<T>(pair.device, options, step, grid);
    ASSERT_EQ(pair.host.difference(pair.device), "")
        << to_string(strategy) << ", step " << step << (strict ? ", strict" : "");
    if (options.metrics) {
      const double lr = options.lr;
      expect_report(totals, report, lr > 1e-12 ? 1 : double(1 / float(1 / lr)));
    }
  }
}

/// What a test of one format asks of all its strategies.
template <class T>
struct AdamWCases {
  template <class Use>
  static void for_all(const Use& use) {
    for (const Strategy strategy : optim::all_strategies()) {
      const auto parts = optim::composition_of(strategy);
      if (!parts.has_format(Pair<T>::format)) continue;
      SCOPED_TRACE(to_string(strategy));
      use(strategy);
    }
  }

  static void usual() {
    for_all([](Strategy strategy) {
      AdamWOptions options;
      options.seed = 0x123456789abcdefu;
      options.grad_scale = 0.3;
      expect_same_steps<T>(strategy, options);
    });
  }
  static void measured() {
    for_all([](Strategy strategy) {
      AdamWOptions options;
      options.metrics = true;
      options.decay_mode = optim::WeightDecay::decoupled;
      expect_same_steps<T>(strategy, options);
    });
  }
  static void sampled() {
    AdamWOptions options;
    options.metrics = true;
    options.metric_sample = 3;
    expect_same_steps<T>(Strategy::residual, options);
  }
  static void strict() {
    for_all([](Strategy strategy) {
      if (!optim::composition_of(strategy).has_strict()) return;
      AdamWOptions options;
      options.arithmetic = optim::Arithmetic::strict;
      options.metrics = true;
      options.eps = 1e-4;
      options.beta2 = 0.99;
      expect_same_steps<T>(strategy, options);
      if (strategy != Strategy::plus) return;
      options.decay_mode = optim::WeightDecay::decoupled;
      expect_same_steps<T>(strategy, options);
    });
  }
  static void rare() {
    for_all([](Strategy strategy) {
      AdamWOptions options;
      options.metrics = true;
      expect_same_steps<T>(strategy, options, true, true);
      options.decay_mode = optim::WeightDecay::l2;
      options.lr = 1e-20;
      options.weight_decay = 0.1;
      expect_same_steps<T>(strategy, options, true);
    });
  }
  /// Elements whose gradients are not finite stay as they are.
  static void kept() {
    for_all([](Strategy strategy) {
      AdamWOptions options;
      options.metrics = true;
      options.eps = 0;
      Pair<T> pair(strategy, 5, {{300, 64}});
      for (int step = 1; step <= 2; ++step) {
        pair.draw_gradients();
        pair.host.set_gradient(0, 3, std::numeric_limits<float>::infinity());
        pair.host.set_gradient(0, 299, -std::numeric_limits<float>::infinity());
        pair.host.set_gradient(0, 128, std::numeric_limits<float>::quiet_NaN());
        pair.copy_gradients();
        const auto report =
            optim::adamw_step(strategy, Pair<T>::format, pair.host.memory()[0], options, step);
        GridStep grid;
        grid.rare = true;
        const auto totals = step_of<T>(pair.device, options, step, grid);
        ASSERT_EQ(pair.host.difference(pair.device), "");
        EXPECT_EQ(report.nonfinite, 3);
        expect_report(totals, report);
      }
    });
  }
  /// Weights that are written between steps.
  static void edited() {
    for_all([](Strategy strategy) {
      const AdamWOptions options;
      Pair<T> pair(strategy, 9, {{300, 128}, {5003, 2048}, {40, 8}});
      for (int step = 1; step <= 3; ++step) {
        pair.draw_gradients();
        optim::adamw_step(strategy, Pair<T>::format, pair.host.memory(), options, step);
        step_of<T>(pair.device, options, step);
        ASSERT_EQ(pair.host.difference(pair.device), "") << step;
        for (Tensors* const tensors : {&pair.host, &pair.device}) {
          auto& some = tensors->bytes(0, optim::theta_place);
          some[some.size() - 3] ^= 1;
          auto& all = tensors->bytes(1, optim::theta_place);
          std::fill(all.begin(), all.end(), static_cast<unsigned char>(0x3a));
        }
      }
      if (optim::layout_of(strategy).marks == 0) return;
      // of the group that was not written low is still there
      const auto& low = pair.host.bytes(0, optim::place_of("low"));
      EXPECT_TRUE(
          std::any_of(low.begin(), low.begin() + 64, [](unsigned char x) { return x > 1; }));
      const auto edited = pair.host.weights(1);
      EXPECT_EQ(edited[7], edited[8]);
    });
  }
  /// Infinite weights and those that become so.
  static void extreme_weights() {
    for_all([](Strategy strategy) {
      const float inf = std::numeric_limits<float>::infinity();
      const float largest = std::is_same_v<T, half> ? 65504 : 3.38e38F;
      Pair<T> pair(strategy, 6, {{9, 0}});
      const std::vector<float> weights = {inf,    -inf,     largest,  -largest, -0.0F,
                                          1e-40F, 0x1p-24F, 0x1p-14F, 1};
      pair.host.set_weights(weights);
      pair.device.set_weights(weights);
      AdamWOptions options;
      options.lr = 1e36;
      options.weight_decay = 1e-37;
      for (int step = 1; step <= 2; ++step) {
        pair.draw_gradients();
        optim::adamw_step(strategy, Pair<T>::format, pair.host.memory(), options, step);
        step_of<T>(pair.device, options, step);
        ASSERT_EQ(pair.host.difference(pair.device), "") << step;
      }
    });
  }
};

}  // namespace mct::cuda::testing
