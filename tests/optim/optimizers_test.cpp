// Optimizers of variables: SGD and Adam against formulas in double, MC-AdamW, files.
#include "mctensor/optim/all.hpp"

#include "mctensor/autograd/all.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/files.hpp"
#include "tests/optim/counted_memory.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

/// A gradient that depends on the value: of sum (x - target)^2 / 2.
template <class T, int N>
void pull(const Variable<T, N>& x, double target) {
  auto grad = Tensor<T>(x.shape());
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const auto value = Expansion<T, N>(x.value().values()[std::size_t(i)]);
    grad.data()[i] = T(double(value.limb[0]) - target * double(i + 1));
  }
  x.zero_grad();
  x.set_grad(grad);
}

TEST(Sgd, IsPyTorchs) {
  for (const bool nesterov : {false, true}) {
    const Variable<double> x(Tensor<double>::from_values({1, -2, 3}), true);
    std::vector<double> p = {1, -2, 3};
    std::vector<double> b(3);
    SgdOptions o;
    o.lr = 0.1;
    o.momentum = 0.9;
    o.dampening = nesterov ? 0 : 0.3;
    o.weight_decay = 0.01;
    o.nesterov = nesterov;
    Sgd<double> sgd({x}, o);
    for (int t = 0; t < 5; ++t) {
      pull(x, 0.5);
      for (std::size_t i = 0; i < 3; ++i) {
        const double g = p[i] - 0.5 * double(i + 1) + o.weight_decay * p[i];
        b[i] = t == 0 ? g : o.momentum * b[i] + (1 - o.dampening) * g;
        p[i] -= o.lr * (nesterov ? g + o.momentum * b[i] : b[i]);
      }
      sgd.step();
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x.value().values()[i], p[i], 1e-14);
  }
  SgdOptions wrong;
  wrong.nesterov = true;
  EXPECT_THROW(Sgd<double>(std::vector<Variable<double>>{}, wrong), DomainError);
}

template <class T, int N>
void check_adam(const AdamOptions& o, double tolerance) {
  const auto start = Tensor<double>::from_values({1, -2, 3});
  const Variable<T, N> x(convert<T, N>(start), true);
  std::vector<double> p = start.values();
  std::vector<double> m(3), v(3), largest(3);
  Adam<T, N> adam({x}, o);
  for (int t = 1; t <= 20; ++t) {
    pull(x, 0.5);
    for (std::size_t i = 0; i < 3; ++i) {
      double g = double(x.grad().values()[i]);
      if (o.decay_mode == WeightDecay::l2) g += o.weight_decay * p[i];
      m[i] = o.beta1 * m[i] + (1 - o.beta1) * g;
      v[i] = o.beta2 * v[i] + (1 - o.beta2) * g * g;
      largest[i] = std::max(largest[i], v[i]);
      const double used = o.amsgrad ? largest[i] : v[i];
      double update = m[i] / (1 - std::pow(o.beta1, t)) /
                      (std::sqrt(used / (1 - std::pow(o.beta2, t))) + o.eps);
      if (o.decay_mode == WeightDecay::inside) update += o.weight_decay * p[i];
      update *= o.lr;
      if (o.decay_mode == WeightDecay::decoupled) update += o.weight_decay * p[i];
      p[i] -= update;
    }
    adam.step();
  }
  const auto result = convert<double, 1>(x.value()).values();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(result[i], p[i], tolerance * std::fabs(p[i]));
}

TEST(Adam, IsPyTorchsInEveryArithmetic) {
  AdamOptions o;
  o.lr = 0.05;
  o.weight_decay = 0.01;
  for (const bool amsgrad : {false, true}) {
    o.amsgrad = amsgrad;
    for (const WeightDecay mode : {WeightDecay::l2, WeightDecay::inside, WeightDecay::decoupled}) {
      o.decay_mode = mode;
      check_adam<double, 1>(o, 1e-13);
      check_adam<float, 2>(o, 1e-12);
      check_adam<float, 1>(o, 1e-5);
    }
  }
  o.eps = 1e-4;  // 16-bit components: 2^-21 and 2^-15 where two of them have room
  check_adam<half, 2>(o, 1e-3);
  check_adam<bfloat16, 2>(o, 1e-3);
  AdamOptions wrong;
  wrong.beta1 = 1;
  EXPECT_THROW(Adam<double>(std::vector<Variable<double>>{}, wrong), DomainError);
}

TEST(Adam, WithDecayBesideTheGradientIsAdamW) {
  AdamOptions o = adamw_defaults();
  o.weight_decay = 0.1;
  o.lr = 0.05;
  const Variable<double> x(Tensor<double>::from_values({1, -2, 3}), true);
  const Variable<double> y(Tensor<double>::from_values({1, -2, 3}), true);
  Adam<double> adam({x}, o);
  AdamW<double> adamw({y}, o);
  for (int t = 0; t < 5; ++t) {
    pull(x, 0.5);
    pull(y, 0.5);
    adam.step();
    EXPECT_EQ(adamw.step().elements, 3);
  }
  EXPECT_EQ(x.value().values(), y.value().values());
  // the defaults are PyTorch's: without a gradient the weight decays by lr 0.01
  const Variable<double> z(Tensor<double>::from_values({1}), true);
  AdamW<double> defaults({z});
  z.set_grad(Tensor<double>({1}));
  defaults.step();
  EXPECT_DOUBLE_EQ(z.value().item(), 1 - 1e-3 * 0.01);
  EXPECT_THROW(AdamW<double>({z}, AdamOptions()), DomainError);
}

TEST(Optimizer, SkipsStepsWithBadGradients) {
  const Variable<float> x(Tensor<float>::from_values({1, 2}), true);
  Adam<float> adam({x});
  x.set_grad(Tensor<float>::from_values({1, FloatTraits<float>::nan}));
  const StepReport report = adam.step();
  EXPECT_TRUE(report.skipped);
  EXPECT_EQ(report.nonfinite, 1);
  EXPECT_EQ(report.elements, 2);
  EXPECT_EQ(adam.steps(), 0);
  EXPECT_EQ(adam.skipped_steps(), 1);
  EXPECT_EQ(x.value().values(), (std::vector<float>{1, 2}));
}

TEST(Optimizer, GoesOnFromAFileBitForBit) {
  const mct::testing::TemporaryDirectory directory;
  const auto path = directory / "states.safetensors";
  const auto run = [&](bool stop) {
    Variable<half, 2> x(convert<half, 2>(Tensor<double>::from_values({1, -2, 3})), true);
    AdamOptions o;
    o.eps = 1e-4;
    auto adam = std::make_unique<Adam<half, 2>>(std::vector{x}, o);
    for (int t = 0; t < 10; ++t) {
      if (stop && t == 5) {
        adam->save(path);
        adam = std::make_unique<Adam<half, 2>>(std::vector{x}, o);
        adam->load(path);
        EXPECT_EQ(adam->steps(), 5);
      }
      pull(x, 0.5);
      adam->step();
    }
    return x.value().clone();
  };
  const auto a = run(false);
  const auto b = run(true);
  for (int k = 0; k < 2; ++k)
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(a.data(k)[i].bits(), b.data(k)[i].bits());
  // another parameter
  const Variable<half, 2> other(Tensor<half, 2>({4}), true);
  AdamOptions o;
  o.eps = 1e-4;
  Adam<half, 2> adam({other}, o);
  EXPECT_THROW(adam.load(path), IoError);
  EXPECT_EQ(adam.steps(), 0);
}

TEST(Gradients, AreClippedByNorm) {
  const Variable<float> x(Tensor<float>({2}), true);
  const Variable<float> y(Tensor<float>({1}), true);
  x.set_grad(Tensor<float>::from_values({3, 0}));
  y.set_grad(Tensor<float>::from_values({4}));
  EXPECT_EQ(clip_grad_norm(std::vector{x, y}, 10.0), 5);
  EXPECT_EQ(y.grad().values()[0], 4);
  EXPECT_EQ(clip_grad_norm(std::vector{x, y}, 1.0), 5);
  EXPECT_FLOAT_EQ(x.grad().values()[0], 0.6F);
  EXPECT_FLOAT_EQ(y.grad().values()[0], 0.8F);
  EXPECT_THROW(clip_grad_norm(std::vector{x}, 0.0), DomainError);
}

TEST(McAdamW, BytesPerParameterAreThoseOfTable312) {
  const std::map<Strategy, double> with_gradient = {
      {Strategy::plain, 8},         {Strategy::light, 10},
      {Strategy::plus, 12},         {Strategy::split16_stochastic, 10},
      {Strategy::float_states, 12}, {Strategy::master, 16},
      {Strategy::full, 16},         {Strategy::split16, 14},
      {Strategy::residual, 10},     {Strategy::residual_states, 12},
      {Strategy::stochastic, 8},    {Strategy::stochastic_states, 8},
      {Strategy::split16_plus, 12}, {Strategy::split8, 7}};
  constexpr std::int64_t n =
      30 * 1024;  // smaller than the blocks that are kept for the next tensors
  // the first one also allocates what a process needs once
  McAdamW<bfloat16>({Variable<float>(Tensor<float>({n}), true)}, Strategy::plain);
  for (const auto& [strategy, bytes] : with_gradient) {
    SCOPED_TRACE(to_string(strategy));
    const Variable<float> x(Tensor<float>({n}), true);
    const std::size_t before = allocated_bytes();
    const McAdamW<bfloat16> optimizer({x}, strategy);
    // what is allocated for good, without the gradient; names, handles and counts are small
    const double measured = double(allocated_bytes() - before) / double(n);
    const double gradient = strategy == Strategy::full ? 4 : 2;
    // floats throughout: the variable's own are theta
    const double own = strategy == Strategy::full ? 4 : 0;
    const double marks = double(layout_of(strategy).marks) / double(scale_group);
    EXPECT_NEAR(measured, bytes - gradient - own + marks, 0.05);
    EXPECT_EQ(optimizer.bytes().weights, 4 * n);
    EXPECT_EQ(optimizer.bytes().gradients, 4 * n);
    EXPECT_DOUBLE_EQ(double(optimizer.bytes().states) / double(n), bytes - gradient - own + marks);
    EXPECT_DOUBLE_EQ(layout_of(strategy).bytes(), bytes);
  }
}

/// The most that training holds at any time: weights, gradients, states and what passes need for a
/// batch of one row, 32 layers of 128 x 128.
double most_bytes_per_parameter(Strategy strategy, bool release) {
  constexpr std::int64_t width = 128;
  constexpr int layers = 32;
  forget_most_allocated();
  const std::size_t before = allocated_bytes();
  std::vector<Variable<bfloat16>> weights;
  for (int i = 0; i < layers; ++i) {
    Tensor<bfloat16> values({width, width});
    nn::init::uniform_(values, -0.1, 0.1, std::uint64_t(i));
    weights.emplace_back(values, true);
  }
  McAdamW<bfloat16, bfloat16> adam(weights, strategy);
  adam.set_gradient_release(release);
  for (int t = 0; t < 3; ++t) {
    Variable<bfloat16> x(full<bfloat16, 1>({1, width}, bfloat16(1.0F)));
    for (const auto& w : weights) x = tanh(matmul(x, w));
    sum(x).backward();
    EXPECT_EQ(adam.step().nonfinite, 0);
    adam.zero_grad();
  }
  const auto n = double(adam.parameters());
  EXPECT_EQ(double(adam.bytes().weights) / n, 2);
  EXPECT_EQ(double(adam.bytes().gradients) / n, release ? 2.0 / layers : 2);
  return double(most_allocated_bytes() - before) / n;
}
TEST(McAdamW, HoldsNothingBesideNarrowVariables) {
  most_bytes_per_parameter(Strategy::plain, false);  // what a process needs once
  for (const Strategy strategy : {Strategy::plain, Strategy::light, Strategy::split16_stochastic,
                                  Strategy::plus, Strategy::split8, Strategy::master}) {
    SCOPED_TRACE(to_string(strategy));
    const double bytes = layout_of(strategy).bytes();
    // activations, one product's packed factors, a tensor converted when it is entered
    EXPECT_LE(most_bytes_per_parameter(strategy, false), bytes + 0.5);
    EXPECT_LE(most_bytes_per_parameter(strategy, true), bytes - 2 + 0.5);
  }
}

TEST(McAdamW, TrainsAndGoesOnFromAFileBitForBit) {
  const mct::testing::TemporaryDirectory directory;
  const auto path = directory / "states.safetensors";
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    const auto run = [&](bool stop) {
      const auto start = rand<float>({3, 100}, 5);
      Variable<float> x(start.clone(), true);
      Variable<float> y(start.clone(), true);
      AdamWOptions o;
      o.lr = 0.02;
      o.seed = 9;
      auto adam = std::make_unique<McAdamW<bfloat16>>(std::vector{x, y}, strategy, o);
      for (int t = 0; t < 20; ++t) {
        if (stop && t == 11) {
          adam->save(path);
          o.seed = 1;
          adam = std::make_unique<McAdamW<bfloat16>>(std::vector{x, y}, strategy, o);
          adam->load(path);
        }
        for (const auto& p : {x, y}) {
          p.zero_grad();
          p.set_grad(p.value() - 0.25F);
        }
        EXPECT_EQ(adam->step().nonfinite, 0);
      }
      return std::pair(adam->exact_value(0), adam->exact_value(1));
    };
    const auto [a, a_other] = run(false);
    const auto [b, b_other] = run(true);
    EXPECT_EQ(a.flatten().values(), b.flatten().values());
    EXPECT_EQ(a_other.flatten().values(), b_other.flatten().values());
    // it learned: the mean square distance was 0.146
    EXPECT_LT(mean(square(a - 0.25F)).item(), 0.06F);
    // stochastic rounding differs between equal parameters, nothing else does
    const bool random = composition_of(strategy).weight_rounding == Rounding::stochastic;
    EXPECT_EQ(a.flatten().values() != a_other.flatten().values(), random);
  }
  const Variable<float> x(Tensor<float>({3, 100}), true);
  McAdamW<bfloat16> other({x}, Strategy::light);
  EXPECT_THROW(other.load(path), IoError);  // the states of another strategy
}

TEST(McAdamW, ValuesAndBadGradients) {
  for (const Strategy strategy : {Strategy::light, Strategy::split16, Strategy::master}) {
    const Variable<float> x(Tensor<float>::from_values({0.1F, -3.14159274F, 1e-3F}), true);
    McAdamW<bfloat16> adam({x}, strategy);
    EXPECT_EQ(x.value().values()[0], float(bfloat16(0.1F)));
    const double bits = strategy == Strategy::light ? 0x1p-16 : 0;
    EXPECT_NEAR(adam.exact_value(0).values()[1], -3.14159274F, 4 * bits);
    x.set_grad(Tensor<float>::from_values({1, FloatTraits<float>::infinity, 1}));
    EXPECT_EQ(adam.step().nonfinite, 1);
    EXPECT_EQ(adam.skipped_steps(), 1);
    EXPECT_EQ(adam.steps(), 0);
    EXPECT_EQ(x.value().values()[0], float(bfloat16(0.1F)));
    EXPECT_THROW(adam.set_value(0, Tensor<float>({2})), ShapeError);
  }
  AdamWOptions strict;
  strict.arithmetic = Arithmetic::strict;
  EXPECT_THROW(McAdamW<bfloat16>({}, Strategy::residual, strict), DomainError);
}

TEST(Optimizer, GroupsMayGrowAndCountTheirOwnSteps) {
  const Variable<double> x(Tensor<double>({1}), true);
  const Variable<double> y(Tensor<double>({1}), true);
  Adam<double> adam({x});
  for (int t = 0; t < 100; ++t) {
    x.zero_grad();
    x.set_grad(Tensor<double>::from_values({1}));
    adam.step();
  }
  adam.groups().push_back({{y}, 1e-3, 0});
  y.set_grad(Tensor<double>::from_values({1}));
  adam.step();
  EXPECT_NEAR(y.value().item(), -1e-3, 1e-9);  // its first step
  adam.set_lr(FloatTraits<double>::nan);
  EXPECT_THROW(adam.step(), DomainError);
  EXPECT_EQ(adam.steps(), 101);
  const mct::testing::TemporaryDirectory directory;
  const auto path = directory / "states.safetensors";
  adam.save(path);
  Sgd<double> sgd({x, y});
  EXPECT_THROW(sgd.load(path), IoError);
}

TEST(Optimizer, TakesEachVariableOnce) {
  const Variable<float> x(Tensor<float>::from_values({1}), true);
  const Variable<float> y(Tensor<float>::from_values({1}), true);
  const auto expect_named = [](const std::string& message) {
    EXPECT_NE(message.find("parameter 2"), std::string::npos) << message;
    EXPECT_NE(message.find("same variable as parameter 0"), std::string::npos) << message;
  };
  using testing::message_of;
  const std::vector list{x, y, x};
  expect_named(message_of<DomainError>([&] { Sgd<float>{list}; }));
  expect_named(message_of<DomainError>([&] { Adam<float>{list}; }));
  expect_named(message_of<DomainError>([&] { McAdamW<bfloat16>(list, Strategy::full); }));
  expect_named(message_of<DomainError>([&] { McAdamW<bfloat16>(list, Strategy::master); }));
  expect_named(message_of<DomainError>([&] { ShardedMcAdamW<bfloat16>(list, Strategy::plus); }));
  // in another group, and in one that was added
  expect_named(message_of<DomainError>([&] { Sgd<float>({{{x, y}, 1, 0}, {{x}, 0.1, 0}}, {}); }));
  Sgd<float> sgd({x, y});
  x.set_grad(Tensor<float>::from_values({1}));
  sgd.groups().push_back({{x}, 0.1, 0});
  expect_named(message_of<DomainError>([&] { sgd.step(); }));
  EXPECT_EQ(sgd.steps(), 0);
  EXPECT_EQ(x.value().item(), 1);
  sgd.groups().pop_back();
  EXPECT_NO_THROW(sgd.step());
}

/// With eps = 0 an element whose second moment is 0 stays, but for its decay; others do what they
/// did.
TEST(Adam, WithoutEpsLeavesWhatHasNoGradient) {
  const auto expect_left = []<class T, int N>(const Variable<T, N>& x, AdamOptions o) {
    o.lr = 0.5;
    o.eps = 0;
    Adam<T, N> adam({x}, o);
    x.set_grad(Tensor<T>::from_values({T(0), T(4)}));
    adam.step();
    EXPECT_EQ(double(x.value().evaluate()(0)), o.weight_decay == 0 ? 1 : 0.75);
    EXPECT_NEAR(double(x.value().evaluate()(1)), o.weight_decay == 0 ? 0.5 : 0.25, 0.01);
  };
  for (const bool amsgrad : {false, true}) {
    AdamOptions o;
    o.amsgrad = amsgrad;
    expect_left(Variable<float>(full<float>({2}, 1), true), o);
    expect_left(Variable<bfloat16>(full<bfloat16>({2}, bfloat16(1)), true), o);
    expect_left(Variable<double, 2>(full<double, 2>({2}, f64x2(1)), true), o);
    o.weight_decay = 0.5;
    o.decay_mode = WeightDecay::inside;
    expect_left(Variable<float>(full<float>({2}, 1), true), o);
  }
}

TEST(Adam, RefusesAnEpsThatIsZero) {
  const Variable<half, 2> x(Tensor<half, 2>({1}), true);
  EXPECT_THROW((Adam<half, 2>({x})), DomainError);
}

TEST(McAdamW, OverflowInTheNarrowFormatSkipsTheStep) {
  const Variable<float> x(Tensor<float>::from_values({1, 1}), true);
  AdamWOptions o;
  o.grad_scale = 0x1p-16;
  McAdamW<half> adam({x}, Strategy::master, o);
  x.set_grad(Tensor<float>::from_values({70000, 1}));
  EXPECT_EQ(adam.step().nonfinite, 1);
  EXPECT_EQ(adam.steps(), 0);
  EXPECT_EQ(adam.skipped_steps(), 1);
  EXPECT_EQ(x.value().values(), (std::vector<float>{1, 1}));
  adam.options().lr = -1;
  EXPECT_THROW(adam.step(), DomainError);
  EXPECT_EQ(adam.steps(), 0);
}

TEST(McAdamW, MomentsStayInTheRangeOfHalf) {
  for (const Strategy strategy : all_strategies()) {
    if (!composition_of(strategy).has_format(Format::float16)) continue;
    SCOPED_TRACE(to_string(strategy));
    const Variable<float> x(Tensor<float>::from_values({1, 1}), true);
    McAdamW<half> adam({x}, strategy);
    // v too large for half, then gradients of usual size; and v too small, then none
    for (int t = 0; t < 25; ++t) {
      x.zero_grad();
      x.set_grad(Tensor<float>::from_values({t == 0 ? 20000.0F : 1.0F, t < 20 ? 0x1p-8F : 0.0F}));
      EXPECT_EQ(adam.step().nonfinite, 0);
      for (const float value : x.value().values()) ASSERT_NEAR(value, 1, 0.5);
    }
  }
}

}  // namespace
}  // namespace mct::test
