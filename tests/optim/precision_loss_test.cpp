// What the strategies lose: where v stops, how much of the weight decay arrives.
#include "mctensor/optim/precision_loss.hpp"

#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

/// v = 1.9 after steps without a gradient.
double v_after(Strategy strategy, Format format, double beta2, int steps) {
  Parameters p(strategy, format, 1);
  p.set_v(0, 1.9);
  AdamWOptions o;
  o.beta2 = beta2;
  for (int t = 1; t <= steps; ++t) adamw_step(strategy, format, p.all(), o, t);
  return p.v_at(0);
}
/// v after steps with a gradient of 1, from 0: 1 - beta2^steps.
double v_grown(Strategy strategy, Format format, double beta2, int steps) {
  Parameters p(strategy, format, 1);
  p.set_grad(0, 1);
  AdamWOptions o;
  o.beta2 = beta2;
  for (int t = 1; t <= steps; ++t) adamw_step(strategy, format, p.all(), o, t);
  return p.v_at(0);
}

/// The threshold is where v stops: it falls to nothing with a beta2 just below, and stays in its
/// binade for ever with one just above. Strategies that are not said to lose it follow beta2.
TEST(SecondMoment, StopsAboveTheLargestBeta2) {
  for (const Strategy strategy : all_strategies())
    for (const Format format : formats_of(strategy)) {
      SCOPED_TRACE(to_string(strategy) + ' ' + to_string(format));
      const double beta2 = largest_beta2(format);
      const double below = 1 - 1.05 * (1 - beta2);
      const double above = 1 - 0.95 * (1 - beta2);
      const int steps = int(8 / (1 - beta2));
      EXPECT_FALSE(loses_second_moment(strategy, format, below));
      EXPECT_FALSE(loses_second_moment(strategy, format, beta2));
      EXPECT_LT(v_after(strategy, format, below, steps), 0.01);
      if (loses_second_moment(strategy, format, above)) {
        EXPECT_GT(v_after(strategy, format, above, steps), 1);
        // growing stops long before
        const double usual = format == Format::bfloat16 ? 0.999 : 0.9999;
        EXPECT_LT(v_grown(strategy, format, usual, steps), 0.5);
      } else {
        EXPECT_LT(v_after(strategy, format, above, steps), 0.01);
      }
    }
  EXPECT_EQ(largest_beta2(Format::bfloat16), 0.99609375);
  EXPECT_EQ(largest_beta2(Format::float16), 0.99951171875);
  for (const Strategy strategy :
       {Strategy::plain, Strategy::light, Strategy::residual, Strategy::stochastic}) {
    EXPECT_TRUE(loses_second_moment(strategy, Format::bfloat16, 0.999));
    EXPECT_FALSE(loses_second_moment(strategy, Format::float16, 0.999));
  }
}

/// The part of the decay by (1 - lr weight_decay)^steps that arrives without gradients: 1 is all.
double arrived_decay(Strategy strategy, Format format, double decay, std::int64_t steps,
                     std::size_t count) {
  Parameters p(strategy, format, count);
  double before = 0;
  for (std::size_t i = 0; i < p.count; ++i) {
    p.set_theta(i, 1 + double(i) / double(p.count));
    before += p.value(i);
  }
  AdamWOptions o;
  o.lr = 1e-4;
  o.weight_decay = decay / o.lr;
  for (std::int64_t t = 1; t <= steps; ++t) adamw_step(strategy, format, p.all(), o, t);
  double after = 0;
  for (std::size_t i = 0; i < p.count; ++i) after += p.value(i);
  return (1 - after / before) / -std::expm1(double(steps) * std::log1p(-decay));
}

/// 1e-6, the decay of lr 1e-4 and weight_decay 0.01, is far below half a unit of any 16-bit format.
/// It arrives where the weight is a float or what is below a unit is rounded stochastically.
TEST(WeightDecay, ArrivesOrIsSaidToBeLost) {
  for (const Strategy strategy : all_strategies())
    for (const Format format : formats_of(strategy)) {
      SCOPED_TRACE(to_string(strategy) + ' ' + to_string(format));
      const Composition parts = composition_of(strategy);
      const auto is_lost = [&](double decay) {
        AdamWOptions o;
        o.lr = 1e-4;
        o.weight_decay = decay / o.lr;
        return loses_weight_decay(strategy, format, o);
      };
      // one T that is rounded stochastically spreads: 1 % of this decay over 1024 weights
      const bool spreads =
          parts.low == LowPart::none && parts.weight_rounding == Rounding::stochastic;
      const bool is_short = parts.low == LowPart::lower_byte;  // and 0.3 % with a float of 23 bits
      const double tolerance = spreads ? 0.05 : 0.01;
      for (const double decay : {1e-5, 1e-6}) {
        if (format == Format::float16 && decay > 5e-6) continue;
        const double arrived = arrived_decay(strategy, format, decay, decay > 5e-6 ? 5000 : 20000,
                                             spreads || is_short ? 1024 : 128);
        if (!is_lost(decay)) {
          EXPECT_NEAR(arrived, 1, tolerance) << decay;
        } else if (parts.has_sum()) {
          EXPECT_LT(arrived, 0.05) << decay;
        } else {
          EXPECT_EQ(arrived, 0) << decay;
        }
      }
      const bool rounds_to_nearest =
          !parts.has_float_weight() && parts.weight_rounding == Rounding::nearest;
      EXPECT_EQ(is_lost(1e-6),
                rounds_to_nearest && (!parts.has_sum() || format == Format::bfloat16));
      EXPECT_EQ(is_lost(1e-9), rounds_to_nearest);
    }
  AdamWOptions o;
  o.lr = 1e-9;
  EXPECT_TRUE(loses_weight_decay(Strategy::plain, Format::bfloat16, o));
  o.decay_mode = WeightDecay::decoupled;
  o.weight_decay = 0.01;
  EXPECT_FALSE(loses_weight_decay(Strategy::plain, Format::bfloat16, o));
  o.decay_mode = WeightDecay::l2;
  o.weight_decay = 1e-9;
  EXPECT_FALSE(loses_weight_decay(Strategy::plain, Format::bfloat16, o));
  o.decay_mode = WeightDecay::inside;
  o.weight_decay = 0;
  EXPECT_FALSE(loses_weight_decay(Strategy::plain, Format::bfloat16, o));
}

}  // namespace
}  // namespace mct::test
