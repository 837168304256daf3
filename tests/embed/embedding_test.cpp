// Embeddings: files, and the points of every model in half-spaces.
#include "mctensor/embed/embedding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mctensor/error.hpp"
#include "mctensor/geometry/all.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

using testing::message_of;

std::shared_ptr<const NameTable> numbered(std::size_t count) {
  auto names = std::make_shared<NameTable>();
  for (std::size_t i = 0; i < count; ++i) names->enter("node " + std::to_string(i));
  return names;
}

/// The distances of all pairs.
std::vector<double> all_distances(const HalfSpacePoints& points) {
  const auto count = std::int64_t(points.size());
  std::vector<std::int64_t> a, b;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < i; ++j) {
      a.push_back(i);
      b.push_back(j);
    }
  const auto first = Tensor<std::int64_t>::from_values(a);
  const auto second = Tensor<std::int64_t>::from_values(b);
  std::vector<double> squares(a.size(), 0);
  for (const auto& factor : points.factors) {
    const auto d = geometry::half_space_dist(factor, first, second, points.radius).values();
    for (std::size_t i = 0; i < d.size(); ++i) squares[i] += d[i] * d[i];
  }
  for (double& s : squares) s = std::sqrt(s);
  return squares;
}

TEST(Embedding, OfBallAndHyperboloidKeepsTheirDistances) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr int count = 20, n = 4;
  for (const double radius : {1.0, 2.5}) {
    const geometry::Lorentz<double> lorentz(radius);
    const geometry::PoincareBall<double> ball(radius);
    Tensor<double> on_sheet({1, count, n + 1}), in_ball({1, count, n});
    std::vector<geometry::Point<double>> sheet, balls;
    for (int row = 0; row < count; ++row) {
      geometry::Point<double> u(n + 1);
      for (int i = 1; i <= n; ++i) u[i] = normal(random) * radius * (row % 5);
      const auto x = lorentz.expmap(lorentz.origin(n + 1), u);
      const auto y = geometry::convert<geometry::PoincareBall>(lorentz, x);
      for (int i = 0; i <= n; ++i) on_sheet.data()[row * (n + 1) + i] = x[i];
      for (int i = 0; i < n; ++i) in_ball.data()[row * n + i] = y[i];
      sheet.push_back(x);
      balls.push_back(y);
    }
    EmbeddingSpace space{PointStorage::lorentz, n, 1, 1, radius};
    const auto d = all_distances(Embedding(numbered(count), space, on_sheet).half_space());
    space.storage = PointStorage::ball;
    const auto e = all_distances(Embedding(numbered(count), space, in_ball).half_space());
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j, ++at) {
        const double expected = lorentz.dist(sheet[i], sheet[j]);
        EXPECT_NEAR(d[at], expected, 1e-9 * (1 + expected));
        const double in_the_ball = ball.dist(balls[i], balls[j]);
        EXPECT_NEAR(e[at], in_the_ball, 1e-13 * (1 + in_the_ball));
      }
  }
}

TEST(Embedding, OfTilingsKeepsTheirDistances) {
  constexpr int count = 12;
  const geometry::LTiling<double> l_tiling;
  const geometry::HTiling<double, 2> h_tiling;
  Tensor<double> tiles({1, count, 11}), cubes({1, count, 4});
  std::vector<geometry::LTilingPoint<double>> p;
  std::vector<geometry::HTilingPoint<double, 2>> q;
  for (int row = 0; row < count; ++row) {
    const double angle = 0.7 * row;
    p.push_back(l_tiling.from_polar(1.3 * row, {std::cos(angle), std::sin(angle)}));
    q.push_back(h_tiling.expmap(h_tiling.origin(),
                                {1.3 * row * std::cos(angle), 1.3 * row * std::sin(angle)}));
    double* to = tiles.data() + 11 * row;
    for (int i = 0; i < 9; ++i) to[i] = double(p.back().tile.entry(i / 3, i % 3).small());
    to[9] = p.back().u[0];
    to[10] = p.back().u[1];
    to = cubes.data() + 4 * row;
    to[0] = double(q.back().j);
    to[1] = double(q.back().k[0].small());
    to[2] = q.back().z[0];
    to[3] = q.back().z[1];
  }
  const auto names = numbered(count);
  const auto d =
      all_distances(Embedding(names, {PointStorage::l_tiling, 2, 1, 1, 1}, tiles).half_space());
  const auto e =
      all_distances(Embedding(names, {PointStorage::h_tiling, 2, 1, 1, 1}, cubes).half_space());
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j, ++at) {
      EXPECT_NEAR(d[at], l_tiling.dist(p[i], p[j]), 1e-13 * (1 + d[at]));
      EXPECT_NEAR(e[at], h_tiling.dist(q[i], q[j]), 1e-13 * (1 + e[at]));
    }
}

TEST(Embedding, IsReadAsItWasWritten) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "points.safetensors";
  auto names = std::make_shared<NameTable>();
  for (const char* name : {"chien", "Hund", "\xE7\x8A\xAC", "a b"}) names->enter(name);
  Tensor<double> coordinates({2, 4, 6});
  for (int i = 0; i < 48; ++i) coordinates.data()[i] = i < 24 ? i % 3 + 1 : 1e-20 * (i % 3 != 2);
  const EmbeddingSpace space{PointStorage::xmc_half_space, 3, 2, 2, 0.1};
  const Embedding written(names, space, coordinates);
  written.save(path);
  const Embedding read = Embedding::load(path);
  EXPECT_EQ(read.space(), space);
  EXPECT_EQ(read.size(), 4u);
  for (std::int32_t i = 0; i < 4; ++i) EXPECT_EQ(read.name(i), names->name(i));
  EXPECT_EQ(read.coordinates().values(), coordinates.values());
  EXPECT_EQ(all_distances(read.half_space()), all_distances(written.half_space()));
}

// Names are kept a line each: one of two lines could not be read again.
TEST(Embedding, OfNamesThatNoFileHasIsNotWritten) {
  const testing::TemporaryDirectory directory;
  for (const std::string name : {"two\nlines", "", "\xFF"}) {
    auto names = std::make_shared<NameTable>();
    names->enter("a");
    names->enter(name);
    const Embedding embedding(names, {PointStorage::half_space, 2, 1}, Tensor<double>({1, 2, 2}));
    const auto path = directory / "points";
    const std::string message = message_of<IoError>([&] { embedding.save(path); });
    EXPECT_NE(message.find("node 1: "), std::string::npos) << message;
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST(Embedding, WhatIsNoPointNamesItsFile) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "points.safetensors";
  const EmbeddingSpace space{PointStorage::xmc_half_space, 2, 2, 1, 1};
  const auto saved = [&](int at, double value) {
    Tensor<double> coordinates({2, 3, 2});
    for (int row = 0; row < 3; ++row) coordinates.data()[2 * row + 1] = 1;
    coordinates.data()[at] = value;
    Embedding(numbered(3), space, coordinates).save(path);
  };
  saved(8, std::nan(""));
  EXPECT_EQ(message_of<IoError>([&] { Embedding::load(path); }),
            path.string() + ": a coordinate of 'node 1' is nan");
  saved(5, -1);
  const Embedding read = Embedding::load(path);
  EXPECT_EQ(message_of<DomainError>([&] { (void)read.half_space(); }),
            path.string() + ": 'node 2' is not a point of " + space.text());
}

TEST(Embedding, OfLevelsBeyondAllNumbersHasNoPoints) {
  for (const double level : {1e300, -1e300, 5000.0, -5000.0, double(NAN)}) {
    const auto cube = Tensor<double>::from_values({level, 0, 0.5, 1}).reshape({1, 1, 4});
    EXPECT_THROW(
        (void)Embedding(numbered(1), {PointStorage::h_tiling, 2, 1, 1, 1}, cube).half_space(),
        DomainError)
        << level;
  }
}

TEST(Embedding, ModelsKeepTheirFormerNames) {
  EXPECT_EQ(storage_from("poincare"), PointStorage::ball);
  EXPECT_EQ(storage_from("halfspace"), PointStorage::half_space);
  for (const auto& [storage, name] : storage_names) EXPECT_EQ(storage_from(name), storage);
  EXPECT_EQ(with_present_names("poincare"), "ball");
  EXPECT_EQ(with_present_names("umbral cones, halfspace, 2"), "umbral cones, half-space, 2");
  EXPECT_EQ(with_present_names("poincare_map, apoincare"), "poincare_map, apoincare");
}

TEST(Embedding, OfWhatIsNoneIsRefused) {
  const auto names = numbered(2);
  EXPECT_EQ(message_of<DomainError>([] { storage_from("klein"); }),
            "there is no model 'klein'; there are ball, lorentz, half-space, "
            "xmc-half-space, mc-half-space, l-tiling, h-tiling");
  EXPECT_EQ(message_of<ShapeError>([&] {
              Embedding(names, {PointStorage::ball, 2, 1, 1, 1}, Tensor<double>({1, 2, 3}));
            }),
            "embedding: coordinates of shape (1, 2, 3), expected (1, 2, 2) of ball, 2 "
            "dimensions, 1 component");
  EXPECT_EQ(message_of<DomainError>([&] {
              Embedding(names, {PointStorage::half_space, 2, 1, 1, 1}, Tensor<double>({1, 2, 2}))
                  .half_space();
            }),
            "embedding: 'node 0' is not a point of half-space, 2 dimensions, 1 component");
  EXPECT_EQ(message_of<DomainError>([] {
              Embedding(nullptr, {PointStorage::ball, 2, 1, 1, 1}, Tensor<double>({1, 0, 2}));
            }),
            "embedding: no names given, but a null pointer");
  const Embedding two(names, {PointStorage::ball, 2, 1, 1, 1}, Tensor<double>({1, 2, 2}));
  EXPECT_EQ(message_of<DomainError>([&] { (void)two.name(two.find("nobody")); }),
            "name: number -1, expected at least 0 and below 2");
  EXPECT_THROW((EmbeddingSpace{PointStorage::l_tiling, 3, 1, 1, 1}.check()), DomainError);
  EXPECT_EQ(message_of<DomainError>([] {
              EmbeddingSpace{PointStorage::log_half_space, 2, 1, 1, 1}.check();
            }),
            "embedding: points are stored as ball, lorentz, half-space, xmc-half-space, "
            "mc-half-space, l-tiling, h-tiling, not by the logarithm of the height");
  EXPECT_THROW((EmbeddingSpace{PointStorage::ball, 2, 1, 1, 0}.check()), DomainError);
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "other.safetensors";
  SafetensorsWriter writer;
  writer.add("x", Tensor<double>({1}));
  writer.save(path);
  EXPECT_EQ(message_of<IoError>([&] { Embedding::load(path); }),
            path.string() + ": no embedding, its mctensor.embedding is missing");
}

}  // namespace
}  // namespace mct::embed
