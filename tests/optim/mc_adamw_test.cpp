// McAdamW beside adamw_step: the same bits, with gradients and weights as floats on the outside.
#include "mctensor/optim/mc_adamw.hpp"

#include "mctensor/tensor/all.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

template <class T>
constexpr Format format_of = std::is_same_v<T, half> ? Format::float16 : Format::bfloat16;

/// Steps of McAdamW and of adamw_step with rounded gradients, from the same weights. 5003 elements:
/// several blocks of floats and a last group that is not full.
template <class T>
void check_steps(Strategy strategy) {
  SCOPED_TRACE(to_string(strategy));
  constexpr std::int64_t n = 5003;
  const Variable<float> x(rand<float>({n}, 3) - 0.5F, true);
  const auto start = x.value().clone();
  AdamWOptions o;
  o.metrics = true;
  o.seed = 4;
  McAdamW<T> optimizer({x}, strategy, o);
  Parameters p(strategy, format_of<T>, std::size_t(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const float value = start.data()[i];
    p.set_theta(std::size_t(i), double(value));
    const auto theta = float(p.theta_at(std::size_t(i)));
    if (composition_of(strategy).has_sum()) p.set(p.low, 2, std::size_t(i), double(value - theta));
  }
  const bool split = composition_of(strategy).low == LowPart::lower_bits;
  for (int t = 1; t <= 4; ++t) {
    const auto grad = rand<float>({n}, 10 + std::uint64_t(t)) - 0.5F;
    x.zero_grad();
    x.set_grad(grad);
    const auto report = optimizer.step();
    EXPECT_EQ(report.elements, n);
    EXPECT_FALSE(report.skipped);
    if (split) continue;  // the test's parameters begin without lower bits
    for (std::int64_t i = 0; i < n; ++i) p.set_grad(std::size_t(i), double(grad.data()[i]));
    const auto expected = adamw_step(strategy, format_of<T>, p.all(), o, t);
    EXPECT_EQ(report.updates, expected.updates);
    EXPECT_EQ(report.lost_updates, expected.lost_updates);
  }
  const auto exact = optimizer.exact_value(0);
  for (std::int64_t i = 0; i < n; ++i) {
    const float shown = x.value().data()[i];
    if (split) {
      ASSERT_NEAR(shown, exact.data()[i], 0x1p-8 * std::fabs(shown)) << i;
    } else {
      ASSERT_EQ(double(shown), p.theta_at(std::size_t(i))) << i;
      ASSERT_EQ(exact.data()[i], float(p.value(std::size_t(i)))) << i;
    }
  }
}

TEST(McAdamW, StepsAsAdamWStepDoes) {
  for (const Strategy strategy : all_strategies()) {
    check_steps<bfloat16>(strategy);
    if (composition_of(strategy).has_format(Format::float16)) check_steps<half>(strategy);
  }
}

/// Variables with strides of their own hold the same values as contiguous ones.
TEST(McAdamW, VariablesMayBeViews) {
  for (const Strategy strategy : {Strategy::light, Strategy::full}) {
    const auto start = rand<float>({30, 40}, 1);
    const Variable<float> x(start.clone(), true);
    const Variable<float> y(start.t().contiguous().t(), true);
    ASSERT_FALSE(y.value().is_contiguous());
    McAdamW<bfloat16> a({x}, strategy);
    McAdamW<bfloat16> b({y}, strategy);
    EXPECT_EQ(a.bytes(), b.bytes());
    for (int t = 0; t < 3; ++t)
      for (auto* optimizer : {&a, &b}) {
        const auto& p = optimizer == &a ? x : y;
        p.zero_grad();
        p.set_grad(start - 0.25F);
        optimizer->step();
      }
    EXPECT_EQ(x.value().values(), y.value().values());
    EXPECT_NE(x.value().values(), start.values());
  }
}

TEST(McAdamW, FloatsThroughoutAreTheVariablesOwn) {
  const Variable<float> x(Tensor<float>::from_values({1, 2, 3}), true);
  McAdamW<bfloat16> full({x}, Strategy::full);
  EXPECT_EQ(full.bytes(), 36);
  EXPECT_EQ(full.variable_bytes(), 0);
  x.value().fill_(7);  // by the user, between steps
  EXPECT_EQ(full.exact_value(0).values(), (std::vector<float>{7, 7, 7}));
  const McAdamW<bfloat16> light({x}, Strategy::light);
  EXPECT_EQ(light.bytes(), 24);
  EXPECT_EQ(light.variable_bytes(), 12);
}

/// The largest gradients that T holds are taken, the next floats are not.
template <class T>
void check_limit(float largest) {
  for (const float g : {largest, std::nextafter(largest, HUGE_VALF)}) {
    const bool taken = std::isfinite(float(T(g)));
    EXPECT_EQ(taken, g == largest);
    const Variable<float> x(Tensor<float>({300}), true);
    McAdamW<T> adam({x}, Strategy::float_states);
    Tensor<float> grad({300});
    grad.data()[299] = -g;
    x.set_grad(grad);
    const auto report = adam.step();
    EXPECT_EQ(report.skipped, !taken);
    EXPECT_EQ(report.nonfinite, taken ? 0 : 1);
    EXPECT_EQ(report.elements, 300);
  }
}
TEST(McAdamW, GradientsAreFiniteInTheirFormat) {
  check_limit<half>(std::nextafter(65520.0F, 0.0F));
  check_limit<bfloat16>(std::nextafter(std::bit_cast<float>(0x7f7f8000u), 0.0F));
}

}  // namespace
}  // namespace mct::test
