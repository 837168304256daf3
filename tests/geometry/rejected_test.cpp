// What makes no sense is refused with the value's name: radii, weights, directions, options, rows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/geometry/all.hpp"
#include "mctensor/geometry/optim/all.hpp"

namespace mct::geometry_test::rejected_cases {
namespace {

using namespace mct::geometry;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// f throws DomainError, whose message has `part`.
template <class F>
void expect_refused(const std::string& part, const F& f) {
  try {
    f();
    ADD_FAILURE() << "not refused: " << part;
  } catch (const DomainError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

template <template <class> class M>
void expect_radii_refused() {
  for (const double k : {0.0, -1.0, inf, -inf, nan}) {
    expect_refused("radius", [&] { M<double>{k}; });
    expect_refused("radius", [&] { M<float>{float(k)}; });
    expect_refused("radius", [&] { M<f64x2>{f64x2(k)}; });
    expect_refused("radius", [&] { M<half>{half(k)}; });
  }
  expect_refused("radius -1", [] { M<double>{-1}; });
  EXPECT_NO_THROW(M<double>{1e-45});
  EXPECT_NO_THROW(M<double>{1e45});
}

TEST(Refused, Radii) {
  expect_radii_refused<PoincareBall>();
  expect_radii_refused<HalfSpace>();
  expect_radii_refused<Lorentz>();
  expect_radii_refused<Klein>();
  expect_radii_refused<Hemisphere>();
  expect_radii_refused<Sphere>();
  expect_radii_refused<Euclidean>();
}

TEST(Refused, WeightsOfMeans) {
  using P = Point<double, 2>;
  const PoincareBall<double> ball;
  const std::vector<P> points{P(0.1, 0.2), P(-0.3, 0.1)};
  const auto each = [&](const std::string& part, const std::vector<double>& weights) {
    expect_refused(part, [&] { frechet_mean(ball, points, weights); });
    expect_refused(part, [&] { weighted_midpoint(ball, points, weights); });
    expect_refused(part, [&] { weighted_midpoint(Klein<double>(), points, weights); });
    expect_refused(part, [&] {
      const Lorentz<double> lorentz;
      const auto x = lorentz.random_normal<3>(1), y = lorentz.random_normal<3>(2);
      weighted_midpoint(lorentz, std::vector{x, y}, weights);
    });
  };
  each("weight 1 is -0.5", {1, -0.5});
  each("weight 0 is inf", {inf, 1});
  each("all weights are 0", {0, 0});
  EXPECT_TRUE(std::isnan(weighted_midpoint(ball, points, {nan, 1.0})[0]));
  EXPECT_TRUE(weighted_midpoint(ball, points, {0.0, 1.0})[0] < 0);
}

TEST(Refused, DirectionsThatAreNoUnitVectors) {
  using P = Point<double, 2>;
  const PoincareBall<double> ball;
  const P x(0.1, 0.2);
  for (const P& omega : {P(1.0, 1.0), P(0.0, 0.0), P(1.0 + 1e-12, 0.0), P(0.6, 0.7)}) {
    expect_refused("direction", [&] { busemann(ball, x, omega); });
    expect_refused("direction", [&] { horosphere_projection(ball, x, omega); });
  }
  EXPECT_TRUE(std::isnan(busemann(ball, x, P(nan, 0.0))));
  EXPECT_FALSE(std::isnan(busemann(ball, x, P(0.6, 0.8))));
  const PoincareBall<float> single;
  EXPECT_NO_THROW(busemann(single, Point<float, 2>(0.1f, 0.2f), Point<float, 2>(0.6f, 0.8f)));
}

TEST(Refused, OptionsOfOptimizers) {
  using Ball = ManifoldRows<PoincareBall<double>>;
  const Tensor<double> points({1, 2});
  for (const double momentum : {2.0, 1.0, -0.1})
    expect_refused("momentum", [&] { Rsgd<Ball>(Ball(1), points, {.momentum = momentum}); });
}

/// A row that is no point is named before anything moves.
template <class Rows>
void expect_row_named(const Rows& space, const typename Rows::Points& points, int columns) {
  Tensor<typename Rows::Component> zero({3, columns});
  Rsgd<Rows> descent(space, points, {.lr = 0});
  expect_refused("row 1", [&] { descent.step(zero); });
  expect_refused("row 1", [&] { descent.set_radius(2, Rescaling::keep_distances); });
  Radam<Rows> adam(space, points, {});
  expect_refused("row 1", [&] { adam.step(zero); });
  EXPECT_EQ(adam.steps(), 0);
}

TEST(Refused, RowsThatAreNoPoints) {
  const auto rows = [](std::vector<double> bad) {
    bad.insert(bad.begin(), {0.1, 0.2});
    bad.insert(bad.end(), {0.3, 0.4});
    return Tensor<double>::from_values(bad, {3, 2});
  };
  for (const std::vector<double>& bad : {std::vector<double>{1.1, 0}, {nan, 0}, {0, inf}}) {
    expect_row_named(ManifoldRows<PoincareBall<double>>(1), rows(bad), 2);
    expect_row_named(ManifoldRows<Klein<double>>(1), rows(bad), 2);
  }
  for (const std::vector<double>& bad : {std::vector<double>{1, -0.5}, {1, 0}, {nan, 1}}) {
    expect_row_named(ManifoldRows<HalfSpace<double>>(1), rows(bad), 2);
    using Xmc = HalfSpaceRows<XmcHalfSpace<double, 1>, double, 1, 2>;
    expect_row_named(Xmc(1), rows(bad), 2);
  }
  // one that is written later stays where it is
  using Ball = ManifoldRows<PoincareBall<double>>;
  const auto points = rows({0.5, 0});
  Rsgd<Ball> descent(Ball(1), points, {.lr = 0.1});
  const auto gradient = Tensor<double>::from_values({1, 1, 1, 1, 1, 1}, {3, 2});
  EXPECT_EQ(descent.step(gradient).updated, 3);
  points.data()[2] = 1.1;
  EXPECT_EQ(descent.step(gradient).nonfinite, 1);
  EXPECT_EQ(points.data()[2], 1.1);
}

/// Points that coordinates of the new radius cannot tell from the boundary.
TEST(Refused, DistancesThatCannotBeKept) {
  using Rows = ManifoldRows<PoincareBall<Expansion<double, 2>>>;
  const PoincareBall<f64x2> ball(f64x2(1.3));
  for (const double radii : {60.0, 70.0, 78.0, 100.0}) {
    const auto z = ball.expmap0(Point<f64x2, 2>(f64x2(0.05 * radii), f64x2(0)));
    Tensor<double, 2> points({1, 2});
    const Rows space(1.3);
    space.store(points, 0, Point<f64x2>(z));
    const double before = double(ball.dist0(z));
    Rsgd<Rows> descent(space, points, {});
    try {
      descent.set_radius(0.1, Rescaling::keep_distances);
      EXPECT_LT(before / 0.1, 72);
      EXPECT_NEAR(double(descent.space().manifold().dist0(space.load(points, 0))), before,
                  1e-3 * before);
    } catch (const DomainError&) {
      EXPECT_GT(before / 0.1, 68);
    }
  }
}

}  // namespace
}  // namespace mct::geometry_test::rejected_cases
