// Losses: gradients in f64x2, values against PyTorch's documented formulas, reductions, ignored
// targets, extreme inputs, errors.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

using Indices = Tensor<std::int64_t>;
using nn::Reduction;
using List = std::vector<double>;

constexpr Reduction reductions[] = {Reduction::none, Reduction::mean, Reduction::sum};

TEST(LossGradients, InF64x2) {
  const auto target = Tensor<double>::from_values({0, 1, 0.25, 1, 0, 0.5}, {2, 3});
  const auto exact = randn<double, 2>({2, 3}, 3);
  const auto labels = Indices::from_values({2, -100, 0, 1});
  const auto grid = Indices::from_values({2, 0, 1, -100, 0, 1}, {2, 3});
  for (const Reduction r : reductions) {
    EXPECT_TRUE(gradients_agree([&](const auto& x) { return nn::mse_loss(x, exact, r); },
                                input({2, 3}, 1)));
    EXPECT_TRUE(
        gradients_agree([&](const auto& x) { return nn::binary_cross_entropy(x, target, r); },
                        input({2, 3}, 1, 0.1, 0.9)));
    EXPECT_TRUE(gradients_agree(
        [&](const auto& x) { return nn::binary_cross_entropy_with_logits(x, target, r); },
        input({2, 3}, 1, -3, 3)));
    EXPECT_TRUE(gradients_agree([&](const auto& x) { return nn::nll_loss(x, labels, r); },
                                input({4, 3}, 1)));
    EXPECT_TRUE(gradients_agree([&](const auto& x) { return nn::cross_entropy(x, labels, r); },
                                input({4, 3}, 1)));
    EXPECT_TRUE(gradients_agree([&](const auto& x) { return nn::cross_entropy(x, grid, r); },
                                input({2, 3, 3}, 1)));
    EXPECT_TRUE(gradients_agree(
        [&](const auto& x) { return nn::cross_entropy(x, Indices::scalar(1), r); }, input({3}, 1)));
  }
}

TEST(Losses, AreTheFormulas) {
  const Variable<double> x(Tensor<double>::from_values({0.25, 0.5, 0.875}), true);
  const auto y = Tensor<double>::from_values({0, 1, 0.5});
  EXPECT_EQ(nn::mse_loss(x, y, Reduction::none).value().values(), (List{0.0625, 0.25, 0.140625}));
  EXPECT_DOUBLE_EQ(nn::mse_loss(x, y).item(), (0.0625 + 0.25 + 0.140625) / 3);
  EXPECT_DOUBLE_EQ(nn::MSELoss{Reduction::sum}(x, y).item(), 0.0625 + 0.25 + 0.140625);
  const auto bce = nn::BCELoss{Reduction::none}(x, y).value();
  EXPECT_DOUBLE_EQ(bce.at({0}), -std::log(0.75));
  EXPECT_DOUBLE_EQ(bce.at({1}), -std::log(0.5));
  EXPECT_DOUBLE_EQ(bce.at({2}), -(0.5 * std::log(0.875) + 0.5 * std::log(0.125)));
  const auto logits = nn::BCEWithLogitsLoss{Reduction::none}(x, y).value();
  for (std::int64_t i = 0; i < 3; ++i) {
    const double p = 1 / (1 + std::exp(-x.value().at({i})));
    EXPECT_NEAR(logits.at({i}), -(y.at({i}) * std::log(p) + (1 - y.at({i})) * std::log(1 - p)),
                1e-15);
  }
  const Variable<double> scores(randn<double>({3, 4}, 1), true);
  const auto labels = Indices::from_values({3, 0, 2});
  const auto losses = nn::CrossEntropyLoss{Reduction::none}(scores, labels).value();
  double total = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    double powers = 0;
    for (std::int64_t c = 0; c < 4; ++c) powers += std::exp(scores.value().at({i, c}));
    const double expected = std::log(powers) - scores.value().at({i, labels.at({i})});
    EXPECT_NEAR(losses.at({i}), expected, 1e-15);
    total += expected;
  }
  EXPECT_NEAR(nn::cross_entropy(scores, labels).item(), total / 3, 1e-15);
  EXPECT_NEAR(nn::NLLLoss{}(log_softmax(scores, 1), labels).item(), total / 3, 1e-15);
}

TEST(Losses, IgnoredTargetsDoNotCount) {
  const Variable<double> scores(randn<double>({3, 4}, 1), true);
  const auto some = Indices::from_values({3, 7, 2});
  const auto kept = Indices::from_values({3, 2});
  const auto rows = Indices::from_values({0, 2});
  const nn::CrossEntropyLoss loss{Reduction::mean, 7};
  loss(scores, some).backward();
  const auto gradient = scores.grad().clone();
  scores.zero_grad();
  const auto expected = nn::cross_entropy(index_select(scores, 0, rows), kept);
  EXPECT_NEAR(loss(scores, some).item(), expected.item(), 1e-15);
  EXPECT_NEAR((nn::NLLLoss{Reduction::mean, 7}(log_softmax(scores, 1), some).item()),
              expected.item(), 1e-15);
  expected.backward();
  EXPECT_LT(max(abs(scores.grad() - gradient)).item(), 1e-15);
  EXPECT_EQ(max(abs(gradient.select(0, 1))).item(), 0);
  EXPECT_EQ((nn::CrossEntropyLoss{Reduction::none, 7}(scores, some).value().at({1})), 0);
  const auto all = Indices::from_values({7, 7, 7});
  EXPECT_TRUE(std::isnan(loss(scores, all).item())) << "the mean of nothing";
  EXPECT_EQ((nn::CrossEntropyLoss{Reduction::sum, 7}(scores, all).item()), 0);
}

// the fused loops against the composition in f64x2
TEST(Losses, FusedCrossEntropyAsInF64x2) {
  const auto check = []<class T>(T, double u) {
    const auto value = randn<T>({50, 37}, 1) * 4.0;
    auto labels = Indices::uninitialized({50});
    for (std::int64_t i = 0; i < 50; ++i) labels.data()[i] = i % 9 == 0 ? -100 : i * 7 % 37;
    const Variable<T> x(value, true);
    const V2 reference(convert<double, 2>(value), true);
    const auto y = nn::cross_entropy(x, labels);
    const auto expected = nn::cross_entropy(reference, labels);
    EXPECT_NEAR(double(y.item()), double(expected.item()), 8 * u * double(expected.item()));
    y.backward();
    expected.backward();
    EXPECT_LT(double(max(abs(convert<double, 2>(x.grad()) - reference.grad())).item()), u / 2);
  };
  check(double(), 0x1p-53);
  check(float(), 0x1p-24);
  check(half(), 0x1p-11);
  check(bfloat16(), 0x1p-8);
}

TEST(Losses, ExtremeInputsStayFinite) {
  const Variable<float> z(Tensor<float>::from_values({1000, -1000, 1000, -1000}), true);
  const auto y = Tensor<float>::from_values({1, 0, 0, 1});
  const auto losses = nn::binary_cross_entropy_with_logits(z, y, Reduction::none);
  EXPECT_EQ(losses.value().values(), (std::vector<float>{0, 0, 1000, 1000}));
  sum(losses).backward();
  EXPECT_EQ(z.grad().values(), (std::vector<float>{0, 0, 1, -1}));
  // logarithms end at -100, so that probabilities of 0 and 1 have finite losses
  const Variable<float> p(Tensor<float>::from_values({1, 0, 1, 0}), true);
  const auto clipped = nn::binary_cross_entropy(p, y, Reduction::none);
  EXPECT_EQ(clipped.value().values(), (std::vector<float>{0, 0, 100, 100}));
  sum(clipped).backward();
  EXPECT_EQ(p.grad().values(), (std::vector<float>{0, 0, 1e12F, -1e12F}));
}

TEST(Losses, Errors) {
  const Variable<double> x(zeros<double>({2, 3}), true);
  EXPECT_THROW(nn::mse_loss(x, zeros<double>({3})), ShapeError);
  EXPECT_THROW(nn::binary_cross_entropy(x, zeros<double>({2, 1})), ShapeError);
  EXPECT_THROW(nn::binary_cross_entropy(x - 1, zeros<double>({2, 3})), DomainError);
  EXPECT_THROW(nn::cross_entropy(x, Indices::from_values({0, 1, 2})), ShapeError);
  EXPECT_THROW(nn::nll_loss(x, Indices::from_values({0, 3})), ShapeError);
  const auto message = message_of<ShapeError>([&] {
    nn::cross_entropy(x, Indices::from_values({0, 3}));
  });
  EXPECT_NE(message.find("target 3"), std::string::npos) << message;
  EXPECT_THROW(nn::cross_entropy(x, Indices::from_values({-1, 0})), ShapeError);
  EXPECT_THROW(nn::cross_entropy(Variable<double>(zeros<double>({})), Indices::scalar(0)),
               ShapeError);
}

/// Without targets there are no losses, of whatever shape; targets without classes fit no scores.
template <class V>
void expect_losses_of_nothing() {
  for (const Shape& shape : {Shape{0, 3}, Shape{0, 0}, Shape{0, 0, 3}, Shape{2, 0, 0}}) {
    SCOPED_TRACE(to_string(shape));
    Shape labels = shape;
    labels.erase(labels.begin() + 1);
    const V x(typename V::Value(shape), true);
    const Indices target(labels);
    const auto losses = nn::cross_entropy(x, target, nn::Reduction::none);
    EXPECT_EQ(losses.shape(), labels);
    const auto total = nn::cross_entropy(x, target, nn::Reduction::sum);
    EXPECT_EQ(double(total.value().evaluate().item()), 0);
    total.backward();
    EXPECT_EQ(x.grad().shape(), shape);
    EXPECT_EQ(nn::nll_loss(x, target, nn::Reduction::none).shape(), labels);
  }
  const V no_classes(typename V::Value({2, 0}), true);
  for (const std::int64_t label : {std::int64_t(0), nn::default_ignore_index}) {
    const auto target = Indices::from_values({label, label});
    const auto message = message_of<ShapeError>([&] { nn::cross_entropy(no_classes, target); });
    EXPECT_NE(message.find("scores of shape (2, 0) have no classes"), std::string::npos) << message;
    EXPECT_THROW(nn::nll_loss(no_classes, target), ShapeError);
  }
}

TEST(Losses, OfNothing) {
  expect_losses_of_nothing<Variable<float>>();
  expect_losses_of_nothing<Variable<double, 2>>();
}

}  // namespace
}  // namespace mct::test
