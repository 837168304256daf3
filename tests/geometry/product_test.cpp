// Products: points are the coordinates of the parts side by side, operations those of the parts.
#include "mctensor/geometry/models/product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/geometry/means/frechet_mean.hpp"
#include "mctensor/geometry/models/hemisphere.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test::product_cases {
namespace {

using namespace mct::geometry;

using P = Point<double>;

const Product space(ProductPart{PoincareBall<double>(1.5), 2, 0.5},
                    ProductPart{Sphere<double>(2), 4}, ProductPart{Hemisphere<double>(1), 3, 3});

P point(int i) { return space.random_normal(9, 1, std::uint64_t(i), 0.5); }

/// f of the parts' manifolds and coordinates, side by side.
template <class F, class... X>
P side_by_side(const F& f, const X&... x) {
  return space.join({f(space.part<0>(), space.split(x)[0]...),
                     f(space.part<1>(), space.split(x)[1]...),
                     f(space.part<2>(), space.split(x)[2]...)});
}
template <class F, class... X>
double length(const F& f, const X&... x) {
  const double a = 0.5 * f(space.part<0>(), space.split(x)[0]...);
  const double b = f(space.part<1>(), space.split(x)[1]...);
  const double c = 3 * f(space.part<2>(), space.split(x)[2]...);
  return std::sqrt(a * a + b * b + c * c);
}

TEST(Product, SplitsAndJoins) {
  EXPECT_EQ(space.coordinates(), 9);
  P x(9);
  for (int i = 0; i < 9; ++i) x[i] = i + 1;
  const auto parts = space.split(x);
  EXPECT_TRUE(parts[0] == (P{1, 2}));
  EXPECT_TRUE(parts[1] == (P{3, 4, 5, 6}));
  EXPECT_TRUE(parts[2] == (P{7, 8, 9}));
  EXPECT_TRUE(space.join(parts) == x);
  EXPECT_THROW(space.join({parts[0], parts[2], parts[1]}), ShapeError);
}

TEST(Product, OperationsAreThoseOfTheParts) {
  const P x = point(0), y = point(1);
  const P u = space.logmap(x, y), v = space.logmap(x, point(2));
#define MCT_EXPECT_PARTS(op, ...)                                                            \
  EXPECT_TRUE(                                                                               \
      space.op(__VA_ARGS__) ==                                                               \
      side_by_side([](const auto& m, const auto&... p) { return m.op(p...); }, __VA_ARGS__)) \
      << #op
  MCT_EXPECT_PARTS(expmap, x, u);
  MCT_EXPECT_PARTS(expmap0, u);
  MCT_EXPECT_PARTS(logmap, x, y);
  MCT_EXPECT_PARTS(logmap0, y);
  MCT_EXPECT_PARTS(retr, x, u);
  MCT_EXPECT_PARTS(ptransp, x, y, u);
  MCT_EXPECT_PARTS(ptransp0, y, u);
  MCT_EXPECT_PARTS(ptransp0back, y, u);
  MCT_EXPECT_PARTS(projx, u);
  MCT_EXPECT_PARTS(proju, x, y);
#undef MCT_EXPECT_PARTS
  EXPECT_TRUE(
      space.geodesic(0.25, x, y) ==
      side_by_side([](const auto& m, const P& a, const P& b) { return m.geodesic(0.25, a, b); }, x,
                   y));
  const double d = length([](const auto& m, const P& a, const P& b) { return m.dist(a, b); }, x, y);
  EXPECT_NEAR(space.dist(x, y), d, 1e-14 * d);
  EXPECT_NEAR(space.dist2(x, y), d * d, 1e-14 * d * d);
  EXPECT_NEAR(space.dist0(x), length([](const auto& m, const P& a) { return m.dist0(a); }, x),
              1e-14);
  EXPECT_NEAR(space.norm(x, u), d, 1e-14 * d);
  const auto inner = [&](int i, const auto& m) {
    return m.inner(space.split(x)[std::size_t(i)], space.split(u)[std::size_t(i)],
                   space.split(v)[std::size_t(i)]);
  };
  EXPECT_NEAR(
      space.inner(x, u, v),
      0.25 * inner(0, space.part<0>()) + inner(1, space.part<1>()) + 9 * inner(2, space.part<2>()),
      1e-13);
  const P shares = space.component_inner(x, u, v);
  EXPECT_NEAR(shares[0], 0.25 * inner(0, space.part<0>()), 1e-14);
  EXPECT_NEAR(shares[8], 9 * inner(2, space.part<2>()), 1e-13);
  // the gradient's product with a vector is the derivative along it
  const P g = space.random_normal(9, 4);
  EXPECT_NEAR(space.inner(x, space.egrad2rgrad(x, g), u), dot(g, u), 1e-13);
}

TEST(Product, PointsAndVectors) {
  const P x = point(0), y = point(1);
  EXPECT_TRUE(space.check_point(x, 64));
  EXPECT_FALSE(space.check_point(space.logmap(x, y)));
  EXPECT_TRUE(space.check_vector(x, space.logmap(x, y), 64));
  EXPECT_FALSE(space.check_vector(x, y));
  EXPECT_TRUE(space.origin(9) == space.join({space.part<0>().origin(2), space.part<1>().origin(4),
                                             space.part<2>().origin(3)}));
  EXPECT_TRUE(point(5) == point(5));
  EXPECT_FALSE(point(5) == point(6));
}

/// Seven orthonormal coordinates: the mean square of their length, and that of a part.
TEST(Product, RandomPointsHaveTheDeviationOfTheProduct) {
  double all = 0, first = 0;
  constexpr int count = 4000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const P x = space.random_normal(9, 7, i, 0.25);
    all += std::pow(space.dist0(x), 2) / count;
    first += std::pow(0.5 * space.part<0>().dist0(space.split(x)[0]), 2) / count;
  }
  EXPECT_NEAR(all, 7 * 0.0625, 0.03);
  EXPECT_NEAR(first, 2 * 0.0625, 0.02);
}

TEST(Product, SatisfiesTheLawsOfAManifold) {
  using D = f64x2;
  const Product wide(ProductPart{PoincareBall<D>(D(2)), 3}, ProductPart{Sphere<D>(D(1)), 3, 2},
                     ProductPart{Euclidean<D>(), 2, 0.5});
  for (std::uint64_t i = 0; i < 10; ++i) {
    const auto x = wide.random_normal(8, 1, 3 * i, 0.3),
               y = wide.random_normal(8, 1, 3 * i + 1, 0.3),
               z = wide.random_normal(8, 1, 3 * i + 2, 0.3);
    const D d = wide.dist(x, y);
    EXPECT_LE(d, wide.dist(x, z) + wide.dist(z, y));
    const auto u = wide.logmap(x, y), v = wide.logmap(x, z);
    EXPECT_NEAR(double(wide.norm(x, u) - d), 0, 1e-28);
    EXPECT_NEAR(double(wide.dist(wide.expmap(x, u), y)), 0, 1e-28);
    EXPECT_NEAR(double(wide.dist(wide.geodesic(D(0.5), x, y), x) * D(2) - d), 0, 1e-28);
    EXPECT_NEAR(double(wide.dist(wide.geodesic_unit(d, x, u), y)), 0, 1e-28);
    const D after = wide.inner(y, wide.ptransp(x, y, u), wide.ptransp(x, y, v));
    EXPECT_NEAR(double(wide.inner(x, u, v) - after), 0, 1e-26);
  }
}

/// Where the sum of the weighted logarithms vanishes.
TEST(Product, OfFloatsIsThatOfTheParts) {
  const PoincareBall<float> ball(1.5f);
  const Euclidean<float> flat;
  const Product narrow(ProductPart{ball, 2}, ProductPart{flat, 1});
  const Point<float> x{0.25f, -0.5f, 3.0f}, y{-0.125f, 0.75f, -1.0f};
  const Point<float> between = narrow.geodesic(0.25f, x, y);
  const auto of_ball =
      ball.geodesic(0.25f, Point<float>{0.25f, -0.5f}, Point<float>{-0.125f, 0.75f});
  EXPECT_EQ(between[0], of_ball[0]);
  EXPECT_EQ(between[1], of_ball[1]);
  EXPECT_EQ(between[2], 2.0f);
}

TEST(Product, FrechetMean) {
  std::vector<P> points;
  points.reserve(5);
  for (int i = 0; i < 5; ++i) points.push_back(point(i));
  const std::vector<double> weights{1, 2, 0.5, 1, 3};
  const P mean = frechet_mean(space, points, weights);
  P sum(9);
  for (std::size_t i = 0; i < points.size(); ++i)
    sum = sum + space.logmap(mean, points[i]) * weights[i];
  EXPECT_LT(space.norm(mean, sum), 1e-13);
  EXPECT_GT(space.dist(mean, points[0]), 0.1);
  EXPECT_THROW(frechet_mean(space, std::vector<P>(), std::vector<double>()), ShapeError);
}

TEST(Product, RefusesWhatIsNone) {
  EXPECT_EQ(testing::message_of<ShapeError>([] { space.dist0(P(8)); }),
            "Product: a point has 8 coordinates, expected 9");
  EXPECT_THROW(space.origin(8), ShapeError);
  EXPECT_THROW(space.random_normal(10, 1), ShapeError);
  EXPECT_THROW(Product(ProductPart{Hemisphere<double>(1), 1}), ShapeError);
  EXPECT_THROW(Product(ProductPart{Sphere<double>(1), 0}), ShapeError);
  for (const double weight : {0.0, -1.0, double(INFINITY), double(NAN)})
    EXPECT_NE(testing::message_of<DomainError>([&] {
                Product(ProductPart{Sphere<double>(1), 2, weight});
              }).find("weight"),
              std::string::npos);
}

}  // namespace
}  // namespace mct::geometry_test::product_cases
