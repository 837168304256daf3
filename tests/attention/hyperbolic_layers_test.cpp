// Layers of points: against the operations that they are made of, by differences, far out.
#include "mctensor/attention/layers/all.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/geometry/gyro/mobius.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/nn/losses.hpp"
#include "tests/attention/fine_layers.hpp"
#include "tests/message_of.hpp"

namespace mct::nn {
namespace {

using geometry::Lorentz;
using geometry::PoincareBall;

/// Of 3 dimensions; the last is the origin.
template <class M>
Fine points(const M& manifold, std::uint64_t seed) {
  auto v = randn<double, 2>({4, 3}, seed);
  init::constant_(v.select(0, 3), 0);
  return Fine(from_tangent0(manifold, Fine(v)).value().clone(), true);
}

template <class M, class Layer>
void check_gradients(const M& manifold, Layer& layer) {
  std::vector<Fine> inputs = {Fine(randn<double, 2>({3, 3}, 5), true)};
  for (const auto& parameter : layer.parameters()) inputs.push_back(parameter);
  // parameters share memory with those in the layer
  const auto report = gradcheck(
      [&](const std::vector<Fine>& x) { return layer(from_tangent0(manifold, x[0])); }, inputs);
  EXPECT_TRUE(report) << report.message();
}

template <class M>
void check_all_gradients(const M& manifold) {
  HyperbolicLinear<M, 2> linear(manifold, 3, 2, 1);
  scatter(linear.bias(), 2);
  check_gradients(manifold, linear);
  HyperbolicMLR<M, 2> mlr(manifold, 3, 4, 1);
  scatter(mlr.bias(), 3);
  check_gradients(manifold, mlr);
  HyperbolicFullyConnected<M, 2> connected(manifold, 3, 2, 1);
  scatter(connected.bias(), 4);
  check_gradients(manifold, connected);
  HyperbolicBatchNorm<M, 2> norm(manifold, 3);
  check_gradients(manifold, norm);
}

TEST(HyperbolicLayers, GradientsInTheBall) { check_all_gradients(PoincareBall<f64x2>(f64x2(1.3))); }
TEST(HyperbolicLayers, GradientsInTheLorentzModel) {
  check_all_gradients(Lorentz<f64x2>(f64x2(1.3)));
}

template <class M>
void check_learned_radius() {
  using L = geometry::Learnable<M, 2>;
  const Fine radius(FineTensor::scalar(f64x2(1.3)), true);
  const L manifold(radius);
  HyperbolicLinear<L, 2> linear(manifold, 3, 2, 1);
  HyperbolicFullyConnected<L, 2> connected(manifold, 2, 2, 2);
  HyperbolicBatchNorm<L, 2> norm(manifold, 2);
  HyperbolicMLR<L, 2> mlr(manifold, 2, 4, 3);
  for (const auto& bias : {linear.bias(), connected.bias(), mlr.bias()}) scatter(bias, 4);
  const Fine v(randn<double, 2>({3, 3}, 5));
  const auto report = gradcheck(
      [&](const std::vector<Fine>&) {
        return mlr(norm(connected(linear(from_tangent0(manifold, v)))));
      },
      std::vector<Fine>{radius});
  EXPECT_TRUE(report) << report.message();
}
TEST(HyperbolicLayers, LearnTheRadius) {
  check_learned_radius<PoincareBall<f64x2>>();
  check_learned_radius<Lorentz<f64x2>>();
}

TEST(HyperbolicLayers, LinearIsMobiusProductAndSum) {
  const PoincareBall<f64x2> ball(f64x2(1.3));
  HyperbolicLinear<PoincareBall<f64x2>, 2> layer(ball, 3, 2, 1);
  scatter(layer.bias(), 2);
  const auto x = points(ball, 3);
  const auto image = geometry::mobius_matvec(ball, layer.weight().value(), x.value());
  const auto expected = mobius_add(ball, image, expmap0(ball, layer.bias().value()));
  EXPECT_LE(max(abs(layer(x).value() - expected)).item(), f64x2(1e-29));
}

template <class M>
void expect_distances_from_planes(const M& manifold) {
  HyperbolicMLR<M, 2> mlr(manifold, 3, 4, 1);
  scatter(mlr.bias(), 3);
  const auto x = points(manifold, 3);
  const auto logits = mlr(x).value();
  const auto lengths = sqrt(sum(square(mlr.weight().value()), {-1}));
  for (std::int64_t c = 0; c < 4; ++c) {
    // through the point at distance r K along z, across it
    const FineTensor unit = mlr.weight().value().select(0, c) / lengths.select(0, c);
    const FineTensor r = mlr.bias().value().select(0, c) * FineTensor::scalar(manifold.radius());
    const auto vector = [&](const FineTensor& v) {
      return padded_tangent0(manifold, Fine(v)).value();
    };
    // unit length in the metric at the origin, which for the ball is twice the coordinates'
    const FineTensor origin = manifold.expmap0(vector(unit * f64x2(0)));
    const FineTensor e = vector(unit) / manifold.norm(origin, vector(unit)).unsqueeze(-1);
    const FineTensor p = manifold.expmap0(e * r);
    const auto distance = manifold.dist2plane(x.value(), p, manifold.ptransp0(p, e));
    EXPECT_LE(max(abs(logits.select(1, c) - distance * lengths.select(0, c))).item(), f64x2(1e-27))
        << c;
  }
}
TEST(HyperbolicLayers, LogitsAreDistancesFromPlanes) {
  expect_distances_from_planes(PoincareBall<f64x2>(f64x2(1.3)));
  expect_distances_from_planes(Lorentz<f64x2>(f64x2(1.3)));
}

TEST(HyperbolicLayers, FullyConnectedHasTheScoresAsDistances) {
  const PoincareBall<f64x2> ball(f64x2(1.3));
  const Lorentz<f64x2> lorentz(f64x2(1.3));
  HyperbolicFullyConnected<PoincareBall<f64x2>, 2> layer(ball, 3, 2, 1);
  HyperbolicMLR<PoincareBall<f64x2>, 2> scores(ball, 3, 2, 1);
  HyperbolicFullyConnected<Lorentz<f64x2>, 2> same(lorentz, 3, 2, 1);
  for (const auto& bias : {layer.bias(), scores.bias(), same.bias()}) scatter(bias, 4);
  const auto x = points(ball, 3);
  const auto y = layer(x).value();
  for (int axis = 0; axis < 2; ++axis) {
    auto normal = FineTensor(Shape{2});
    normal.set({axis}, f64x2(1));
    const auto distance = ball.dist2plane(y, FineTensor(Shape{2}), normal);
    EXPECT_LE(max(abs(distance - scores(x).value().select(1, axis))).item(), f64x2(1e-28));
  }
  const auto there = same(Fine(geometry::convert<Lorentz>(ball, x.value()))).value();
  EXPECT_LE(max(abs(geometry::convert<PoincareBall>(lorentz, there) - y)).item(), f64x2(1e-28));
}

TEST(HyperbolicLayers, ConcatenationAndActivation) {
  const PoincareBall<f64x2> ball(f64x2(1));
  const auto x = points(ball, 3), y = points(ball, 4);
  const auto both = hyperbolic_cat(ball, std::vector<Fine>{x, y});
  EXPECT_EQ(both.shape(), (Shape{4, 6}));
  // beta(6) / beta(3) = B(3, 1/2) / B(3/2, 1/2) = (16/15) / (pi/2)
  const auto part = ball.logmap0(both.value()).narrow(1, 3, 3);
  EXPECT_LE(max(abs(part - ball.logmap0(y.value()) * (32 / (15 * M_PI)))).item(), f64x2(1e-15));
  const auto positive = hyperbolic_activation(
      ball, [](const auto& v) { return relu(v); }, x);
  EXPECT_GE(min(positive.value()).item(), f64x2(0));
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              hyperbolic_cat(ball, std::vector<Fine>{});
            }).find("the list of points is empty"),
            std::string::npos);
}

template <class M>
void expect_normalized(const M& manifold, bool midpoint) {
  HyperbolicBatchNormOptions options;
  options.midpoint = midpoint;
  options.eps = 0;
  options.momentum = 0.5;
  HyperbolicBatchNorm<M> norm(manifold, 2, options);
  init::constant_(norm.parameters()[0].value(), 0.5);  // the deviation
  norm.parameters()[1].value().set({0}, 0.4);          // the mean
  using V = Variable<double>;
  const V beta(from_tangent0(manifold, V(norm.parameters()[1].value())).value());
  const auto tangent = randn<double>({50, 2}, 3) * 0.3 + 2.0;
  const V x(from_tangent0(manifold, V(tangent)).value());
  const auto y = norm(x).value();
  const double variance = mean(square(manifold.dist(y, beta.value()))).item();
  EXPECT_NEAR(variance, 0.25, 1e-12);
  const double off = dist(manifold, frechet_mean(manifold, y), beta.value()).item();
  if (midpoint) {
    EXPECT_LE(off, 0.05);  // the midpoint is another mean
    EXPECT_GE(off, 1e-6);
  } else {
    EXPECT_LE(off, 1e-7);
  }
  // after many batches the running state is that of the batch, and evaluation does the same
  for (int i = 0; i < 60; ++i) norm(x);
  norm.eval();
  EXPECT_LE(max(abs(norm(x).value() - y)).item(), 1e-6);
}
TEST(HyperbolicLayers, BatchNorm) {
  for (const bool midpoint : {false, true}) {
    expect_normalized(PoincareBall<double>(1.5), midpoint);
    expect_normalized(Lorentz<double>(1.5), midpoint);
  }
  // one point, or equal ones, go to the mean
  const PoincareBall<double> ball(1);
  HyperbolicBatchNorm<PoincareBall<double>> norm(ball, 2);
  using V = Variable<double>;
  const auto one = V(Tensor<double>::from_values({0.3, 0.4, 0.3, 0.4}, {2, 2}), true);
  const auto y = norm(one);
  EXPECT_LE(max(abs(y.value())).item(), 1e-12);
  sum(y).backward();
  EXPECT_TRUE(std::isfinite(sum(one.grad()).item()));
}

TEST(HyperbolicLayers, FarOutDigitsAreKept) {
  // beside a plane, 20 radii out: logits in double and in two components
  const PoincareBall<double> ball(1);
  const PoincareBall<f64x2> fine(f64x2(1));
  HyperbolicMLR<PoincareBall<double>> mlr(ball, 2, 3, 1);
  HyperbolicMLR<PoincareBall<f64x2>> exact(fine, 2, 3, 1);
  exact.load_state_dict(mlr.state_dict());
  Tensor<double> x({8, 2});
  for (std::int64_t i = 0; i < 8; ++i) {
    const auto p = ball.expmap0(
        geometry::Point<double, 2>(10 * std::cos(0.8 * double(i)), 10 * std::sin(0.8 * double(i))));
    for (int c = 0; c < 2; ++c) x.set({i, c}, p[c]);
  }
  const auto a = mlr(Variable<double>(x)).value();
  const auto b = exact(Variable<double, 2>(convert<double, 2>(x))).value();
  EXPECT_GE(max(abs(a)).item(), 5);
  EXPECT_LE(max(abs(a - convert<double, 1>(b))).item(), 1e-7);
}

/// The layer whose matrix is the identity, of a point on the first axis.
template <class M>
Tensor<typename M::Value> through_identity(const M& manifold, double first, std::int64_t extra) {
  using V = typename M::Value;
  HyperbolicFullyConnected<M> layer(manifold, 2, 2, 1);
  Tensor<V> one({2, 2});
  for (std::int64_t i = 0; i < 2; ++i) one.set({i, i}, V(1));
  layer.weight().value().copy_(one);
  Tensor<V> x({1, 2 + extra});
  x.set({0, extra}, V(float(first)));
  if (extra > 0) x.set({0, 0}, V(float(std::hypot(1.0, first))));
  return layer(Variable<V>(x)).value();
}
TEST(HyperbolicLayers, OfHalvesWhoseSquaresAreNoNumbers) {
  const auto inside = through_identity(PoincareBall<half>(half(1)), 0.998, 0);
  EXPECT_NEAR(double(inside.at({0, 0})), 0.998, 2e-3);
  EXPECT_EQ(double(inside.at({0, 1})), 0);
  const auto far = through_identity(Lorentz<half>(half(1)), 400, 1);
  EXPECT_NEAR(double(far.at({0, 0})) / 400, 1, 0.02);
  EXPECT_NEAR(double(far.at({0, 1})) / 400, 1, 0.02);
  HyperbolicFullyConnected<PoincareBall<half>> steep(PoincareBall<half>(half(1)), 2, 2, 1);
  init::constant_(steep.weight().value(), 9);
  Tensor<half> x({1, 2});
  x.set({0, 0}, half(0.99f));
  EXPECT_NEAR(double(steep(Variable<half>(x)).value().at({0, 0})), std::sqrt(0.5), 5e-3);
}

TEST(HyperbolicLayers, Refuses) {
  const PoincareBall<double> ball(1);
  using B = PoincareBall<double>;
  EXPECT_THROW(HyperbolicLinear<B>(ball, 0, 2, 1), DomainError);
  EXPECT_THROW(HyperbolicMLR<B>(ball, 2, 0, 1), DomainError);
  HyperbolicLinear<B> linear(ball, 3, 2, 1);
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              linear(Variable<double>(Tensor<double>({4, 2})));
            }).find("points of shape (4, 2), expected 3 coordinates"),
            std::string::npos);
  HyperbolicBatchNorm<B> norm(ball, 3);
  EXPECT_THROW(norm(Variable<double>(Tensor<double>({0, 3}))), ShapeError);
  const Variable<double> outside(Tensor<double>::from_values({2.0, 0.0, 0.0}, {1, 3}));
  EXPECT_TRUE(std::isnan(linear(outside).value().at({0, 0})));
}

}  // namespace
}  // namespace mct::nn
