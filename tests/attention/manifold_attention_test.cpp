// Attention between points: the same in the ball and the Lorentz model, and against explicit sums.
#include "mctensor/attention/layers/manifold_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/geometry/models.hpp"
#include "tests/message_of.hpp"

namespace mct::attention {
namespace {

using geometry::Lorentz;
using geometry::PoincareBall;
using Var = Variable<double>;

const PoincareBall<double> ball(1.5);
const Lorentz<double> lorentz(1.5);

template <class M>
Var points(const M& manifold, const Tensor<double>& tangent) {
  return Var(nn::from_tangent0(manifold, Var(tangent)).value());
}

TEST(ManifoldAttention, IsOneInBothModels) {
  // vectors of the ball at the origin are half as long in coordinates
  const auto v = randn<double>({2, 5, 4}, 1) * 0.7;
  ManifoldAttention<PoincareBall<double>> here(ball, 4, 2, 3);
  ManifoldAttention<Lorentz<double>> there(lorentz, 4, 2, 3);
  nn::AttentionMask causal;
  causal.causal = true;
  const auto x = points(ball, v * 0.5), y = points(lorentz, v);
  const auto a = here.forward(x, x, x, causal).value();
  const auto b = there.forward(y, y, y, causal).value();
  EXPECT_LE(max(abs(geometry::convert<Lorentz>(ball, a) - b)).item(), 1e-12);
}

TEST(ManifoldAttention, IsAMeanOfValues) {
  ManifoldAttention<PoincareBall<double>> layer(ball, 4, 2, 3);
  // one key: whatever the query, the value through both layers
  const auto x = points(ball, randn<double>({5, 4}, 1)), k = points(ball, randn<double>({1, 4}, 2));
  const auto out = layer.forward(x, k, k).value();
  for (std::int64_t i = 1; i < 5; ++i)
    EXPECT_LE(max(abs(out.select(0, i) - out.select(0, 0))).item(), 1e-14);
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              layer(points(ball, Tensor<double>({5, 3})));
            }).find("expected 4 coordinates"),
            std::string::npos);
  EXPECT_THROW(ManifoldAttention<PoincareBall<double>>(ball, 4, 3, 1), DomainError);
}

TEST(ManifoldAttention, HasGradients) {
  ManifoldAttention<PoincareBall<double>> layer(ball, 4, 2, 3);
  std::vector<Var> inputs = {Var(randn<double>({3, 4}, 5) * 0.5, true)};
  for (const auto& parameter : layer.parameters()) inputs.push_back(parameter);
  GradcheckOptions options;
  options.step = 0x1p-9;
  options.tolerance = 1e-7;
  options.floor = 1e-2;
  const auto report =
      gradcheck([&](const std::vector<Var>& x) { return layer(nn::from_tangent0(ball, x[0])); },
                inputs, options);
  EXPECT_TRUE(report) << report.message();
}

TEST(MobiusWeightedSum, DependsOnTheOrder) {
  const auto v = points(ball, randn<double>({3, 2}, 1));
  const Var w(Tensor<double>::from_values({0.5, 0.3, 0.2, 0.0, 1.0, 0.0}, {2, 3}));
  const auto sums = mobius_weighted_sum(ball, v, w).value();
  EXPECT_EQ(sums.shape(), (Shape{2, 2}));
  // one weight: that point
  EXPECT_LE(max(abs(sums.select(0, 1) - v.value().select(0, 1))).item(), 1e-15);
  const auto first = ball.mobius_scalar_mul(Tensor<double>::scalar(0.5), v.value().select(0, 0));
  const auto second = ball.mobius_scalar_mul(Tensor<double>::scalar(0.3), v.value().select(0, 1));
  const auto third = ball.mobius_scalar_mul(Tensor<double>::scalar(0.2), v.value().select(0, 2));
  const auto expected = ball.mobius_add(ball.mobius_add(first, second), third);
  const auto turned = ball.mobius_add(ball.mobius_add(third, second), first);
  EXPECT_LE(max(abs(sums.select(0, 0) - expected)).item(), 1e-15);
  EXPECT_GE(max(abs(sums.select(0, 0) - turned)).item(), 1e-3);
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              mobius_weighted_sum(ball, v, Var(Tensor<double>({2, 2})));
            }).find("points of shape (3, 2) and weights of shape (2, 2)"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::attention
