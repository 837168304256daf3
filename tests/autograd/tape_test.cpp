// The recorded graph: what is recorded, freed, accumulated, refused; depth; threads.
#include "tests/autograd/gradients.hpp"

namespace mct::test::tape_cases {
namespace {

using V = Variable<double>;

V leaf(const std::vector<double>& values) { return V(Tensor<double>::from_values(values), true); }

TEST(Tape, GradientsOfSharedVariablesAddUp) {
  const V x = leaf({3});
  const V y = x * x;
  (y * x + y).backward();  // x^3 + x^2
  EXPECT_EQ(x.grad().item(), 27 + 6);
  (x * 2).backward();
  EXPECT_EQ(x.grad().item(), 35);
  x.zero_grad();
  EXPECT_FALSE(x.has_grad());
  EXPECT_THROW(x.grad(), DomainError);
  (x + x + x).backward();
  EXPECT_EQ(x.grad().item(), 3);
}

TEST(Tape, VariablesStandOnNodes) {
  const auto message = message_of<DomainError>([] { V(std::shared_ptr<V::Node>()); });
  EXPECT_NE(message.find("the node is null"), std::string::npos) << message;
  V x = leaf({3});
  const V y = std::move(x);
  x = leaf({4});  // what was moved from may be assigned to
  EXPECT_EQ((x * y).item(), 12);
}

TEST(Tape, GradientsOfLeavesShareNoMemory) {
  const V x = leaf({1, 2});
  const V y = leaf({3, 4});
  const auto given = Tensor<double>::from_values({1, 1});
  (x + y).backward(given);
  mul_(x.grad(), 10);
  EXPECT_EQ(x.grad().values(), (std::vector<double>{10, 10}));
  EXPECT_EQ(y.grad().values(), (std::vector<double>{1, 1}));
  EXPECT_EQ(given.values(), (std::vector<double>{1, 1}));
  const V z = leaf({1, 2});
  z.backward(given);
  sum(z).backward();
  EXPECT_EQ(z.grad().values(), (std::vector<double>{2, 2}));
  EXPECT_EQ(given.values(), (std::vector<double>{1, 1}));
}

TEST(Tape, BackwardTakesTheGradientOfTheResult) {
  const V x = leaf({1, 2});
  const V y = x * x;
  EXPECT_NE(message_of<ShapeError>([&] { y.backward(); }).find("(2,)"), std::string::npos);
  EXPECT_THROW(y.backward(zeros<double>({3})), ShapeError);
  y.backward(Tensor<double>::from_values({1, 10}));
  EXPECT_EQ(x.grad().values(), (std::vector<double>{2, 40}));
}

TEST(Tape, TheGraphIsFreedUnlessRetained) {
  const V x = leaf({2});
  const V y = x * x;
  y.backward(true);
  y.backward();
  EXPECT_EQ(x.grad().item(), 8);
  EXPECT_NE(message_of<DomainError>([&] { y.backward(); }).find("retain_graph"), std::string::npos);
  EXPECT_THROW((y * 2).backward(), DomainError) << "a part of its graph was freed";
  EXPECT_EQ(x.grad().item(), 8) << "and nothing arrived";
  (x * 3).backward();
  EXPECT_EQ(x.grad().item(), 11);
}

TEST(Tape, SavedTensorsGoWithTheGraph) {
  const V x = leaf({2, 3});
  const auto factor = Tensor<double>::from_values({4, 5});
  const long before = factor.storage().use_count();
  {
    const V y = x * factor;
    EXPECT_GT(factor.storage().use_count(), before);
    y.backward(factor);
    EXPECT_EQ(factor.storage().use_count(), before);
  }
  { const V unused = x * factor; }
  EXPECT_EQ(factor.storage().use_count(), before);
}

TEST(Tape, OnlyWhatRequiresAGradientIsRecorded) {
  const V x = leaf({2});
  const V constant(Tensor<double>::from_values({3}));
  EXPECT_FALSE((constant * 2).requires_grad());
  EXPECT_TRUE((constant * x).requires_grad());
  EXPECT_FALSE((x * 2).detach().requires_grad());
  EXPECT_THROW((constant * 2).backward(), DomainError);
  {
    const NoGradGuard guard;
    { const NoGradGuard inner; }
    EXPECT_FALSE(grad_enabled());
    const V y = x * 2;
    EXPECT_FALSE(y.requires_grad());
    EXPECT_TRUE(y.is_leaf());
    EXPECT_FALSE(cat(std::vector{x, x}).requires_grad());
  }
  EXPECT_TRUE(grad_enabled());
  const V y = x * 2;
  EXPECT_THROW(y.requires_grad_(), DomainError);
  // the gradient ends at detach
  (y.detach() * x).backward();
  EXPECT_EQ(x.grad().item(), 4);
  constant.requires_grad_();
  (constant * x.detach()).backward();
  EXPECT_EQ(constant.grad().item(), 2);
}

TEST(Tape, IntermediateGradientsOnRequest) {
  const V x = leaf({2});
  const V y = x * 3;
  const V z = y * y;
  y.retain_grad();
  z.backward(true);
  EXPECT_EQ(y.grad().item(), 12);
  EXPECT_FALSE(z.has_grad());
  z.backward();
  EXPECT_EQ(y.grad().item(), 24);
  EXPECT_EQ(x.grad().item(), 72);
  x.set_grad(Tensor<double>::from_values({7}));
  EXPECT_EQ(x.grad().item(), 7);
  EXPECT_THROW(x.set_grad(zeros<double>({2})), ShapeError);
  EXPECT_THROW(x.detach().retain_grad(), DomainError);
}

// a pass that fails leaves no gradient on its way that the next one would add to
TEST(Tape, AFailedPassLeavesNothingBehind) {
  const V x = leaf({2});
  bool fails = true;
  const V y = x * 3;
  const V z = autograd_detail::record(
      y.value(),
      [&fails](const auto& to, const auto& g) {
        if (fails) throw DomainError("fails once");
        to.give(0, g);
      },
      y);
  const V result = y + z * 1.0;
  EXPECT_THROW(result.backward(true), DomainError);
  EXPECT_FALSE(x.has_grad());
  fails = false;
  result.backward();
  EXPECT_EQ(x.grad().item(), 6);
}

TEST(Tape, BranchesWithoutGradientAreSkipped) {
  const V x = leaf({1, 2});
  const V y = leaf({3, 4});
  const V pair = stack(std::vector{x, y});
  sum(pair.select(0, 0) * pair.select(0, 0)).backward();
  EXPECT_EQ(x.grad().values(), (std::vector<double>{2, 4}));
  EXPECT_EQ(y.grad().values(), (std::vector<double>{0, 0}));
}

// 10^5 operations on top of one another: neither backward() nor the end of the graph may recurse
TEST(Tape, DeepGraphs) {
  const V x = leaf({1});
  V y = x;
  for (int i = 0; i < 100000; ++i) y = y + 1.0;
  y.backward();
  EXPECT_EQ(x.grad().item(), 1);
  V z = x;
  for (int i = 0; i < 100000; ++i) z = z * 1.0 + x;
  z.backward(true);
  EXPECT_EQ(x.grad().item(), 100002);
  z = x;
}

TEST(Tape, TheSameBitsWithAnyNumberOfThreads) {
  const auto table = randn<float>({50, 96}, 1);
  const auto weights = randn<float>({96, 96}, 2);
  auto index = Tensor<std::int64_t>::uninitialized({700});
  for (std::int64_t i = 0; i < 700; ++i) index.data()[i] = i * i % 50;
  const auto gradients = [&] {
    const Variable<float> t(table, true);
    const Variable<float> w(weights, true);
    const auto rows = normalize(embedding(t, index), 1, 1e-5);
    sum(square(log_softmax(gelu(matmul(rows, w)), -1) * softmax(rows, -1))).backward();
    return std::pair{t.grad(), w.grad()};
  };
  const int before = num_threads();
  set_num_threads(1);
  const auto one = gradients();
  for (const int threads : {2, 3, 7}) {
    set_num_threads(threads);
    const auto many = gradients();
    EXPECT_TRUE(same(many.first, one.first));
    EXPECT_TRUE(same(many.second, one.second));
  }
  set_num_threads(before);
}

/// x^2 with the gradient 3 x instead of 2 x at element (1, 0).
V2 planted_fault(const V2& x) {
  return autograd_detail::record(
      square(x.value()),
      [a = x.value()](const auto& to, const auto& g) {
        const auto slope = a * 2;
        slope.set({1, 0}, a.at({1, 0}) * 3);
        to.give(0, g * slope);
      },
      x);
}

TEST(Gradcheck, FindsAPlantedFault) {
  const auto x = input({2, 2}, 1);
  const auto y = input({2}, 2);
  const auto good =
      gradcheck([](const auto& a, const auto& b) { return square(a) * b; }, std::make_tuple(x, y));
  EXPECT_TRUE(good) << good.message();
  EXPECT_LT(good.worst_error, 1e-24);
  const auto bad = gradcheck([](const auto& a, const auto& b) { return planted_fault(a) * b; },
                             std::make_tuple(x, y));
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.input, 0U);
  EXPECT_EQ(bad.index, (Shape{1, 0}));
  EXPECT_NEAR(bad.worst_error, 1 / 3.0, 1e-10);
  EXPECT_NE(bad.message().find("input 0 at (1, 0)"), std::string::npos) << bad.message();
}

TEST(Gradcheck, FindsAMissingGradientAndASmallError) {
  const auto x = input({3}, 1);
  EXPECT_FALSE(
      gradcheck([](const V2& a) { return V2(exp(a.value()), true) + a; }, std::make_tuple(x)));
  const auto nearly = [](const V2& a) {
    return autograd_detail::record(
        exp(a.value()),
        [r = exp(a.value())](const auto& to, const auto& g) { to.give(0, g * r * (1 + 1e-19)); },
        a);
  };
  const auto slightly = [](const V2& a) {
    return autograd_detail::record(
        exp(a.value()),
        [r = exp(a.value())](const auto& to, const auto& g) {
          to.give(0, g * r * (f64x2(1) + f64x2(1e-19)));
        },
        a);
  };
  EXPECT_TRUE(gradcheck(nearly, std::make_tuple(x))) << "1 + 1e-19 is 1 in double";
  const auto report = gradcheck(slightly, std::make_tuple(x));
  EXPECT_FALSE(report);
  EXPECT_NEAR(report.worst_error, 1e-19, 1e-22);
}

TEST(Gradcheck, RestoresInputsAndTakesLists) {
  const std::vector<V2> inputs{input({2}, 1), input({2}, 2)};
  const auto before = inputs[0].value().clone();
  EXPECT_TRUE(gradcheck([](const auto& list) { return list[0] / (list[1] + 3); }, inputs));
  EXPECT_TRUE(same(inputs[0].value(), before));
  EXPECT_THROW(gradcheck([](const V2& a) { return a; }, std::make_tuple(inputs[0].detach())),
               DomainError);
}

// for users: plain gradients and plain numbers, within what their precision allows
TEST(Gradcheck, OfNarrowerTypes) {
  const auto f = [](const auto& a) { return tanh(a * a) + a / 3; };
  const Variable<double> plain(randn<double>({5}, 1), true);
  const Variable<double, 2> long_value(randn<double, 2>({5}, 1), true);
  const Variable<double, 3, 3> three(randn<double, 3>({5}, 1), true);
  const Variable<float> single(Tensor<float>::from_values({0.5F, -0.25F, 1}), true);
  for (const auto& report :
       {gradcheck(f, std::make_tuple(plain)), gradcheck(f, std::make_tuple(long_value)),
        gradcheck(f, std::make_tuple(three))})
    EXPECT_TRUE(report) << report.message();
  GradcheckOptions loose;
  loose.tolerance = 1e-4;
  const auto report =
      gradcheck([](const auto& a) { return a * a * a; }, std::make_tuple(single), loose);
  EXPECT_TRUE(report) << report.message();
}

/// Every type: one pass through operations of all kinds.
TEST(Tape, EveryComponentType) {
  for_each_type([]<class T, int N>() {
    const Variable<T, N> x(rand<T, N>({3, 4}, 1), true);
    const Variable<T, N> w(rand<T, N>({2, 4}, 2), true);
    const auto y = softmax(gelu(linear(x, w, Variable<T, N>())) + 0.5, 1) * 2.0;
    sum(y.select(1, 0)).backward();
    EXPECT_EQ(x.grad().shape(), (Shape{3, 4}));
    EXPECT_GT(double(max(abs(w.grad())).item()), 0);
  });
}

}  // namespace
}  // namespace mct::test::tape_cases
