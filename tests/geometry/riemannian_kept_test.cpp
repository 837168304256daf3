// New radii far from the origin with distances kept, against MPFR.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_far.hpp"

namespace mct::geometry_test {
namespace {

template <class Rows>
class RiemannianKeptTest : public ::testing::Test {};
using Xmc12f = HalfSpaceRows<XmcHalfSpace<float, 12>, float, 12, 3>;
using KeptRows = ::testing::Types<Xmc20, Log20, Xmc12f>;
TYPED_TEST_SUITE(RiemannianKeptTest, KeptRows);

/// A new radius at distance 600 (float: 80) with distances from the origin kept, against MPFR: the
/// place is right to the rounding of its height.
TYPED_TEST(RiemannianKeptTest, ManyComponentsKeepDistances) {
  using F = Far<TypeParam>;
  using T = typename TypeParam::Component;
  const TruthPrecision precision(9000);
  const TypeParam space(1.5);
  const auto origin = F::origin(space);
  constexpr double u = FloatTraits<T>::u;
  const double size = sizeof(T) == 8 ? 1 : 0.13;
  for (const auto& [a, b] : {std::pair{560.0, -200.0},
                             {200.0, 100.0},
                             {0.001, -0.002},
                             {3.0, 500.0},
                             {-4.0, -550.0},
                             {0.0, 2.0}}) {
    for (const double radius : {1.25, 2.0, 9.0}) {
      const TypeParam to(radius);
      const double grown = radius < 1.5 ? 0.8 : 1;
      const auto x = space.expmap(origin, F::vector(space, a * size * grown, b * size * grown));
      const auto y = space.rescaled(to, Rescaling::keep_distances, x);
      const auto zero = F::truth(origin);
      const auto way_there = way(zero, F::truth(x));
      const Truth factor = Truth(1.5) / Truth(radius);
      const auto exact = followed(zero, combined(factor, way_there, 0, way_there));
      const double height = std::max(1.0, std::fabs(double(log(exact.back()))));
      const double bound = TypeParam::is_logarithmic ? u * u * height : u;
      EXPECT_LE(double(true_distance(F::truth(y), exact)), bound) << a << ' ' << radius;
      // and back: the rounded height points off the way by e^-d, which grows to less than 1 on a
      // way at most twice as long
      const auto back = to.rescaled(space, Rescaling::keep_distances, y);
      if (radius < 3) {
        EXPECT_LE(double(true_distance(F::truth(back), F::truth(x))), 16 * u * radius);
      }
      const auto v = F::vector(space, 0.25, 0.5);
      const auto w = space.rescaled(to, Rescaling::keep_distances, x, y, v);
      EXPECT_NEAR(to.squared_norm(y, w) / space.squared_norm(x, v), 1, 32 * u);
    }
  }
  EXPECT_THROW(space.rescaled(TypeParam(1e-5), Rescaling::keep_distances,
                              space.expmap(origin, F::vector(space, 40, 1))),
               DomainError);
}

template <class Rows>
class RiemannianKeptTilingTest : public ::testing::Test {};
#ifdef MCT_EXHAUSTIVE
using KeptTilings = ::testing::Types<LRows, TilingRows<LTiling<f64x2>>, TilingRows<LTiling<float>>,
                                     HRows, TilingRows<HTiling<f64x2, 2>>>;
#else
using KeptTilings =
    ::testing::Types<LRows, TilingRows<LTiling<float>>, TilingRows<HTiling<f64x2, 2>>>;
#endif
TYPED_TEST_SUITE(RiemannianKeptTilingTest, KeptTilings);

TYPED_TEST(RiemannianKeptTilingTest, TilingsKeepDistances) {
  using F = Far<TypeParam>;
  const TruthPrecision precision(9000);
  const TypeParam space = TypeParam().with_radius(1.5);
  const auto origin = F::origin(space);
  const double u = tiling_detail::unit_roundoff<typename TypeParam::Value>();
  for (const auto& [a, b] : {std::pair{560.0, -200.0},
                             {200.0, 100.0},
                             {0.001, -0.002},
                             {3.0, 500.0},
                             {-4.0, -550.0},
                             {0.0, 2.0},
                             {0.0, 0.0}}) {
    for (const double radius : {1.25, 2.0, 9.0}) {
      const TypeParam to = TypeParam().with_radius(radius);
      const auto x = space.expmap(origin, F::vector(space, a, b));
      const auto y = space.rescaled(to, Rescaling::keep_distances, x);
      EXPECT_TRUE(to.is_point(y));
      const auto zero = F::truth(origin);
      const auto way_there = way(zero, F::truth(x));
      const Truth factor = Truth(1.5) / Truth(radius);
      const auto exact = followed(zero, combined(factor, way_there, 0, way_there));
      EXPECT_LE(double(true_distance(F::truth(y), exact)), 4 * u) << a << ' ' << radius;
      const auto v = F::vector(space, 0.25, 0.5);
      const auto w = space.rescaled(to, Rescaling::keep_distances, x, y, v);
      EXPECT_NEAR(to.squared_norm(y, w) / space.squared_norm(x, v), 1,
                  256 * u + 4 * FloatTraits<double>::u);
    }
  }
  const auto far = space.expmap(origin, F::vector(space, 5000, 1));
  EXPECT_THROW(space.rescaled(TypeParam().with_radius(0.5), Rescaling::keep_distances, far),
               DomainError);
}

TEST(FarScaling, RefusesWhatHasNoMeaning) {
  StoredPoint point{PointStorage::half_space, {{1.0}, {1.0}}};
  const auto moved = [&](double distance, double numerator, double denominator) {
    StoredPoint to = point;
    store_at(to, point, distance, numerator, denominator);
    return to;
  };
  EXPECT_EQ(moved(1, 2, 2).coordinates[1].size(), 1U);
  EXPECT_THROW(moved(1, 0, 1), DomainError);
  EXPECT_THROW(moved(1, 1, std::nan("")), DomainError);
  EXPECT_THROW(moved(1, HUGE_VAL, 1), DomainError);
  EXPECT_THROW(moved(1, 1e6, 1), DomainError);
  point.coordinates[0].assign(1000, 0);
  EXPECT_THROW(moved(1, 1, 2), DomainError);
  point.storage = PointStorage::mc_half_space;  // has no way from memory to a place
  EXPECT_THROW(moved(1, 1, 2), DomainError);
  point.storage = PointStorage::half_space;
  // the origin stays
  point.coordinates[0] = {0.0, 0.0};
  EXPECT_EQ(moved(0, 5, 2).coordinates[1][0], 1);
}

}  // namespace
}  // namespace mct::geometry_test
