// McAdamW beside adamw_step: the same bits, with gradients and weights as floats on the outside.
#include "mctensor/optim/mc_adamw.hpp"

#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/message_of.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

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
  const bool split = composition_of(strategy).is_split();
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
    // floats throughout are not the variable's own
    EXPECT_EQ(b.bytes().states - a.bytes().states, strategy == Strategy::full ? 4 * 1200 : 0);
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
  EXPECT_EQ(full.bytes(), (ParameterBytes{12, 24, 12}));
  x.value().fill_(7);  // by the user, between steps
  EXPECT_EQ(full.exact_value(0).values(), (std::vector<float>{7, 7, 7}));
  const McAdamW<bfloat16> light({x}, Strategy::light);
  EXPECT_EQ(light.bytes(), (ParameterBytes{12, 24 + 4, 12}));  // a mark
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
TEST(McAdamW, IndicesOutsideAreShapeErrors) {
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  McAdamW<bfloat16> adam({x}, Strategy::plus);
  const auto expect_named = [](const char* function, const std::string& message) {
    const auto text = std::string(function) + ": parameter 1 is not below 1";
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  using testing::message_of;
  expect_named("exact_value", message_of<ShapeError>([&] { adam.exact_value(1); }));
  expect_named("set_value", message_of<ShapeError>([&] { adam.set_value(1, x.value()); }));
  expect_named("memory", message_of<ShapeError>([&] { adam.memory(1); }));
  EXPECT_NE(adam.memory(0).theta, nullptr);
}

TEST(McAdamW, GradientsAreFiniteInTheirFormat) {
  check_limit<half>(std::nextafter(65520.0F, 0.0F));
  check_limit<bfloat16>(std::nextafter(std::bit_cast<float>(0x7f7f8000u), 0.0F));
}

/// Variables of T are theta: steps as with variables of float and the same gradients, and nothing
/// is held beside.
template <class T>
void check_narrow_variables(Strategy strategy) {
  SCOPED_TRACE(to_string(strategy));
  constexpr std::int64_t n = 70003;
  const auto start = convert<T, 1>(rand<float>({n}, 3) - 0.5F);
  const Variable<T> x(start.clone(), true);
  const Variable<float> wide(convert<float, 1>(start), true);
  AdamWOptions o;
  o.seed = 8;
  McAdamW<T, T> narrow({x}, strategy, o);
  McAdamW<T, float> optimizer({wide}, strategy, o);
  for (int t = 1; t <= 3; ++t) {
    const auto grad = convert<T, 1>(rand<float>({n}, 10 + std::uint64_t(t)) - 0.5F);
    x.set_grad(grad);
    wide.set_grad(convert<float, 1>(grad));
    narrow.step();
    optimizer.step();
  }
  const auto shown = convert<float, 1>(x.value());
  EXPECT_EQ(shown.values(), wide.value().values());
  EXPECT_EQ(narrow.exact_value(0).values(), optimizer.exact_value(0).values());
  const Layout layout = layout_of(strategy);
  const double bytes = layout.bytes() + double(layout.marks) / double(scale_group);
  EXPECT_NEAR(double(narrow.bytes().total()) / double(n), bytes, 1e-3);
  EXPECT_EQ(narrow.bytes().weights, 2 * n);
  EXPECT_EQ(narrow.bytes().gradients, 2 * n);
}
TEST(McAdamW, NarrowVariablesAreTheta) {
  for (const Strategy strategy : all_strategies()) {
    if (strategy == Strategy::full) continue;
    check_narrow_variables<bfloat16>(strategy);
    if (composition_of(strategy).has_format(Format::float16))
      check_narrow_variables<half>(strategy);
  }
  const Variable<half> x(Tensor<half>({3}), true);
  EXPECT_NE(testing::message_of<DomainError>([&] {
              McAdamW<half, half>({x}, Strategy::full);
            }).find("full needs variables of float"),
            std::string::npos);
}

TEST(McAdamW, NarrowVariablesMayBeViews) {
  const auto start = convert<bfloat16, 1>(rand<float>({30, 41}, 1));
  const Variable<bfloat16> x(start.clone(), true);
  const Variable<bfloat16> y(start.t().contiguous().t(), true);
  McAdamW<bfloat16, bfloat16> a({x}, Strategy::light);
  McAdamW<bfloat16, bfloat16> b({y}, Strategy::light);
  EXPECT_EQ(b.bytes().states - a.bytes().states, 2 * x.numel());  // theta of its own
  for (int t = 0; t < 3; ++t)
    for (auto* optimizer : {&a, &b}) {
      (optimizer == &a ? x : y).set_grad(start);
      optimizer->step();
    }
  EXPECT_TRUE(x.value().values() == y.value().values());
  EXPECT_FALSE(x.value().values() == start.values());
}

/// The norm that a step clips is that of grad_norm, and the update that of scaled gradients.
TEST(McAdamW, ClipsInTheStep) {
  for (const double scale : {1.0, 0.25}) {
    const auto start = convert<bfloat16, 1>(rand<float>({3000}, 1));
    const Variable<bfloat16> x(start.clone(), true);
    const Variable<bfloat16> y(start.clone(), true);
    AdamWOptions o;
    o.grad_scale = scale;
    o.weight_decay = 0;
    McAdamW<bfloat16, bfloat16> clipped({x}, Strategy::light, o);
    McAdamW<bfloat16, bfloat16> scaled({y}, Strategy::light, o);
    const double norm = scale * grad_norm(std::vector{(x.set_grad(start), x)});
    const auto report = clipped.step(norm / 4);
    EXPECT_EQ(report.grad_norm, norm);
    EXPECT_EQ(clipped.options().grad_scale, scale);
    scaled.options().grad_scale = scale * (norm / 4 / norm);
    y.set_grad(start);
    scaled.step();
    EXPECT_TRUE(clipped.exact_value(0).values() == scaled.exact_value(0).values());
    // a norm that is small enough changes nothing
    x.set_grad(start);
    y.set_grad(start);
    scaled.options().grad_scale = scale;
    clipped.step(2 * norm);
    scaled.step();
    EXPECT_TRUE(clipped.exact_value(0).values() == scaled.exact_value(0).values());
    x.grad().data()[7] = bfloat16(FloatTraits<float>::nan);
    EXPECT_TRUE(clipped.step(1).skipped);
    EXPECT_THROW(clipped.step(0), DomainError);
  }
  // finite as floats, infinite as halfs: the norm alone does not say so
  const Variable<float> z(Tensor<float>({3}), true);
  McAdamW<half> adam({z}, Strategy::light);
  z.set_grad(Tensor<float>::from_values({1, 66000, 1}));
  const auto report = adam.step(1);
  EXPECT_TRUE(report.skipped);
  EXPECT_EQ(report.nonfinite, 1);
}

/// Parameters that join later are at steps of their own.
TEST(McAdamW, ParametersWithoutGradientWait) {
  const auto start = convert<bfloat16, 1>(rand<float>({500}, 1));
  std::vector<Variable<bfloat16>> all;
  std::vector<Variable<bfloat16>> alone;
  for (int i = 0; i < 3; ++i) {
    all.emplace_back(start.clone(), true);
    alone.emplace_back(start.clone(), true);
  }
  McAdamW<bfloat16, bfloat16> together(all, Strategy::plus);
  McAdamW<bfloat16, bfloat16> later({alone[1]}, Strategy::plus);
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 3; ++i)
      if (i != 1 || t >= 2) all[std::size_t(i)].set_grad(start);
    EXPECT_EQ(together.step().elements, t < 2 ? 1000 : 1500);
  }
  for (int t = 0; t < 2; ++t) {
    alone[1].set_grad(start);
    later.step();
  }
  EXPECT_TRUE(all[1].value().values() == alone[1].value().values());
}

/// The loss of a small network and its parameters.
struct Network {
  std::vector<Variable<bfloat16>> weights;
  explicit Network(int layers) {
    for (int i = 0; i < layers; ++i)
      weights.emplace_back(
          convert<bfloat16, 1>(rand<float>({64, 64}, 20 + std::uint64_t(i)) - 0.5F), true);
  }
  Variable<bfloat16> loss() const {
    Variable<bfloat16> x(full<bfloat16, 1>({2, 64}, bfloat16(1.0F)));
    for (const auto& w : weights) x = tanh(matmul(x, w));
    return mean(x * x);
  }
};

/// The same bits as steps after the backward pass, without the gradients.
TEST(McAdamW, ReleasesGradients) {
  const Network a(5);
  const Network b(5);
  AdamWOptions o;
  o.metrics = true;
  o.seed = 2;
  McAdamW<bfloat16, bfloat16> usual(a.weights, Strategy::residual, o);
  {
    McAdamW<bfloat16, bfloat16> released(b.weights, Strategy::residual, o);
    released.set_gradient_release();
    EXPECT_EQ(released.bytes().gradients, 2 * 64 * 64);
    EXPECT_EQ(usual.bytes().gradients, 5 * 2 * 64 * 64);
    for (int t = 1; t <= 3; ++t) {
      usual.zero_grad();
      a.loss().backward();
      const auto expected = usual.step();
      b.loss().backward();
      for (const auto& w : b.weights) EXPECT_FALSE(w.has_grad());
      const auto report = released.step();
      EXPECT_EQ(report.elements, expected.elements);
      EXPECT_EQ(report.updates, expected.updates);
      EXPECT_EQ(released.steps(), t);
    }
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_TRUE(a.weights[i].value().values() == b.weights[i].value().values()) << i;
    EXPECT_THROW(released.step(1), DomainError);

    // one bad gradient: its parameter waits, the others go on
    const auto before = b.weights[4].value().clone();
    const auto first = b.weights[0].value().clone();
    const Variable<bfloat16> bad(full<bfloat16, 1>({64}, bfloat16(FloatTraits<float>::infinity)));
    (b.loss() + sum(b.weights[4].select(0, 0) * bad)).backward();
    const auto report = released.step();
    EXPECT_EQ(report.nonfinite, 64);
    EXPECT_TRUE(b.weights[4].value().values() == before.values());
    EXPECT_FALSE(b.weights[0].value().values() == first.values());
  }
  // the hooks went with the optimizer
  b.loss().backward();
  EXPECT_TRUE(b.weights[0].has_grad());
}

}  // namespace
}  // namespace mct::test
