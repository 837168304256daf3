// Embeddings in the Poincaré disk, seen from any of their nodes.
#include "mctensor/pictures/disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "mctensor/error.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "src/pictures/geodesic_arc.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

using testing::message_of;

/// Points of the half-plane: x by components, and heights.
HalfSpacePoints points_of(const std::vector<std::vector<double>>& x,
                          const std::vector<double>& heights) {
  const auto components = std::int64_t(x.size());
  const auto rows = std::int64_t(heights.size());
  Tensor<double> planes({components, rows, 2});
  for (std::int64_t k = 0; k < components; ++k)
    for (std::int64_t row = 0; row < rows; ++row) {
      planes.data()[2 * (k * rows + row)] = x[std::size_t(k)][std::size_t(row)];
      if (k == 0) planes.data()[2 * row + 1] = heights[std::size_t(row)];
    }
  HalfSpacePoints points;
  points.factors.push_back(planes);
  return points;
}

double dist(const DiskPoints& disk, std::size_t a, std::size_t b) {
  const double dx = disk.x[a] - disk.x[b];
  const double dy = disk.y[a] - disk.y[b];
  const double part = 2 * (dx * dx + dy * dy) / (disk.gap[a] * disk.gap[b]);
  return std::log1p(part + std::sqrt(part * (part + 2)));
}

double half_space_dist(const HalfSpacePoints& points, std::size_t a, std::size_t b) {
  const auto one = [](std::size_t i) {
    return Tensor<std::int64_t>::from_values({std::int64_t(i)});
  };
  return geometry::half_space_dist(points.factors[0], one(a), one(b)).values()[0];
}

TEST(Disk, KeepsDistancesFromEveryCentre) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  constexpr std::size_t count = 25;
  std::vector<double> x(count), h(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = normal(random);
    h[i] = std::exp(normal(random));
  }
  const HalfSpacePoints points = points_of({x}, h);
  for (std::size_t centre = 0; centre < count; ++centre) {
    const DiskPoints disk = disk_points(points, std::int32_t(centre));
    EXPECT_EQ(disk.x[centre], 0);
    EXPECT_EQ(disk.y[centre], 0);
    EXPECT_EQ(disk.gap[centre], 1);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(disk.gap[i], 1 - disk.x[i] * disk.x[i] - disk.y[i] * disk.y[i], 1e-15);
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_NEAR(dist(disk, i, k), half_space_dist(points, i, k), 1e-12);
    }
  }
}

TEST(Disk, KeepsDirectionsOfTheHalfPlane) {
  // above, below, to the right and to the left of (5, 2), by log 2 and by the same Euclidean length
  const HalfSpacePoints points = points_of({{5, 5, 5, 6, 4}}, {2, 4, 1, 2, 2});
  const DiskPoints disk = disk_points(points, 0);
  const double third = std::tanh(std::log(2.0) / 2);
  EXPECT_EQ(disk.x[1], 0);
  EXPECT_NEAR(disk.y[1], third, 1e-16);
  EXPECT_EQ(disk.x[2], 0);
  EXPECT_NEAR(disk.y[2], -third, 1e-16);
  EXPECT_GT(disk.x[3], 0.2);
  EXPECT_EQ(disk.x[4], -disk.x[3]);
  EXPECT_EQ(disk.y[4], disk.y[3]);
}

TEST(Disk, ShowsSurroundingsFarFromTheOrigin) {
  // four points around x = 1 + 2^-60 + 2^-130 at a height of 2^-140, some 97 from (0, 1)
  const double h = std::ldexp(1, -140);
  const double third = std::ldexp(1, -130);
  const double second = std::ldexp(1, -60);
  const HalfSpacePoints points = points_of({{0, 1, 1, 1, 1},
                                            {0, second, second, second, second},
                                            {0, third, third + h, third - 2 * h, third}},
                                           {1, h, h, h, 2 * h});
  const DiskPoints disk = disk_points(points, 1);
  // u / (v + 1) etc. of (1, 1), (-2, 1), (0, 2)
  EXPECT_NEAR(disk.x[2], 2.0 / 5, 1e-15);
  EXPECT_NEAR(disk.y[2], 1.0 / 5, 1e-15);
  EXPECT_NEAR(disk.x[3], -4.0 / 8, 1e-15);
  EXPECT_NEAR(disk.y[3], 4.0 / 8, 1e-15);
  EXPECT_NEAR(disk.y[4], 1.0 / 3, 1e-15);
  // the origin lies on the edge, and its distance is in its gap
  EXPECT_NEAR(std::hypot(disk.x[0], disk.y[0]), 1, 1e-15);
  EXPECT_NEAR(std::log(4 / disk.gap[0]), half_space_dist(points, 0, 1), 1e-11);
  // seen from there, the four are one
  const DiskPoints from_origin = disk_points(points, 0);
  EXPECT_EQ(from_origin.x[2], from_origin.x[3]);
}

TEST(Disk, DoesNotOverflow) {
  const HalfSpacePoints points =
      points_of({{0, 1e200, -1e300, 1}}, {1e-300, 1e-300, 1e300, 1e-320});
  for (std::int32_t centre = 0; centre < 4; ++centre) {
    const DiskPoints disk = disk_points(points, centre);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LE(std::hypot(disk.x[i], disk.y[i]), 1 + 1e-15);
      EXPECT_GE(disk.gap[i], 0);
    }
  }
}

TEST(Disk, OfAViewIsOfItsPoints) {
  const HalfSpacePoints points =
      points_of({{0, 1, 2, -3}, {1e-17, 2e-17, 0, -1e-17}}, {1, 0.5, 2, 4});
  const Tensor<double>& planes = points.factors[0];
  const HalfSpacePoints turned{{planes.transpose(1, 2).contiguous().transpose(1, 2)}, 1};
  const HalfSpacePoints swapped{{planes.transpose(0, 1).contiguous().transpose(0, 1)}, 1};
  for (const HalfSpacePoints& view : {turned, swapped}) {
    ASSERT_FALSE(view.factors[0].is_contiguous());
    EXPECT_EQ(half_plane_points(view, 1).x, half_plane_points(points, 1).x);
    EXPECT_EQ(half_plane_points(view, 1).height, half_plane_points(points, 1).height);
    EXPECT_EQ(disk_points(view, 2).x, disk_points(points, 2).x);
    EXPECT_EQ(disk_points(view, 2).y, disk_points(points, 2).y);
    EXPECT_EQ(disk_points(view, 2).gap, disk_points(points, 2).gap);
  }
}

TEST(Disk, WhatIsNoPlaneIsRefused) {
  HalfSpacePoints points = points_of({{0}}, {1});
  EXPECT_EQ(message_of<DomainError>([&] { disk_points(points, 1); }),
            "picture: centre 1 is not a node; there are 1 nodes, counted from 0");
  EXPECT_THROW(disk_points(points, -1), DomainError);
  points.factors.push_back(points.factors[0]);
  EXPECT_EQ(message_of<DomainError>([&] { disk_points(points, 0); }),
            "picture: points of a product of 2 spaces cannot be drawn; a picture has one plane");
  points.factors = {Tensor<double>({1, 1, 3})};
  EXPECT_EQ(message_of<DomainError>([&] { disk_points(points, 0); }),
            "picture: points of 3 dimensions cannot be drawn; a picture has 2");
  points.factors = {Tensor<double>({3, 2})};
  EXPECT_EQ(message_of<ShapeError>([&] { half_plane_points(points, 0); }),
            "picture: points of shape (3, 2), expected [components, rows, 2] with a component");
  points.factors = {Tensor<double>({0, 3, 2})};
  EXPECT_THROW(half_plane_points(points, 0), ShapeError);
  points.factors.clear();
  EXPECT_EQ(message_of<DomainError>([&] { disk_points(points, 0); }),
            "picture: points of a product of 0 spaces cannot be drawn; a picture has one plane");
}

TEST(GeodesicArc, MeetsTheEdgeAtRightAngles) {
  using Complex = std::complex<double>;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const Complex a = std::polar(std::sqrt(std::fabs(uniform(random))), 3.1 * uniform(random));
    const Complex b = std::polar(std::sqrt(std::fabs(uniform(random))), 3.1 * uniform(random));
    const GeodesicArc arc = geodesic_arc(a.real(), a.imag(), b.real(), b.imag());
    // the centre beside the middle of the chord; at right angles: |c|^2 = 1 + r^2
    const Complex chord = b - a;
    const double half = std::abs(chord) / 2;
    const Complex normal = Complex(0, arc.left ? 1 : -1) * chord / std::abs(chord);
    const Complex centre =
        (a + b) / 2.0 + normal * std::sqrt(arc.radius * arc.radius - half * half);
    EXPECT_NEAR(std::norm(centre) / (1 + arc.radius * arc.radius), 1, 1e-9);
    // the bulge leads towards the middle of the disk
    const Complex top = centre - arc.radius * normal;
    EXPECT_NEAR(std::abs(top - (a + b) / 2.0), arc.bulge, 1e-9 * (1 + arc.radius));
    EXPECT_LT(std::abs(top), std::max(std::abs(a), std::abs(b)));
  }
  EXPECT_EQ(geodesic_arc(-0.5, 0, 0.25, 0).bulge, 0);
}

}  // namespace
}  // namespace mct::embed
