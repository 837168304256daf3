// Tensor forms of one point alone, a tensor without leading dimensions: the bits of the single
// call. And the arithmetic of points itself.
#include <gtest/gtest.h>

#include <vector>

#include "mctensor/geometry/means/tensor_means.hpp"
#include "mctensor/geometry/tensors/maps.hpp"
#include "mctensor/geometry/tensors/methods.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

using P = Point<double>;

Tensor<double> tensor_of_one(const P& p) {
  std::vector<double> coordinates;
  for (int i = 0; i < p.size(); ++i) coordinates.push_back(p[i]);
  return Tensor<double>::from_values(coordinates, {p.size()});
}

void expect_point(const Tensor<double>& x, const P& p) {
  ASSERT_EQ(x.shape(), (Shape{p.size()}));
  for (int i = 0; i < p.size(); ++i) EXPECT_EQ(x.at({i}), p[i]) << i;
}

TEST(OnePointTensors, OfTheBall) {
  const PoincareBall<double> ball(1.25);
  const P x{0.25, -0.5, 0.125};
  const P y{-0.375, 0.0, 0.75};
  const auto tx = tensor_of_one(x);
  const auto ty = tensor_of_one(y);
  expect_point(geodesic(ball, 0.375, tx, ty), ball.geodesic(0.375, x, y));
  expect_point(mobius_scalar_mul(ball, -1.5, tx), mobius_scalar_mul(ball, -1.5, x));
  expect_point(mobius_sub(ball, tx, ty), mobius_sub(ball, x, y));
  expect_point(gyration(ball, tx, ty, ty), gyration(ball, x, y, y));
  const std::vector<P> rows{{0.5, -1.0, 0.25}, {1.5, 0.0, -2.0}};
  const auto matrix =
      Tensor<double>::from_values(std::vector<double>{0.5, -1.0, 0.25, 1.5, 0.0, -2.0}, {2, 3});
  expect_point(mobius_matvec(ball, matrix, tx), mobius_matvec(ball, rows, x));
}

TEST(OnePointTensors, OfTheHyperboloid) {
  const Lorentz<double> model(0.75);
  const P x = model.projx(P{0.0, 0.5, -1.5, 0.25});
  const P e{0.6, 0.0, 0.8};
  const P f{0.8, 0.0, -0.6};
  const auto tx = tensor_of_one(x);
  expect_point(lorentz_boost(model, tx, tensor_of_one(e), 0.5), lorentz_boost(model, x, e, 0.5));
  expect_point(lorentz_rotation(model, tx, tensor_of_one(e), tensor_of_one(f), 0.5),
               lorentz_rotation(model, x, e, f, 0.5));
}

TEST(PointArithmetic, AddsAndTakesAway) {
  const P x{1.0, -2.0, 8.0};
  const P y{0.5, 4.0, -1.0};
  P z = x;
  EXPECT_TRUE((z += y) == (P{1.5, 2.0, 7.0}));
  EXPECT_TRUE(z == (P{1.5, 2.0, 7.0}));
  z = x;
  EXPECT_TRUE((z -= y) == (P{0.5, -6.0, 9.0}));
  EXPECT_TRUE(z == (P{0.5, -6.0, 9.0}));
  EXPECT_FALSE(x == (P{1.0, -2.0}));
  EXPECT_FALSE(x == (P{1.0, -2.0, 7.0}));
}

}  // namespace
}  // namespace mct::geometry_test
