// Optimizers of tilings in files; rows and steps that they refuse.
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "tests/files.hpp"
#include "tests/geometry/riemannian_far.hpp"

namespace mct::geometry_test {
namespace {

template <class Rows>
class RiemannianTilingFilesTest : public ::testing::Test {};
using TilingTypes = ::testing::Types<LRows, HRows, PRows, TilingRows<LTiling<f64x2>>,
                                     TilingRows<HTiling<float, 2>>>;
TYPED_TEST_SUITE(RiemannianTilingFilesTest, TilingTypes);

/// Points 600 away and the optimizer's state in files: a run that stops and starts again has the
/// bits of one that does not.
TYPED_TEST(RiemannianTilingFilesTest, PointsAndStateResumeBitForBit) {
  using S = Space<TypeParam>;
  using T = typename TypeParam::Component;
  const testing::TemporaryDirectory folder;
  const TypeParam space = S::make(2);
  constexpr std::int64_t rows = 5;
  const auto start = [&] {
    auto points = make_points(space, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      auto x = S::random(space, std::uint64_t(i));
      const auto way = space.scaled(-(i == 4 ? 0.0 : 30.0), space.to_origin(x));
      for (int k = 0; k < 20; ++k) x = space.expmap(x, space.scaled(0.5 + k % 2, way));
      space.store(points, i, x);
    }
    return points;
  };
  const auto gradient = [&](const auto& points) {
    std::vector<T> all;
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto x = space.load(points, i);
      const auto goal = space.load(points, (i + 1) % rows);
      for (const T g : S::gradient(space, x, goal)) all.push_back(g / T(100));
    }
    return Tensor<T>::from_values(all, {rows, S::columns});
  };
  const auto run = [&](int stop) {
    auto points = start();
    RadamOptions options = radamw_defaults();
    options.lr = 0.3;
    options.amsgrad = true;
    auto optimizer = std::make_unique<Radam<TypeParam>>(space, points, options);
    for (int i = 0; i < 12; ++i) {
      if (i == stop) {
        optimizer->save(folder.path() / "state");
        save_points(folder.path() / "points", points);
        points = make_points(space, rows);
        load_points(folder.path() / "points", points);
        optimizer = std::make_unique<Radam<TypeParam>>(space, points, options);
        optimizer->load(folder.path() / "state");
      }
      EXPECT_EQ(optimizer->step(gradient(points)).updated, rows);
    }
    return all_bits(space, points);
  };
  const auto whole = run(-1);
  EXPECT_NE(whole, all_bits(space, start()));
  EXPECT_EQ(whole, run(1));
  EXPECT_EQ(whole, run(7));
}

TYPED_TEST(RiemannianTilingFilesTest, FilesThatHoldNoPointsAreRefused) {
  using T = typename TypeParam::Component;
  constexpr int N = TypeParam::components;
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "points";
  const TypeParam space = Space<TypeParam>::make(1);
  const auto points = make_points(space, 2);
  save_points(path, points);
  const SafetensorsReader reader(path);
  const auto words = reader.template load<std::int64_t, 1>("tiles").values();
  const auto places = reader.template load<T, N>("places");
  const auto refused = [&](const std::vector<std::int64_t>& tiles, const Tensor<T, N>& x) {
    SafetensorsWriter writer;
    writer.add("tiles", Tensor<std::int64_t>::from_values(tiles));
    writer.add("places", x);
    writer.save(path);
    EXPECT_THROW(load_points(path, points), IoError);
  };
  for (const std::int64_t head : {std::int64_t(7), INT64_MAX, INT64_MIN, std::int64_t(-1000000)}) {
    auto bad = words;
    bad[0] = head;
    refused(bad, places);
  }
  auto longer = words;
  longer.push_back(0);
  refused(longer, places);
  auto shorter = words;
  shorter.pop_back();
  refused(shorter, places);
  auto outside = places.clone();
  outside.data(0)[1] = T(3);
  refused(words, outside);
  outside.data(0)[1] = std::numeric_limits<T>::quiet_NaN();
  refused(words, outside);
  refused(words, Tensor<T, N>({3, places.size(1)}));
  EXPECT_THROW(load_points(folder.path() / "none", points), IoError);
  EXPECT_EQ(all_bits(space, points), all_bits(space, make_points(space, 2)));
}

TYPED_TEST(RiemannianTilingFilesTest, StepsThatCannotBeFollowedAndBadPoints) {
  using T = typename TypeParam::Component;
  const TypeParam space = Space<TypeParam>::make(1);
  const auto points = make_points(space, 3);
  Rsgd<TypeParam> optimizer(space, points, {.lr = 1e30, .momentum = 0.5});
  Tensor<T> gradient({3, Space<TypeParam>::columns});
  gradient.set({1, 0}, T(1));
  const auto outcome = optimizer.step(gradient);
  EXPECT_EQ(outcome.updated, 2);
  EXPECT_EQ(outcome.nonfinite, 1);
  EXPECT_EQ(all_bits(space, points), all_bits(space, make_points(space, 3)));
  EXPECT_THROW(space.with_radius(-1), DomainError);
  optimizer.set_radius(2, Rescaling::rescale_distances);
  EXPECT_EQ(optimizer.space().radius(), 2);
  optim_detail::place_of(points[2], 0) = typename TypeParam::Value(T(5));
  EXPECT_THROW((Rsgd<TypeParam>(space, points, {})), DomainError);
}

TEST(RiemannianTilings, ProductsOfAnotherSizeAreRefused) {
  const PRows space(LTilingProduct<double>(2));
  const PRows::Points points(1, LTilingProduct<double>(3).origin());
  EXPECT_THROW((Rsgd<PRows>(space, points, {})), ShapeError);
  EXPECT_THROW(PRows::Points(-1, space.space().origin()), ShapeError);
  EXPECT_THROW(points.copy_(PRows::Points(2, space.space().origin())), ShapeError);
}

TEST(RiemannianPlanes, PointsOfManyComponentsArePlanes) {
  const Xmc20 space(1);
  const auto refused = [&](const Shape& shape) {
    EXPECT_THROW((Rsgd<Xmc20>(space, Tensor<double>(shape), {})), ShapeError);
  };
  refused({4, 3});
  refused({19, 4, 3});
  refused({20, 4, 2});
  EXPECT_THROW((Rsgd<Xmc20>(space, Tensor<double>({3, 4, 20}).transpose(0, 2), {})), ShapeError);
}

}  // namespace
}  // namespace mct::geometry_test
