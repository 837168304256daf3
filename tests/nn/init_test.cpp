// Initial values: bounds, moments, all components random, seeds.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

using namespace nn::init;

double deviation(const Tensor<double>& x) { return std::sqrt(mean(square(x - mean(x))).item()); }

/// Uniform in +- bound: within, near both ends, and with the deviation of such numbers.
void expect_uniform(const Tensor<double>& x, double bound) {
  EXPECT_LE(max(abs(x)).item(), bound);
  EXPECT_GT(max(x).item(), 0.99 * bound);
  EXPECT_LT(min(x).item(), -0.99 * bound);
  EXPECT_NEAR(deviation(x), bound / std::sqrt(3.0), 0.02 * bound);
}

TEST(Init, FormulasOfPyTorch) {
  const Tensor<double> x({80, 120});
  expect_uniform(xavier_uniform_(x, 1), std::sqrt(6.0 / 200));
  expect_uniform(xavier_uniform_(x, 1, 2), 2 * std::sqrt(6.0 / 200));
  EXPECT_NEAR(deviation(xavier_normal_(x, 1)), std::sqrt(2.0 / 200), 0.002);
  expect_uniform(kaiming_uniform_(x, 1), std::sqrt(2.0) * std::sqrt(3.0 / 120));
  expect_uniform(kaiming_uniform_(x, 1, std::sqrt(5.0)), 1 / std::sqrt(120.0));
  EXPECT_NEAR(deviation(kaiming_normal_(x, 1, 0, Nonlinearity::relu)), std::sqrt(2.0 / 120), 0.004);
  EXPECT_EQ(gain(Nonlinearity::tanh), 5.0 / 3);
  EXPECT_EQ(gain(Nonlinearity::sigmoid), 1);
  EXPECT_DOUBLE_EQ(gain(Nonlinearity::leaky_relu, 3), std::sqrt(0.2));
  const Fans convolution = fans({4, 3, 5, 7});
  EXPECT_EQ(convolution.in, 3 * 35);
  EXPECT_EQ(convolution.out, 4 * 35);
  EXPECT_THROW(fans({4}), ShapeError);
  EXPECT_THROW(uniform_(x, 1, 0, 1), DomainError);
  EXPECT_THROW(normal_(x, 0, -1, 1), DomainError);
}

TEST(Init, BoundsMustBeFinite) {
  const Tensor<float> x({3});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto expect_named = [](const std::string& message, const char* text) {
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  expect_named(message_of<DomainError>([&] { normal_(x, std::nan(""), 1, 7); }), "mean nan");
  expect_named(message_of<DomainError>([&] { normal_(x, -infinity, 1, 7); }), "mean -inf");
  expect_named(message_of<DomainError>([&] { normal_(x, 0, infinity, 7); }), "deviation inf");
  expect_named(message_of<DomainError>([&] { normal_(x, 0, -1, 7); }), "deviation -1");
  expect_named(message_of<DomainError>([&] { normal_(x, 0, std::nan(""), 7); }), "deviation nan");
  expect_named(message_of<DomainError>([&] { uniform_(x, 0, infinity, 7); }), "high inf");
  expect_named(message_of<DomainError>([&] { uniform_(x, 2, 1, 7); }), "low 2");
  EXPECT_EQ(max(abs(x)).item(), 0);
  // low + (high - low) r is rounded to the type
  const Tensor<bfloat16> narrow({10000});
  EXPECT_EQ(max(uniform_(narrow, 1, 2, 7)).item(), bfloat16(2));
  EXPECT_EQ(min(narrow).item(), bfloat16(1));
}

/// Deviations of weights without inputs are infinite, which no number sees.
TEST(Init, WeightsWithoutElementsStay) {
  for (const Shape& shape : {Shape{0, 0}, Shape{3, 0}, Shape{0, 3}, Shape{2, 3, 0}}) {
    const Tensor<float> x(shape);
    EXPECT_EQ(xavier_uniform_(x, 1).shape(), shape);
    EXPECT_EQ(xavier_normal_(x, 1).shape(), shape);
    EXPECT_EQ(kaiming_uniform_(x, 1).shape(), shape);
    EXPECT_EQ(kaiming_normal_(x, 1).shape(), shape);
  }
  EXPECT_THROW(xavier_uniform_(Tensor<float>({0}), 1), ShapeError);
  EXPECT_THROW(kaiming_normal_(Tensor<float>({0}), 1), ShapeError);
}

TEST(Init, DefaultsOfLayers) {
  nn::Linear<double> linear(64, 300, 1);
  expect_uniform(linear.weight().value(), 1.0 / 8);
  EXPECT_LE(max(abs(linear.bias().value())).item(), 1.0 / 8);
  nn::Embedding<double> table(200, 50, 1);
  EXPECT_NEAR(mean(table.weight().value()).item(), 0, 0.05);
  EXPECT_NEAR(deviation(table.weight().value()), 1, 0.03);
}

TEST(Init, SeedsAndStreams) {
  nn::Linear<double> one(9, 9, 1);
  nn::Linear<double> again(9, 9, 1);
  nn::Linear<double> other(9, 9, 2);
  EXPECT_TRUE(same(one.weight().value(), again.weight().value()));
  EXPECT_FALSE(same(one.weight().value(), other.weight().value()));
  // neighbouring seeds and parts of one layer have nothing in common
  EXPECT_NE(one.bias().value().at({0}), one.weight().value().at({0, 0}));
  EXPECT_NE(one.bias().value().at({0}), other.weight().value().at({0, 0}));
  EXPECT_NE(nn::derive_seed(1, 2), nn::derive_seed(2, 1));
}

TEST(Init, AllComponentsAreRandom) {
  nn::Linear<float, 2> linear(16, 16, 1);
  EXPECT_GT(max(abs(linear.weight().value().plane(1))).item(), 0.0F);
  const Tensor<float, 3> x({100});
  constant_(x, 0.1);
  EXPECT_EQ(x.at({5}), f32x3(0.1));
  EXPECT_GT(max(abs(normal_(x, 0, 1, 1).plane(2))).item(), 0.0F);
}

}  // namespace
}  // namespace mct::test
