// Products whose points are coordinates side by side: the values of Product on tuples.
#include "mctensor/geometry/concatenated.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "mctensor/geometry/hemisphere.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

using P = Point<double>;
using Parts = std::tuple<P, P, P>;

struct Space {
  Space() : product(PoincareBall<double>(1.5), Sphere<double>(2), Hemisphere<double>(1)) {
    product.weights[0] = 0.5;
    product.weights[2] = 3;
  }
  Product<PoincareBall<double>, Sphere<double>, Hemisphere<double>> product;
  Concatenated<PoincareBall<double>, Sphere<double>, Hemisphere<double>> space() const {
    return Concatenated(product, {2, 4, 3});
  }
};

/// Three tuples of points, and the same side by side.
Parts tuple_at(const Space& s, int i) {
  return s.product.random_normal({2, 4, 3}, 1, std::uint64_t(i), 0.5);
}
P side_by_side(const Parts& x) {
  P all(9);
  int at = 0;
  for (const P& part : {std::get<0>(x), std::get<1>(x), std::get<2>(x)})
    for (int i = 0; i < part.size(); ++i) all[at++] = part[i];
  return all;
}

TEST(Concatenated, SplitsAndJoins) {
  const auto space = Space().space();
  EXPECT_EQ(space.coordinates(), 9);
  P x(9);
  for (int i = 0; i < 9; ++i) x[i] = i + 1;
  const auto [a, b, c] = space.split(x);
  EXPECT_TRUE(a == (P{1, 2}));
  EXPECT_TRUE(b == (P{3, 4, 5, 6}));
  EXPECT_TRUE(c == (P{7, 8, 9}));
  EXPECT_TRUE(space.join({a, b, c}) == x);
}

TEST(Concatenated, MethodsOfTheProduct) {
  const Space s;
  const auto& m = s.product;
  const auto space = s.space();
  const Parts x = tuple_at(s, 0), y = tuple_at(s, 1);
  const Parts u = m.logmap(x, y), v = m.logmap(x, tuple_at(s, 2));
  const P X = side_by_side(x), Y = side_by_side(y), U = side_by_side(u), V = side_by_side(v);
  EXPECT_EQ(space.dist(X, Y), m.dist(x, y));
  EXPECT_EQ(space.dist0(X), m.dist0(x));
  EXPECT_EQ(space.norm(X, U), m.norm(x, u));
  EXPECT_EQ(space.inner(X, U, V), m.inner(x, u, v));
  const auto expect_same = [](const P& a, const Parts& b, const char* what) {
    EXPECT_TRUE(a == side_by_side(b)) << what;
  };
  expect_same(space.expmap(X, U), m.expmap(x, u), "expmap");
  expect_same(space.expmap0(U), m.expmap0(u), "expmap0");
  expect_same(space.logmap(X, Y), m.logmap(x, y), "logmap");
  expect_same(space.logmap0(Y), m.logmap0(y), "logmap0");
  expect_same(space.retr(X, U), m.retr(x, u), "retr");
  expect_same(space.ptransp(X, Y, U), m.ptransp(x, y, u), "ptransp");
  expect_same(space.ptransp0(Y, U), m.ptransp0(y, u), "ptransp0");
  expect_same(space.geodesic(0.25, X, Y), m.geodesic(0.25, x, y), "geodesic");
  expect_same(space.projx(U), m.projx(u), "projx");
  expect_same(space.proju(X, Y), m.proju(x, y), "proju");
  expect_same(space.egrad2rgrad(X, Y), m.egrad2rgrad(x, y), "egrad2rgrad");
  expect_same(space.random_normal(9, 1, 2, 0.5), tuple_at(s, 2), "random_normal");
  expect_same(space.origin(9), m.origin({2, 4, 3}), "origin");
  EXPECT_TRUE(space.check_point(X));
  EXPECT_FALSE(space.check_point(U));
  EXPECT_TRUE(space.check_vector(X, U));
  EXPECT_FALSE(space.check_vector(X, Y));
}

TEST(Concatenated, SizesKnownWhenCompiled) {
  const auto m = Space().product;
  const auto [a, b, c] = m.random_normal<2, 4, 3>(5, 7);
  const auto [d, e, f] = m.random_normal({2, 4, 3}, 5, 7);
  EXPECT_TRUE(P(a) == d);
  EXPECT_TRUE(P(b) == e);
  EXPECT_TRUE(P(c) == f);
  const auto [g, h, i] = m.origin<2, 4, 3>();
  EXPECT_TRUE(std::tuple(P(g), P(h), P(i)) == m.origin({2, 4, 3}));
}

/// Where the sum of the weighted logarithms vanishes.
TEST(Concatenated, FrechetMean) {
  const Space s;
  const auto space = s.space();
  std::vector<P> points;
  points.reserve(5);
  for (int i = 0; i < 5; ++i) points.push_back(side_by_side(tuple_at(s, i)));
  const std::vector<double> weights{1, 2, 0.5, 1, 3};
  const P mean = frechet_mean(space, points, weights);
  P sum(9);
  for (std::size_t i = 0; i < points.size(); ++i)
    sum = sum + space.logmap(mean, points[i]) * weights[i];
  EXPECT_LT(space.norm(mean, sum), 1e-13);
  EXPECT_GT(space.dist(mean, points[0]), 0.1);
  EXPECT_THROW(frechet_mean(space, {}, {}), ShapeError);
}

TEST(Concatenated, NumbersOfCoordinates) {
  const auto space = Space().space();
  EXPECT_EQ(testing::message_of<ShapeError>([&] { space.dist0(P(8)); }),
            "Concatenated: a point of 8 coordinates in a product of 9");
  EXPECT_EQ(testing::message_of<ShapeError>([&] { space.origin(8); }),
            "Concatenated: 8 coordinates, the product has 9");
  EXPECT_THROW(space.random_normal(10, 1), ShapeError);
  EXPECT_THROW(Concatenated(Space().product, {2, 4, 1}), ShapeError);
}

}  // namespace
}  // namespace mct::geometry_test
