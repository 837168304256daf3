// What the strategies do to updates that are small beside the weights: the reason for all this.
#include "mctensor/error.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using optim::AdamWOptions;
using optim::Format;
using optim::Strategy;

/// theta = 1 after 0.1 / step updates of -step: exactly 0.9. The mean of `count` parameters.
double drift(Strategy strategy, double step, double beta1 = 0, double beta2 = 0,
             std::size_t count = 256) {
  Parameters p(strategy, Format::bfloat16, count);
  for (std::size_t i = 0; i < p.count; ++i) {
    p.set_theta(i, 1);
    p.set_grad(i, 1);
  }
  AdamWOptions o;
  o.lr = step;
  o.beta1 = beta1;
  o.beta2 = beta2;
  o.eps = 0;
  o.weight_decay = 0;
  const auto steps = std::int64_t(std::lround(0.1 / step));
  for (std::int64_t t = 1; t <= steps; ++t) adamw_step(strategy, Format::bfloat16, p.all(), o, t);
  double sum = 0;
  for (std::size_t i = 0; i < p.count; ++i) sum += p.value(i);
  return sum / double(p.count);
}

TEST(Drift, ResidualFirstArrivesWhereOthersStop) {
  // bfloat16 alone never moves: an update of 1e-5 is below half an ulp of 1
  EXPECT_EQ(drift(Strategy::plain, 1e-5), 1);
  for (const double step : {1e-5, 1e-6, 1e-7}) {
    SCOPED_TRACE(step);
    EXPECT_NEAR(drift(Strategy::residual, step, 0, 0, 32), 0.9, 1e-3);
  }
  // the low component of light stops where an update is below half its own ulp: all weights alike
  EXPECT_GT(drift(Strategy::light, 1e-6, 0, 0, 1), 0.99);
  EXPECT_GT(drift(Strategy::light, 1e-7, 0, 0, 1), 0.999);
  // stochastic rounding of theta itself arrives in the mean, with a much larger spread
  EXPECT_NEAR(drift(Strategy::stochastic, 1e-5), 0.9, 0.01);
  EXPECT_NEAR(drift(Strategy::master, 1e-6, 0, 0, 1), 0.9, 2e-3);
}

/// With AdamW's usual betas the moments must follow, too: v of one bfloat16 stops at a quarter of
/// g^2, m at 0.98 g. The table in docs/optim.md.
TEST(Drift, WithTheUsualBetas) {
  const auto usual = [](Strategy strategy, double step) {
    return drift(strategy, step, 0.9, 0.999, 1024);
  };
  for (const double step : {1e-3, 1e-4, 1e-5, 1e-6}) {
    SCOPED_TRACE(step);
    EXPECT_NEAR(usual(Strategy::split16_plus, step), 0.9, 1e-5);
    EXPECT_NEAR(usual(Strategy::split16_stochastic, step), 0.9, 1e-4);
    EXPECT_NEAR(usual(Strategy::split8, step), 0.9, 4e-4);
  }
  EXPECT_NEAR(usual(Strategy::light, 1e-5), 0.808, 1e-3);
  EXPECT_NEAR(usual(Strategy::residual, 1e-5), 0.814, 1e-3);
  EXPECT_NEAR(usual(Strategy::plus, 1e-5), 0.9117, 1e-4);
  EXPECT_NEAR(usual(Strategy::residual_states, 1e-5), 0.9014, 2e-4);
  EXPECT_NEAR(usual(Strategy::master, 1e-5), 0.89986, 1e-5);
}

/// A constant gradient takes one T as far as (1 - beta2) (g^2 - v) reaches half a unit of v.
TEST(Drift, StepsHaveAWrongSizeWhereSecondMomentStops) {
  // how far a weight moves in so many steps, over what it should
  const auto factor = [](Strategy strategy, double before, double after) {
    Parameters p(strategy, Format::bfloat16, 1);
    Parameters exact(Strategy::full, Format::bfloat16, 1);
    AdamWOptions o;
    o.weight_decay = 0;
    double moved[2] = {};
    for (int t = 1; t <= 20000; ++t) {
      const double g = t <= 10000 ? before : after;
      p.set_grad(0, g);
      exact.set_grad(0, g);
      if (t == 19000) moved[0] = p.value(0), moved[1] = exact.value(0);
      adamw_step(strategy, Format::bfloat16, p.all(), o, t);
      adamw_step(Strategy::full, Format::bfloat16, exact.all(), o, t);
    }
    return (p.value(0) - moved[0]) / (exact.value(0) - moved[1]);
  };
  EXPECT_NEAR(factor(Strategy::light, 1, 1), 2, 0.1);
  EXPECT_NEAR(factor(Strategy::light, 1, 0.125), 0.25, 0.02);  // v does not fall
  EXPECT_NEAR(factor(Strategy::split16_plus, 1, 0.125), 1, 0.02);
  EXPECT_NEAR(factor(Strategy::split16_stochastic, 1, 0.125), 1, 0.1);
  EXPECT_NEAR(factor(Strategy::split8, 1, 0.125), 1, 0.2);
}

TEST(Drift, SecondMomentDecaysOnlyWithTwoComponents) {
  // v = 1 and no gradient: beta2^1000 = 0.3677
  const auto v_after = [](Strategy strategy, optim::Arithmetic arithmetic) {
    Parameters p(strategy, Format::bfloat16, 256);
    for (std::size_t i = 0; i < p.count; ++i) p.set_v(i, 1);
    AdamWOptions o;
    o.beta2 = 0.999;
    o.arithmetic = arithmetic;
    for (int t = 1; t <= 1000; ++t) adamw_step(strategy, Format::bfloat16, p.all(), o, t);
    double sum = 0;
    for (std::size_t i = 0; i < p.count; ++i)
      sum += p.v_at(i) + (p.layout.v_low > 0 ? p.get(p.v_low, 2, i) : 0);
    return sum / double(p.count);
  };
  using optim::Arithmetic;
  const double exact = std::pow(0.999, 1000);
  EXPECT_EQ(v_after(Strategy::plain, Arithmetic::strict), 1);  // beta2 is 1 in bfloat16
  EXPECT_EQ(v_after(Strategy::light, Arithmetic::registers), 1);
  EXPECT_NEAR(v_after(Strategy::plus, Arithmetic::strict), exact, 0.02 * exact);
  EXPECT_NEAR(v_after(Strategy::plus, Arithmetic::registers), exact, 0.01 * exact);
  EXPECT_NEAR(v_after(Strategy::residual_states, Arithmetic::registers), exact, 0.002 * exact);
  EXPECT_NEAR(v_after(Strategy::split8, Arithmetic::registers), exact, 0.05 * exact);
  EXPECT_NEAR(v_after(Strategy::master, Arithmetic::registers), exact, 1e-4 * exact);
}

TEST(Drift, StochasticRoundingIsUnbiased) {
  // theta moves by a fraction of an ulp: the mean of many parameters tells the fraction
  for (const Format format : {Format::bfloat16, Format::float16}) {
    const double ulp = format == Format::bfloat16 ? 0x1p-7 : 0x1p-10;
    for (const double weight : {1.0, -1.5, 0x1p-10, 0x1p-20}) {
      Parameters p(Strategy::stochastic, format, 1 << 16);
      // a half of 2^-20 is subnormal: its ulp is 2^-24
      double unit = ulp * std::exp2(std::floor(std::log2(std::fabs(weight))));
      if (format == Format::float16) unit = std::max(unit, 0x1p-24);
      for (std::size_t i = 0; i < p.count; ++i) {
        p.set_theta(i, weight);
        p.set_grad(i, weight < 0 ? 1 : -1);
      }
      AdamWOptions o;
      o.lr = 0.3 * unit;
      o.beta1 = 0;
      o.beta2 = 0;
      o.eps = 0;
      o.weight_decay = 0;
      adamw_step(Strategy::stochastic, format, p.all(), o, 1);
      double up = 0;
      for (std::size_t i = 0; i < p.count; ++i) {
        const double moved = std::fabs(p.theta_at(i)) - std::fabs(weight);
        ASSERT_TRUE(moved == 0 || moved == unit) << moved;
        up += moved > 0;
      }
      // 5 standard deviations of 65536 draws
      EXPECT_NEAR(up / double(p.count), 0.3, 5 * std::sqrt(0.21 / 65536)) << weight;
    }
  }
}

/// Float weights move by 0.3 units of 2^-24 of a weight: up, down, and from a power of two, where
/// the floats below lie closer together.
TEST(Drift, StochasticRoundingOfFloatWeightsIsUnbiased) {
  for (const double weight : {1.25, -1.5, 1.0, -0x1p-20})
    for (const double direction : {1.0, -1.0}) {
      Parameters p(Strategy::split16_stochastic, Format::bfloat16, 1 << 16);
      double unit = 0x1p-23 * std::exp2(std::floor(std::log2(std::fabs(weight))));
      const bool is_power =
          std::log2(std::fabs(weight)) == std::floor(std::log2(std::fabs(weight)));
      if (is_power && direction * weight < 0) unit /= 2;
      for (std::size_t i = 0; i < p.count; ++i) {
        p.set_theta(i, weight);
        p.set_grad(i, -direction);
      }
      AdamWOptions o;
      o.lr = 0.3 * unit;
      o.beta1 = 0;
      o.beta2 = 0;
      o.eps = 0;
      o.weight_decay = 0;
      adamw_step(Strategy::split16_stochastic, Format::bfloat16, p.all(), o, 1);
      double moves = 0;
      for (std::size_t i = 0; i < p.count; ++i) {
        const double moved = direction * (p.value(i) - weight);
        ASSERT_TRUE(moved == 0 || moved == unit) << moved;
        moves += moved > 0;
      }
      EXPECT_NEAR(moves / double(p.count), 0.3, 5 * std::sqrt(0.21 / 65536)) << weight;
    }
  // without an update a weight stays, powers of two included
  Parameters still(Strategy::split16_plus, Format::bfloat16, 1 << 12);
  for (std::size_t i = 0; i < still.count; ++i) still.set_theta(i, i % 2 == 0 ? 1 : -0.3);
  const Parameters before = still;
  AdamWOptions o;
  o.weight_decay = 0;
  for (int t = 1; t <= 20; ++t)
    adamw_step(Strategy::split16_plus, Format::bfloat16, still.all(), o, t);
  EXPECT_TRUE(still == before);
}

TEST(Metrics, CountLostUpdates) {
  AdamWOptions o;
  o.metrics = true;
  o.weight_decay = 0;
  o.lr = 1e-6;
  for (const Strategy strategy : {Strategy::plain, Strategy::light, Strategy::master}) {
    SCOPED_TRACE(to_string(strategy));
    Parameters p(strategy, Format::bfloat16, 1000);
    for (std::size_t i = 0; i < p.count; ++i) {
      p.set_theta(i, i < 250 ? 0 : 1);
      p.set_grad(i, i % 10 == 0 ? 0 : 1);
    }
    const auto report = adamw_step(strategy, Format::bfloat16, p.all(), o, 1);
    EXPECT_EQ(report.elements, 1000);
    EXPECT_EQ(report.updates, 900);
    EXPECT_EQ(report.v_updates, 900);
    EXPECT_EQ(report.lost_v_updates, 0);
    EXPECT_NEAR(report.update_squared, 900e-12, 1e-15);
    if (strategy == Strategy::plain) {
      EXPECT_EQ(report.lost_updates, 675);  // all but those of the zeros
      EXPECT_NEAR(report.relative_descent_quality(), 0.25, 0.01);
      EXPECT_NEAR(report.lost_percentage(), 75, 1e-9);
    } else {
      EXPECT_EQ(report.lost_updates, 0);
      // master: float weights next to 1 hold 1e-6 to 6 %
      EXPECT_NEAR(report.relative_descent_quality(), 1, 0.05);
    }
  }
  // v at beta2 = .999 does not change in bfloat16
  Parameters p(Strategy::plain, Format::bfloat16, 100);
  for (std::size_t i = 0; i < p.count; ++i) {
    p.set(p.v, 2, i, 1);
    p.set_grad(i, 0.5);
  }
  EXPECT_EQ(adamw_step(Strategy::plain, Format::bfloat16, p.all(), o, 1).lost_v_percentage(), 100);
}

}  // namespace
}  // namespace mct::test
