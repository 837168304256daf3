// Riemannian optimizers: options, AMSGrad, far points.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_spaces.hpp"
#include "validation/core/big.hpp"

namespace mct::geometry_test {
namespace {

TEST(Riemannian, BadOptionsAreRejected) {
  const ManifoldRows<PoincareBall<double>> space(1);
  const Tensor<double> points({2, 3});
  using Sgd = Rsgd<ManifoldRows<PoincareBall<double>>>;
  using Adam = Radam<ManifoldRows<PoincareBall<double>>>;
  EXPECT_THROW(Sgd(space, points, {.lr = -1}), DomainError);
  EXPECT_THROW(Sgd(space, points, {.momentum = -1}), DomainError);
  EXPECT_THROW(Sgd(space, points, {.nesterov = true}), DomainError);
  EXPECT_THROW(Sgd(space, points, {.burn_in = {-1, 1}}), DomainError);
  EXPECT_THROW(Sgd(space, Tensor<double>({3}), {}), ShapeError);
  EXPECT_THROW(Adam(space, points, {.beta1 = 1}), DomainError);
  EXPECT_THROW(Adam(space, points, {.eps = -1}), DomainError);
}

/// The errata's K2 tanh((K1 / K2) artanh(|x| / K1)) x / |x|, and scaling by K2 / K1.
TEST(Riemannian, RescalingsOfTheBallAgreeWithMpfr) {
  using validation::Big;
  using Rows = ManifoldRows<PoincareBall<Expansion<double, 2>>>;
  const Rows from(1.25);
  const Rows to(3.5);
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto x = Space<Rows>::random(from, i);
    Big square;
    for (int c = 0; c < 3; ++c) square = square + Big(x[c]) * Big(x[c]);
    const Big length = sqrt(square);
    const Big k1(from.radius());
    const Big k2(to.radius());
    const Big kept = k2 * tanh(k1 / k2 * atanh(length / k1)) / length;
    const auto keep = from.rescaled(to, Rescaling::keep_distances, x);
    const auto scale = from.rescaled(to, Rescaling::rescale_distances, x);
    for (int c = 0; c < 3; ++c) {
      const Big exact(x[c]);
      EXPECT_LE(std::fabs(double((Big(keep[c]) - exact * kept) / length)), 0x1p-98);
      EXPECT_LE(std::fabs(double((Big(scale[c]) - exact * k2 / k1) / length)), 0x1p-98);
    }
  }
}

TEST(Riemannian, AmsgradNeverForgetsALargeGradient) {
  const auto last_step = [](bool amsgrad) {
    Tensor<double> points({1, 2});
    Radam<ManifoldRows<Euclidean<double>>> optimizer(
        ManifoldRows<Euclidean<double>>(1), points,
        {.lr = 0.1, .beta1 = 0, .beta2 = 0.5, .amsgrad = amsgrad});
    double before = 0;
    for (int i = 0; i < 20; ++i) {
      before = points.at({0, 0});
      optimizer.step(Tensor<double>::from_values({i == 0 ? 100.0 : 1.0, 0.0}, {1, 2}));
    }
    return before - points.at({0, 0});
  };
  EXPECT_NEAR(last_step(false), 0.1, 1e-2);
  EXPECT_LT(last_step(true), 0.01);
}

TEST(Riemannian, FarHalfSpacePointsAreTrained) {
  // a row 100 from the origin goes to its target: in double it could not move at all
  using Rows = HalfSpaceRows<XmcHalfSpace<double, 4>, double, 4, 2>;
  const Rows space(1);
  const Tensor<double, 4> points({1, 2});
  auto goal = XmcHalfSpace<double, 4>::origin<2>();
  for (int i = 0; i < 10; ++i) goal = space.expmap(goal, {6, i == 0 ? -8.0 : -7.9});
  auto start = space.expmap(goal, {0.7, 0.4});
  space.store(points, 0, start);
  EXPECT_GT(space.space().dist<2>(goal, XmcHalfSpace<double, 4>::origin<2>()), 80);
  Radam<Rows> optimizer(space, points, {.lr = 0.1, .beta2 = 0.9});
  for (int i = 0; i < 300; ++i) {
    optimizer.set_lr(0.1 * std::pow(0.95, i));
    const auto g = Space<Rows>::gradient(space, space.load(points, 0), goal);
    optimizer.step(Tensor<double>::from_values(g, {1, 2}));
  }
  EXPECT_LT(space.space().dist<2>(space.load(points, 0), goal), 1e-3);
}

}  // namespace
}  // namespace mct::geometry_test
