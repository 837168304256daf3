// The gradients' norm and what follows from it, beside the library's.
#include "cuda/optim/gradient_control.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "mctensor/optim/grad_scaler.hpp"
#include "tests/cuda/adamw_arrays.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::half;
using mct::optim::GradScalerOptions;
using mct::optim::LossScale;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double no_limit = std::numeric_limits<double>::infinity();
const std::vector<Tensors::Size> sizes = {{1, 0}, {7, 8}, {0, 0}, {129, 2040}, {5003, 136}};

/// Gradients of T.
template <class T>
struct Gradients : Tensors {
  explicit Gradients(float size, unsigned seed = 1)
      : Tensors(std::is_same_v<T, float> ? Strategy::full : Strategy::plain,
                std::is_same_v<T, half> ? Format::float16 : Format::bfloat16, sizes) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    set_gradients([&](std::size_t, std::size_t) { return normal(random) * size; });
  }
  double host_norm() const {
    return mct::optim_detail::gradient_norm(strategy(), format(), memory(), {});
  }
};

struct Result {
  StepControl control;
  GradientReport report;
  LossScale loss;
};

struct Settings {
  double grad_scale = 1;
  double max_norm = no_limit;
  bool has_loss_scale = false;
  LossScale loss = {};
  GradScalerOptions scaler = {};
  bool strict = false;
};

template <class T>
Result control_of(const Gradients<T>& gradients, const Settings& set, const Simulation& how = {}) {
  const auto list = gradients.memory();
  const auto chunks = chunks_of(list);
  std::vector<GradientTotals> totals(chunks.size() + 1), total(1);  // one block has no chunk
  std::vector<StepControl> control(1);
  std::vector<GradientReport> report(1);
  std::vector<SkipCounts> skips(1);
  std::vector<LossScale> loss = {set.loss};
  std::vector<StepPlan> plan(1);
  plan[0].options.grad_scale = set.grad_scale;
  if (set.strict) plan[0].options.arithmetic = mct::optim::Arithmetic::strict;
  GlobalMemory memory;
  gradients.add_to(memory);
  memory.add(list).add(chunks).add_output(totals).add_output(total).add_output(control);
  memory.add_output(report).add(skips).add(loss).add(plan);
  simulate(GradientSums<T>{list.data(), chunks.data(), int(chunks.size()), totals.data()},
           {int(totals.size())}, memory, how);
  simulate(SumGradients{totals.data(), int(totals.size()), nullptr, total.data(), nullptr}, {1},
           memory, how);
  simulate(ControlSteps{total.data(), plan.data(), 1, set.max_norm, nullptr, nullptr, nullptr,
                        set.has_loss_scale ? loss.data() : nullptr, set.scaler, control.data(),
                        report.data(), skips.data()},
           {1}, memory, how);
  EXPECT_EQ(skips[0].all, control[0].skip);
  return {control[0], report[0], loss[0]};
}

template <class T>
void expect_norms(const std::vector<float>& magnitudes) {
  for (const float size : magnitudes) {
    const Gradients<T> gradients(size);
    const Result r = control_of(gradients, {.grad_scale = -0.25});
    const double norm = gradients.host_norm();
    EXPECT_GT(norm, 0);
    EXPECT_NEAR(r.report.norm / norm, 0.25, 1e-15) << size;
    EXPECT_EQ(r.report.nonfinite, 0);
    EXPECT_EQ(r.control.grad_scale, -0.25F);
    EXPECT_EQ(r.control.skip, 0);
  }
}

TEST(CudaGradients, NormsAreTheHosts) {
  expect_norms<bfloat16>({1, 1e36F, 1e-30F, 0x1p-133F});
  expect_norms<half>({1, 1e4F, 1e-4F, 0x1p-24F});
  expect_norms<float>({1, 1e37F, 1e-30F, 1e-45F});
}

template <class T>
void expect_nonfinite() {
  for (const float bad : {inf, -inf, nan})
    for (const std::size_t i : {0, 1, 4999, 5002}) {
      Gradients<T> gradients(1);
      gradients.set_gradient(4, i, bad);
      gradients.set_gradient(0, 0, bad);
      const Result r = control_of(gradients, {.max_norm = 1});
      EXPECT_EQ(r.report.nonfinite, 2);
      EXPECT_FALSE(std::isfinite(r.report.norm));
      EXPECT_EQ(std::isnan(r.report.norm), std::isnan(bad));
      EXPECT_NE(r.control.skip, 0);
      EXPECT_EQ(r.report.refused, 0);
    }
}

TEST(CudaGradients, WhatIsNotFiniteIsCounted) {
  expect_nonfinite<bfloat16>();
  expect_nonfinite<half>();
  expect_nonfinite<float>();
}

TEST(CudaGradients, LargestNumbersAreFinite) {
  Gradients<half> halves(1);
  halves.set_gradient(1, 3, 65504);
  EXPECT_EQ(control_of(halves, {}).report.nonfinite, 0);
  Gradients<bfloat16> shorts(1);
  shorts.set_gradient(1, 3, -0x1.fep127F);
  EXPECT_EQ(control_of(shorts, {}).report.nonfinite, 0);
}

TEST(CudaGradients, NormsAreClipped) {
  const Gradients<bfloat16> gradients(1);
  const double norm = gradients.host_norm() * 0.5;
  for (const double max_norm : {norm / 3, norm * 3}) {
    const Result r = control_of(gradients, {.grad_scale = 0.5, .max_norm = max_norm});
    const double scale = 0.5 * mct::optim::clip_factor(norm, max_norm);
    EXPECT_NEAR(r.report.grad_scale, scale, 1e-15);
    EXPECT_EQ(r.control.grad_scale, float(r.report.grad_scale));
  }
}

TEST(CudaGradients, ScalesAreRoundedToTheFormatOfStrictArithmetic) {
  const Gradients<bfloat16> gradients(1);
  EXPECT_EQ(control_of(gradients, {.grad_scale = 0.3, .strict = true}).control.grad_scale,
            float(bfloat16(0.3)));
}

/// What the host computes for the options of a plan, and what the program does.
void expect_hosts_constants(const StepPlan& plan, mct::optim::Strategy strategy) {
  const Format format = plan.is_half != 0 ? Format::float16 : Format::bfloat16;
  const std::vector<GradientTotals> total(1);
  const std::vector<StepPlan> plans = {plan};
  std::vector<StepControl> control(1);
  std::vector<GradientReport> report(1);
  std::vector<SkipCounts> skips(1);
  GlobalMemory memory;
  memory.add(total).add(plans).add_output(control).add_output(report).add(skips);
  simulate(ControlSteps{total.data(),
                        plans.data(),
                        1,
                        no_limit,
                        nullptr,
                        nullptr,
                        nullptr,
                        nullptr,
                        {},
                        control.data(),
                        report.data(),
                        skips.data()},
           {1}, memory, {});
  auto want =
      StepControl::of(mct::optim_detail::constants_of(strategy, format, plan.options, plan.step));
  want.phase = int(plan.step % plan.options.metric_sample);
  EXPECT_EQ(std::memcmp(control.data(), &want, sizeof(want)), 0)
      << to_string(strategy) << ", step " << plan.step;
}

TEST(CudaGradients, ConstantsAreTheHosts) {
  using mct::optim::WeightDecay;
  std::mt19937_64 random(3);
  const std::int64_t steps[] = {1, 2, 10, 999, 65537, std::int64_t(1) << 40};
  for (int i = 0; i < 60; ++i) {
    StepPlan plan;
    plan.step = steps[i % 6];
    plan.is_half = i % 2;
    plan.options.seed = random();
    plan.options.metric_sample = 1 + i % 5;
    plan.options.decay_mode = WeightDecay(i % 3);
    plan.options.schedule = 0.75;
    plan.options.lr = std::ldexp(double(random() >> 11), -53 - i % 30);
    plan.options.beta1 = std::ldexp(double(random() >> 11), -53);
    plan.options.beta2 = 1 - std::ldexp(double(random() >> 11), -55);
    expect_hosts_constants(plan, Strategy::split16_plus);
    plan.options.arithmetic = mct::optim::Arithmetic::strict;
    plan.options.eps = 1e-3;
    plan.options.lr = 0.25 + 0.5 * plan.options.lr;
    plan.options.beta1 = 0.5 + 0.4 * plan.options.beta1;
    plan.options.beta2 = 0.9;
    expect_hosts_constants(plan, Strategy::plain);
  }
}

TEST(CudaGradients, ScalesThatVanishAreRefused) {
  const Gradients<bfloat16> gradients(1);
  for (const double scale : {1e-60, 1e60}) {
    const Result r = control_of(gradients, {.grad_scale = scale});
    EXPECT_NE(r.control.skip, 0);
    EXPECT_EQ(r.report.refused, 1);
  }
}

/// As optim::GradScaler does.
TEST(CudaGradients, TheLossScaleFollows) {
  const GradScalerOptions options{
      .init_scale = 1024, .growth_factor = 4, .backoff_factor = 0.25, .growth_interval = 2};
  Settings set{.grad_scale = 0.5, .has_loss_scale = true, .loss = {1024, 0}, .scaler = options};
  Gradients<half> good(1);
  Gradients<half> bad(1);
  bad.set_gradient(0, 0, inf);
  const double scales[] = {1024, 1024, 4096, 1024, 1024, 4096};
  const bool is_bad[] = {false, false, true, false, false};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(set.loss.scale, scales[i]);
    const Result r = control_of(is_bad[i] ? bad : good, set);
    EXPECT_EQ(r.control.grad_scale, float(0.5 / scales[i]));
    EXPECT_EQ(r.control.skip != 0, is_bad[i]);
    set.loss = r.loss;
  }
  EXPECT_EQ(set.loss.scale, scales[5]);
}

TEST(CudaGradients, FaultsAreFound) {
  const Gradients<bfloat16> gradients(1);
  const auto error = [&](const Faults& faults) {
    return mct::testing::message_of<SimulationError>([&] {
      control_of(gradients, {}, {1, TensorCore::rounded, faults});
    });
  };
  EXPECT_EQ(error({}), "");
  EXPECT_NE(error(Faults::without_barrier(0)), "");
}

}  // namespace
