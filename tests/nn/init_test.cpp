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
