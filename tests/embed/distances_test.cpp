// Distances between nodes, nearest nodes, the most central one.
#include "mctensor/embed/distances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

/// A line up the half-plane: node i at distance i from node 0; in a product with itself turned
/// around, if `twice`.
HalfSpacePoints line(int count, double radius = 1, bool twice = false) {
  HalfSpacePoints points;
  points.radius = radius;
  for (int f = 0; f < (twice ? 2 : 1); ++f) {
    points.factors.emplace_back(Shape{1, count, 2});
    for (int i = 0; i < count; ++i)
      points.factors.back().data()[2 * i + 1] = std::exp(f == 0 ? i : -i);
  }
  return points;
}

TEST(Distances, AreThoseOfTheFactorsTogether) {
  for (const double radius : {1.0, 2.5}) {
    const auto d = distances(line(8, radius), {1, 7, 3}, {4, 7, 0});
    EXPECT_NEAR(d[0], 3 * radius, 1e-13);
    EXPECT_EQ(d[1], 0);
    EXPECT_NEAR(d[2], 3 * radius, 1e-13);
    const auto e = distances(line(8, radius, true), {1, 7}, {4, 7});
    EXPECT_NEAR(e[0], 3 * radius * std::sqrt(2), 1e-13);
    EXPECT_EQ(e[1], 0);
  }
  const auto from = distances_from(line(5), 1);
  ASSERT_EQ(from.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(from[std::size_t(i)], std::abs(i - 1), 1e-13);
  EXPECT_THROW(distances(line(3), {0}, {3}), ShapeError);
  EXPECT_THROW(distances(line(3), {0, 1}, {2}), ShapeError);
  EXPECT_THROW(distances_from(line(3), -1), ShapeError);
}

TEST(Distances, GiveTheNearestNodes) {
  HalfSpacePoints points = line(6);
  points.factors[0].data()[2 * 4 + 1] = points.factors[0].data()[2 * 1 + 1];  // 4 lies at 1
  const auto nodes = [&](std::int32_t node, std::size_t count) {
    std::vector<std::int32_t> r;
    for (const NodeDistance& other : nearest(points, node, count)) r.push_back(other.node);
    return r;
  };
  EXPECT_EQ(nodes(0, 3), (std::vector<std::int32_t>{1, 4, 2}));
  EXPECT_EQ(nodes(1, 1), (std::vector<std::int32_t>{4}));
  EXPECT_EQ(nodes(5, 99).size(), 5u);
  EXPECT_TRUE(nearest(line(1), 0, 3).empty());
  EXPECT_EQ(nearest(points, 1, 1)[0].distance, 0);
}

TEST(Distances, OfPointsWithoutFactorsAreRefused) {
  const HalfSpacePoints none;
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(line(3).size(), 3U);
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              distances(none, {0, 99}, {1, -7});
            }),
            "distances: points of 0 factors, expected at least 1");
  EXPECT_THROW(distances_from(none, 0), ShapeError);
  EXPECT_THROW(nearest(none, 0, 1), ShapeError);
  EXPECT_THROW(central_node(none), DomainError);
}

TEST(Distances, ThatAreNoNumbersComeLast) {
  constexpr int count = 40;
  HalfSpacePoints points = line(count);
  for (int i = 1; i < count; i += 2)
    points.factors[0].data()[2 * i] = std::numeric_limits<double>::quiet_NaN();
  const auto found = nearest(points, 20, count);
  ASSERT_EQ(found.size(), std::size_t(count - 1));
  // 18, 22, 16, 24, ... as far as they go, then the odd ones by their number
  for (std::size_t i = 0; i + 1 < found.size(); ++i) {
    const bool numbers = i < count / 2 - 1;
    EXPECT_EQ(std::isnan(found[i].distance), !numbers) << i;
    EXPECT_EQ(found[i].node % 2, numbers ? 0 : 1) << i;
    if (i + 1 < count / 2 - 1) {
      EXPECT_LE(found[i].distance, found[i + 1].distance) << i;
    }
    if (!numbers) {
      EXPECT_LT(found[i].node, found[i + 1].node) << i;
    }
  }
  EXPECT_EQ(nearest(points, 20, 1)[0].node % 4, 2);  // 18 or 22
  const auto of_none = nearest(points, 1, 3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(of_none[i].node, i == 0 ? 0 : int(i) + 1);
}

TEST(Distances, HaveACentre) {
  EXPECT_EQ(central_node(line(7)), 3);
  EXPECT_EQ(central_node(line(1)), 0);
  // of a sample: near the middle, the same for the same seed
  const auto points = line(301);
  const std::int32_t centre = central_node(points, 64, 2);
  EXPECT_NEAR(centre, 150, 60);
  EXPECT_EQ(central_node(points, 64, 2), centre);
  EXPECT_THROW(central_node(points, 0), DomainError);
}

TEST(Distances, HaveACentreAmongPointsThatAreNumbers) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  auto points = line(8);
  points.factors[0].data()[0] = nan;
  EXPECT_EQ(central_node(points), 4);  // of 1 to 7
  points.factors[0].data()[2 * 6 + 1] = nan;
  points.factors[0].data()[2 * 7] = nan;
  EXPECT_EQ(central_node(points), 3);  // of 1 to 5
  for (std::int64_t i = 0; i < points.factors[0].numel(); ++i) points.factors[0].data()[i] = nan;
  EXPECT_EQ(testing::message_of<DomainError>([&] { central_node(points); }),
            "central_node: each point of the sample has a NaN");
}

}  // namespace
}  // namespace mct::embed
