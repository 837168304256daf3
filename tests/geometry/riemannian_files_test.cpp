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
#ifdef MCT_EXHAUSTIVE
using TilingTypes = ::testing::Types<LRows, HRows, PRows, TilingRows<LTiling<f64x2>>,
                                     TilingRows<HTiling<float, 2>>>;
#else
using TilingTypes =
    ::testing::Types<PRows, TilingRows<LTiling<f64x2>>, TilingRows<HTiling<float, 2>>>;
#endif
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
  geometry::stored_detail::coordinate_of(points[2], 0) = typename TypeParam::Value(T(5));
  EXPECT_THROW((Rsgd<TypeParam>(space, points, {})), DomainError);
}

TEST(RiemannianTilings, ProductsOfAnotherSizeAreRefused) {
  const PRows space(LTilingProduct<double>(2));
  const PRows::Points points(1, LTilingProduct<double>(3).origin());
  EXPECT_THROW((Rsgd<PRows>(space, points, {})), ShapeError);
  EXPECT_THROW(PRows::Points(-1, space.space().origin()), ShapeError);
  EXPECT_THROW(points.copy_(PRows::Points(2, space.space().origin())), ShapeError);
}

/// Rows with different numbers of factors have no common number of columns.
TEST(RiemannianTilings, PointsOfDifferentSizesAreRefused) {
  const auto two = LTilingProduct<double>(2).origin();
  const auto three = LTilingProduct<double>(3).origin();
  EXPECT_THROW(PRows::Points({three, two}), ShapeError);
  EXPECT_THROW(PRows::Points({two, two, three}), ShapeError);
  EXPECT_EQ(PRows::Points({three, three}).columns(), 6);
  EXPECT_EQ(PRows::Points(std::vector<PRows::RowPoint>()).columns(), 0);
  const testing::TemporaryDirectory folder;
  const PRows::Points points(2, three);
  save_points(folder.path() / "points", points);
  points[1] = two;
  EXPECT_THROW(save_points(folder.path() / "other", points), ShapeError);
  EXPECT_THROW(load_points(folder.path() / "points", points), ShapeError);
}

/// Whole numbers in words: those of every length come back, and 4 MiB of one at once (digit by
/// digit, each moving all others, they would take minutes).
TEST(RiemannianTilings, WholeNumbersInFiles) {
  std::vector<Integer> all = {0, 1, -1, INT64_MAX, -INT64_MAX, INT64_MIN};
  for (int bits = 30; bits < 200; ++bits)
    for (int change = -1; change <= 1; ++change)
      for (int sign = -1; sign <= 1; sign += 2)
        all.push_back(Integer(sign) * (Integer(1).shifted(bits) + Integer(change)));
  all.push_back(Integer(-5).shifted(std::int64_t(1) << 25) - Integer(7));
  std::vector<std::int64_t> words;
  for (const Integer& x : all) geometry::optim_detail::write_integer(words, x);
  geometry::optim_detail::IntegerReader reader(words);
  for (const Integer& x : all) {
    const Integer found = reader.next();
    EXPECT_TRUE(found == x);
    EXPECT_EQ(found.is_small(), x.is_small());
  }
  EXPECT_TRUE(reader.at_end());
  words.clear();
  geometry::optim_detail::write_integer(words, -(Integer(1).shifted(64) + Integer(3)));
  EXPECT_EQ(words, (std::vector<std::int64_t>{-3, 3, 0, 1}));
  EXPECT_EQ(Integer::from_digits(1, {7, 0, 0}), Integer(7));
  EXPECT_EQ(Integer::from_digits(-1, {}), Integer(0));
}

/// The optimizer's state with a radius that is no double.
template <class V>
void check_radius_resumes() {
  using Rows = TilingRows<LTiling<V>>;
  using T = typename Rows::Component;
  const testing::TemporaryDirectory folder;
  const auto third = Rows(LTiling<V>(V(1) / V(3)));
  const typename Rows::Points points(1, third.space().origin());
  Rsgd<Rows>(third, points, {.momentum = 0.5}).save(folder.path() / "state");
  Rsgd<Rows> optimizer(Rows(), points, {.momentum = 0.5});
  optimizer.load(folder.path() / "state");
  EXPECT_TRUE(optimizer.space().space().radius() == V(1) / V(3));
  auto radii = third.radii();
  EXPECT_EQ(radii.size(), std::size_t(Rows::components));
  EXPECT_NE(radii[1], 0);
  for (const double bad : {1.0, HUGE_VAL, std::nan("")}) {
    radii[1] = bad;
    EXPECT_THROW(third.with_radii(radii), DomainError);
  }
  EXPECT_THROW(third.with_radii(std::vector<double>(Rows::components, 0.0)), DomainError);
  // options are doubles: two floats hold more of them than one
  const double error = double(third.with_radius(1.0 / 3).space().radius()) - 1.0 / 3;
  EXPECT_LE(std::fabs(error), 0x1p-46);
  const typename Rows::Vector one = {V(1), V(0)};
  EXPECT_LE(std::fabs(double(third.scaled(0.9, one)[0]) - 0.9), 0x1p-46);
  EXPECT_LE(std::fabs(double(third.sum(0.9, one, 0.05, one)[0]) - 0.95), 0x1p-46);
  static_assert(sizeof(T) <= 8);
}
TEST(RiemannianTilings, RadiiOfSeveralComponentsResume) {
  check_radius_resumes<f64x2>();
  check_radius_resumes<f64x3>();
  check_radius_resumes<f32x2>();
}

/// Weights that differ by less than six decimals make different spaces.
TEST(RiemannianProducts, WeightsAreExactInFiles) {
  const auto space = [](double weight) {
    const PoincareBall<double> ball(1);
    return ManifoldRows(Product(ProductPart{ball, 2}, ProductPart{ball, 1, weight}));
  };
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "state";
  using Rows = decltype(space(1));
  const Tensor<double> points({1, 3});
  Rsgd<Rows>(space(1e-7), points, {}).save(path);
  EXPECT_THROW(Rsgd<Rows>(space(2e-7), points, {}).load(path), IoError);
  EXPECT_THROW(Rsgd<Rows>(space(std::nextafter(1e-7, 1)), points, {}).load(path), IoError);
  EXPECT_NO_THROW(Rsgd<Rows>(space(1e-7), points, {}).load(path));
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
