// What stands around an optimizer in a training loop: averages of weights, loss scales, groups.
#include "mctensor/nn/all.hpp"
#include "mctensor/optim/all.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/files.hpp"
#include "tests/optim/state_entries.hpp"

namespace mct::test {
namespace {

using namespace optim;

/// The average after `steps` updates of a weight that went from 1 to 2.
template <int A>
double average_after(int steps, double decay) {
  const Variable<bfloat16> x(full<bfloat16>({1}, bfloat16(1)), true);
  ExponentialMovingAverage<bfloat16, 1, A> average({x}, decay);
  x.value().fill_(bfloat16(2));
  for (int t = 0; t < steps; ++t) average.update();
  return double(convert<double, 1>(average.average(0)).item());
}

TEST(MovingAverage, OfOneComponentNeverMoves) {
  const double exact = 2 - std::pow(0.9999, 10000);
  EXPECT_EQ(average_after<1>(10000, 0.9999), 1);
  EXPECT_NEAR(average_after<2>(10000, 0.9999), exact, 2e-2);
  EXPECT_NEAR(average_after<3>(10000, 0.9999), exact, 1e-4);
  EXPECT_NEAR(average_after<2>(10, 0.9), 2 - std::pow(0.9, 10), 1e-4);
}

TEST(MovingAverage, IsSwappedInAndOut) {
  const Variable<float, 2> x(convert<float, 2>(Tensor<double>::from_values({1, -2, 1e-3})), true);
  ExponentialMovingAverage<float, 2> average({x}, 0.75);
  x.value().copy_(convert<float, 2>(Tensor<double>::from_values({5, 2, 0.1})));
  const auto weights = x.value().clone();
  average.update();
  EXPECT_EQ(average.updates(), 1);
  average.swap_in();
  EXPECT_TRUE(average.is_swapped());
  const auto shown = convert<double, 1>(x.value()).values();
  EXPECT_NEAR(shown[0], 2, 1e-13);
  EXPECT_NEAR(shown[1], -1, 1e-13);
  EXPECT_NEAR(shown[2], 0.02575, 1e-14);
  EXPECT_THROW(average.swap_in(), DomainError);
  EXPECT_THROW(average.update(), DomainError);
  average.swap_out();
  EXPECT_THROW(average.swap_out(), DomainError);
  for (int k = 0; k < 2; ++k)
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(x.value().data(k)[i], weights.data(k)[i]);
}

TEST(MovingAverage, GoesOnFromAFile) {
  const mct::testing::TemporaryDirectory directory;
  const auto path = directory / "average";
  const Variable<bfloat16> x(rand<bfloat16>({2, 3}, 1), true);
  ExponentialMovingAverage<bfloat16> saved({x}, 0.99);
  x.value().fill_(bfloat16(3));
  saved.update();
  saved.save(path);
  ExponentialMovingAverage<bfloat16> other({x}, 0.99);
  other.load(path);
  EXPECT_EQ(other.updates(), 1);
  for (int k = 0; k < 2; ++k)
    for (std::int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(other.average(0).data(k)[i].bits(), saved.average(0).data(k)[i].bits());
  StateEntries file(path);
  file.rename("0.average", "1.average");
  file.save(path);
  const auto message = testing::io_error_of([&] { other.load(path); });
  EXPECT_NE(message.find("0.average"), std::string::npos) << message;
}

/// Weights that were swapped twice would not come back.
TEST(MovingAverage, TakesEachVariableOnceAndKnowsItsIndices) {
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  const auto twice = testing::message_of<DomainError>([&] {
    ExponentialMovingAverage<float>({x, x});
  });
  EXPECT_NE(twice.find("parameter 1, "), std::string::npos) << twice;
  const ExponentialMovingAverage<float> average({x});
  EXPECT_EQ(average.average(0).numel(), 1);
  const auto message = testing::message_of<ShapeError>([&] { average.average(1); });
  EXPECT_NE(message.find("parameter 1 is not below 1"), std::string::npos) << message;
}

/// A loss whose gradient with respect to x is 3.
Variable<float> loss_of(const Variable<float>& x) { return sum(x * 3.0F); }

TEST(GradScaler, ScalesLossesAndUnscalesGradients) {
  GradScaler scaler;
  EXPECT_EQ(scaler.get_scale(), 65536);
  const Variable<float> x(Tensor<float>::from_values({1, 2}), true);
  Sgd<float> sgd({x}, {.lr = 0.5});
  scaler.scale(loss_of(x)).backward();
  EXPECT_EQ(x.grad().values(), (std::vector<float>{3 * 65536, 3 * 65536}));
  scaler.unscale(sgd);
  EXPECT_EQ(x.grad().values(), (std::vector<float>{3, 3}));
  EXPECT_THROW(scaler.unscale(sgd), DomainError);
  EXPECT_THROW(scaler.update(), DomainError);  // no step yet
  EXPECT_FALSE(scaler.step(sgd).skipped);
  EXPECT_EQ(x.value().values(), (std::vector<float>{-0.5, 0.5}));
  EXPECT_THROW(scaler.step(sgd), DomainError);
  scaler.update();
  sgd.zero_grad();
  scaler.scale(loss_of(x)).backward();
  scaler.step(sgd);  // unscales by itself
  EXPECT_EQ(x.value().values(), (std::vector<float>{-2, -1}));
}

TEST(GradScaler, BacksOffAndGrows) {
  GradScaler scaler(
      {.init_scale = 1024, .growth_factor = 4, .backoff_factor = 0.25, .growth_interval = 3});
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  Sgd<float> sgd({x});
  const auto iterate = [&](float gradient) {
    x.zero_grad();
    x.set_grad(Tensor<float>::from_values({gradient}));
    const bool skipped = scaler.step(sgd).skipped;
    scaler.update();
    return skipped;
  };
  EXPECT_FALSE(iterate(1));
  EXPECT_FALSE(iterate(1));
  EXPECT_EQ(scaler.growth_steps(), 2);
  EXPECT_TRUE(iterate(FloatTraits<float>::infinity));
  EXPECT_EQ(scaler.get_scale(), 256);
  EXPECT_EQ(scaler.growth_steps(), 0);
  EXPECT_EQ(sgd.steps(), 2);
  for (int t = 0; t < 3; ++t) EXPECT_FALSE(iterate(1));
  EXPECT_EQ(scaler.get_scale(), 1024);
  EXPECT_TRUE(iterate(FloatTraits<float>::nan));
  EXPECT_EQ(scaler.get_scale(), 256);
  // one optimizer of two
  const Variable<float> y(Tensor<float>::from_values({1}), true);
  Sgd<float> other({y});
  y.set_grad(Tensor<float>::from_values({FloatTraits<float>::nan}));
  x.zero_grad();
  x.set_grad(Tensor<float>::from_values({1}));
  EXPECT_FALSE(scaler.step(sgd).skipped);
  EXPECT_TRUE(scaler.step(other).skipped);
  scaler.update();
  EXPECT_EQ(scaler.get_scale(), 64);
}

/// However many steps were skipped, the scale and its inverse are numbers, and the scale grows
/// again.
TEST(GradScaler, NeverFallsBelowTheLeastScale) {
  GradScaler scaler({.growth_interval = 1});
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  const Variable<float> y(Tensor<float>::from_values({1}), true);
  Sgd<float> sgd({x});
  McAdamW<bfloat16> adam({y}, Strategy::full);
  const auto iterate = [&](float gradient) {
    x.set_grad(Tensor<float>::from_values({gradient}));
    y.set_grad(Tensor<float>::from_values({gradient}));
    const bool skipped = scaler.step(sgd).skipped && scaler.step(adam).skipped;
    scaler.update();
    return skipped;
  };
  for (int t = 0; t < 200; ++t) {
    ASSERT_NO_THROW(EXPECT_TRUE(iterate(FloatTraits<float>::nan))) << t;
    ASSERT_GE(scaler.get_scale(), least_loss_scale);
  }
  EXPECT_EQ(scaler.get_scale(), least_loss_scale);
  EXPECT_FALSE(iterate(float(least_loss_scale)));
  EXPECT_EQ(scaler.get_scale(), 2 * least_loss_scale);
  // one that was chosen smaller is not made larger
  EXPECT_EQ(next_loss_scale({0x1p-120, 3}, {}, true).scale, 0x1p-120);
  EXPECT_EQ(next_loss_scale({1.5 * least_loss_scale, 3}, {}, true).scale, least_loss_scale);
  EXPECT_EQ(next_loss_scale({2 * least_loss_scale, 3}, {}, true).scale, least_loss_scale);
  EXPECT_EQ(next_loss_scale({4 * least_loss_scale, 3}, {}, true).scale, 2 * least_loss_scale);
}

/// Gradients of 1e-7 are 0 in half, unless they are scaled; the step is that of the same gradients
/// without a scale in float.
TEST(GradScaler, BringsSmallGradientsThroughHalf) {
  AdamWOptions o;
  o.weight_decay = 0;
  o.eps = 1e-12;
  o.grad_scale = 0.5;
  const auto moved = [&](Strategy strategy, bool scaled) {
    const Variable<float> x(Tensor<float>::from_values({0}), true);
    McAdamW<half> adam({x}, strategy, o);
    GradScaler scaler;
    x.set_grad(Tensor<float>::from_values({scaled ? 1e-7F * 65536 : 1e-7F}));
    if (scaled) {
      scaler.step(adam);
      EXPECT_THROW(scaler.step(adam), DomainError);
      scaler.update();
    } else {
      adam.step();
    }
    EXPECT_EQ(adam.options().grad_scale, 0.5);
    return double(adam.exact_value(0).item());
  };
  EXPECT_NEAR(moved(Strategy::master, true), -1e-3, 1e-6);
  EXPECT_NEAR(moved(Strategy::full, false), -1e-3, 1e-6);
  // too large a scale: an infinity of half
  const Variable<float> x(Tensor<float>::from_values({0}), true);
  McAdamW<half> adam({x}, Strategy::master, o);
  GradScaler scaler;
  x.set_grad(Tensor<float>::from_values({2 * 65536.0F}));
  EXPECT_TRUE(scaler.step(adam).skipped);
  scaler.update();
  EXPECT_EQ(scaler.get_scale(), 32768);
}

/// The norm that is clipped is that of unscaled gradients.
TEST(GradScaler, ClipsInTheStepOfNarrowVariables) {
  const auto clipped = [](bool scaled) {
    const Variable<half> x(Tensor<half>({2}), true);
    AdamWOptions o;
    o.eps = 1;  // or the factor would not matter
    McAdamW<half, half> adam({x}, Strategy::master, o);
    GradScaler scaler({.init_scale = 256});
    x.set_grad(convert<half, 1>(Tensor<float>::from_values({3, 4})) * half(scaled ? 256.0F : 1.0F));
    const auto report = scaled ? scaler.step(adam, 2.5) : adam.step(2.5);
    EXPECT_EQ(report.grad_norm, 5);
    return adam.exact_value(0).values();
  };
  EXPECT_EQ(clipped(true), clipped(false));
  const Variable<half> x(Tensor<half>({2}), true);
  McAdamW<half, half> adam({x}, Strategy::master);
  adam.set_gradient_release();
  GradScaler scaler;
  EXPECT_NE(testing::message_of<DomainError>([&] { scaler.step(adam); }).find("releases"),
            std::string::npos);
}

TEST(GradScaler, GoesOnFromAFile) {
  const mct::testing::TemporaryDirectory directory;
  const auto path = directory / "scaler";
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  x.set_grad(Tensor<float>::from_values({1}));
  Sgd<float> sgd({x});
  GradScaler saved({.init_scale = 8, .growth_factor = 3, .growth_interval = 7});
  saved.step(sgd);
  saved.update();
  saved.save(path);
  GradScaler other;
  other.load(path);
  EXPECT_EQ(other.get_scale(), 8);
  EXPECT_EQ(other.growth_steps(), 1);
  EXPECT_EQ(other.options().growth_factor, 3);
  EXPECT_EQ(other.options().growth_interval, 7);
  for (const char* name : {"scale", "growth_factor", "backoff_factor"}) {
    StateEntries file(path);
    file.set_first(name, -1);
    file.save(directory / "changed");
    const auto message = testing::io_error_of([&] { other.load(directory / "changed"); });
    EXPECT_NE(message.find("-1"), std::string::npos) << message;
    EXPECT_EQ(other.get_scale(), 8);
  }
}

TEST(Patterns, FitWithStars) {
  EXPECT_TRUE(fits_pattern("head.bias", "head.bias"));
  EXPECT_TRUE(fits_pattern("layers.3.norm1.weight", "layers.*.norm*"));
  EXPECT_TRUE(fits_pattern("a.bias", "*.bias"));
  EXPECT_TRUE(fits_pattern("", "*"));
  EXPECT_TRUE(fits_pattern("abab", "*ab"));
  EXPECT_TRUE(fits_pattern("abc", "***"));
  EXPECT_FALSE(fits_pattern("a.bias2", "*.bias"));
  EXPECT_FALSE(fits_pattern("bias", "*.bias"));
  EXPECT_FALSE(fits_pattern("ab", "abc"));
  EXPECT_FALSE(fits_pattern("abc", "ab"));
  EXPECT_FALSE(fits_pattern("abcd", "a*c"));
}

TEST(Groups, AreMadeFromTheNamesOfAModel) {
  nn::Sequential<float, 2> model;
  model.emplace<nn::Linear>(3, 4, 1);
  model.emplace<nn::LayerNorm>(Shape{4});
  model.emplace<nn::Linear>(4, 2, 2);
  const auto named = model.named_parameters();
  const auto groups =
      groups_by_name(named, 1e-3, 0.1, {{"*.bias", 1e-3, 0}, {"1.*", 1e-3, 0}, {"2.*", 1e-4, 0.1}});
  ASSERT_EQ(groups.size(), 4U);
  const auto node = [&](const std::string& name) {
    for (const auto& [found, parameter] : named)
      if (found == name) return parameter.node();
    ADD_FAILURE() << name;
    return named[0].second.node();
  };
  ASSERT_EQ(groups[0].parameters.size(), 1U);
  EXPECT_EQ(groups[0].parameters[0].node(), node("0.weight"));
  EXPECT_EQ(groups[0].weight_decay, 0.1);
  EXPECT_EQ(groups[1].parameters.size(), 3U);  // the first rule that fits
  EXPECT_EQ(groups[1].weight_decay, 0);
  EXPECT_EQ(groups[2].parameters[0].node(), node("1.weight"));
  EXPECT_EQ(groups[3].parameters[0].node(), node("2.weight"));
  EXPECT_EQ(groups[3].lr, 1e-4);
  const auto message = testing::message_of<DomainError>([&] {
    groups_by_name(named, 1e-3, 0.1, {{"*", 1, 0}, {"*.bias", 1, 0}});
  });
  EXPECT_NE(message.find("'*.bias'"), std::string::npos) << message;
  EXPECT_EQ(groups_by_name(named, 1e-3, 0.1, {{"*", 1, 0}}).size(), 1U);

  const auto by_dimension = groups_by_dimension(named, 2e-3, 0.1);
  ASSERT_EQ(by_dimension.size(), 2U);
  EXPECT_EQ(by_dimension[0].parameters.size(), 2U);
  EXPECT_EQ(by_dimension[0].weight_decay, 0.1);
  EXPECT_EQ(by_dimension[1].parameters.size(), 4U);
  EXPECT_EQ(by_dimension[1].weight_decay, 0);
  // only the matrices shrink without gradients
  AdamW<float, 2> adamw(by_dimension, adamw_defaults());
  const auto before = model.state_dict().at("1.weight").clone();
  const double weight = double(model.state_dict().at("0.weight").values()[0]);
  for (const auto& parameter : model.parameters())
    parameter.set_grad(Tensor<float>(parameter.shape()));
  adamw.step();
  EXPECT_EQ(max(abs(model.state_dict().at("1.weight") - before)).evaluate().item(), 0.0F);
  EXPECT_NEAR(double(model.state_dict().at("0.weight").values()[0]), weight * (1 - 2e-4),
              1e-9 * std::fabs(weight));
}

}  // namespace
}  // namespace mct::test
