// Batches of half-space points in every representation, against single points.
#include <gtest/gtest.h>

#include <limits>

#include "mctensor/tensor/threads.hpp"
#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {
namespace {

using Index = Tensor<std::int64_t>;

template <class Rows>
class HalfSpaceRowsTest : public ::testing::Test {
 protected:
  using S = Space<Rows>;
  static constexpr std::int64_t count = 90;

  HalfSpaceRowsTest() {
    for (std::int64_t i = 0; i < count; ++i) space.store(points, i, S::random(space, 1 + i % 80));
    for (std::int64_t i = 0; i < 400; ++i) {
      a.push_back(i * 7 % count);
      b.push_back(i * 11 % count);
    }
  }
  auto distances() const {
    return half_space_dist(space, points, Index::from_values(a), Index::from_values(b));
  }
  auto directions() const {
    return half_space_direction(space, points, Index::from_values(a), Index::from_values(b));
  }

  Rows space = S::make(1.5);
  typename Rows::Points points = make_points(space, count);
  std::vector<std::int64_t> a, b;
};
using Types = ::testing::Types<HalfSpaceRows<LogHalfSpace<double, 2>, double, 2, 3>,
                               HalfSpaceRows<LogHalfSpace<double, 20>, double, 20, 2>,
                               HalfSpaceRows<XmcHalfSpace<double, 20>, double, 20, 3>,
                               HalfSpaceRows<McHalfSpace<float, 3>, float, 3, 3>,
                               HalfSpaceRows<McHalfSpace<bfloat16, 3>, bfloat16, 3, 3>>;
TYPED_TEST_SUITE(HalfSpaceRowsTest, Types);

TYPED_TEST(HalfSpaceRowsTest, DistancesAndDirectionsAreThoseOfSinglePoints) {
  constexpr std::int64_t columns = Space<TypeParam>::columns;
  const auto d = this->distances();
  const auto g = this->directions();
  for (std::size_t i = 0; i < this->a.size(); ++i) {
    const auto p = this->space.load(this->points, this->a[i]);
    const auto q = this->space.load(this->points, this->b[i]);
    EXPECT_EQ(d.at({std::int64_t(i)}), (this->space.space().template dist<columns>(p, q)));
    const auto single = this->space.space().template direction<columns>(p, q);
    for (std::int64_t c = 0; c < columns; ++c)
      EXPECT_EQ((g.at({std::int64_t(i), c})), single[std::size_t(c)]);
  }
}

TYPED_TEST(HalfSpaceRowsTest, StepsAddDuplicatesAndSkipWhatIsNotFinite) {
  using Work = typename TypeParam::Work;
  constexpr std::int64_t n = Space<TypeParam>::columns;
  const auto before = all_bits(this->space, this->points);
  const auto x = this->space.load(this->points, 3);
  std::vector<Work> values(std::size_t(4 * n), Work(0.25));
  values[std::size_t(2 * n)] = std::numeric_limits<Work>::infinity();
  const auto outcome = half_space_step_(this->space, this->points, Index::from_values({3, 5, 7, 3}),
                                        Tensor<Work>::from_values(values, {4, n}));
  EXPECT_EQ(outcome.updated, 2);
  EXPECT_EQ(outcome.nonfinite, 1);
  typename TypeParam::Vector twice;
  twice.fill(Work(0.5));
  this->space.store(this->points, 4, this->space.expmap(x, twice));
  const auto after = all_bits(this->space, this->points);
  EXPECT_EQ(after[3], after[4]);
  EXPECT_NE(after[3], before[3]);
  EXPECT_NE(after[5], before[5]);
  for (const std::size_t i : {0, 6, 7, 8}) EXPECT_EQ(after[i], before[i]);
}

TYPED_TEST(HalfSpaceRowsTest, TheSameBitsOnAnyNumberOfThreads) {
  const int threads = num_threads();
  const auto run = [&](int number) {
    set_num_threads(number);
    const auto moved = this->points.clone();
    const auto g = this->directions();
    std::vector<std::int64_t> rows(this->a.begin(), this->a.begin() + 300);
    half_space_step_(this->space, moved, Index::from_values(rows), g.narrow(0, 0, 300));
    return std::tuple(this->distances().values(), g.values(), all_bits(this->space, moved));
  };
  EXPECT_EQ(run(1), run(2));
  set_num_threads(threads);
}

TYPED_TEST(HalfSpaceRowsTest, SaysWhatDoesNotFit) {
  using Work = typename TypeParam::Work;
  constexpr std::int64_t n = Space<TypeParam>::columns;
  const auto one = Index::from_values({0});
  EXPECT_THROW(half_space_dist(this->space, this->points, one, Index::from_values({0, 1})),
               ShapeError);
  EXPECT_THROW(half_space_dist(this->space, this->points, one, Index::from_values({90})),
               ShapeError);
  EXPECT_THROW(half_space_direction(this->space, this->points, one, Index({1, 1})), ShapeError);
  EXPECT_THROW(half_space_step_(this->space, this->points, one, Tensor<Work>({2, n})), ShapeError);
  EXPECT_THROW(
      half_space_step_(this->space, typename TypeParam::Points({3}), one, Tensor<Work>({1, n})),
      ShapeError);
}

/// x at another radius has its distance from the origin, up to the rounding of its coordinates.
template <class Rows>
void expect_kept(double radius, const typename Rows::RowPoint& x) {
  using Kept = std::decay_t<decltype(std::declval<Rows>().space())>;
  const Rows space(1);
  const Rows to(radius);
  const auto origin = Kept::template origin<2>();
  const double before = double(space.space().template dist<2>(origin, x));
  SCOPED_TRACE(Rows::name() + " " + std::to_string(before) + " " + std::to_string(radius));
  ASSERT_NO_THROW({
    const auto y = space.rescaled(to, Rescaling::keep_distances, x);
    const double after = double(to.space().template dist<2>(origin, y));
    EXPECT_NEAR(after, before,
                3 * radius * double(FloatTraits<typename Rows::Component>::u) + 1e-5 * before);
  });
}
template <class T, int M>
using Xmc = HalfSpaceRows<XmcHalfSpace<T, M>, T, M, 2>;

template <class Rows>
class KeptNearTheOriginTest : public ::testing::Test {};
using NearTypes =
    ::testing::Types<Xmc<double, 1>, Xmc<half, 1>, Xmc<half, 2>, Xmc<bfloat16, 1>, Xmc<bfloat16, 2>,
                     Xmc<double, 6>, HalfSpaceRows<McHalfSpace<bfloat16, 2>, bfloat16, 2, 2>>;
TYPED_TEST_SUITE(KeptNearTheOriginTest, NearTypes);

/// The height of a point next to the origin is rounded by more than its distance: no reason to
/// refuse it. Nor is a point at the very end of the range one.
TYPED_TEST(KeptNearTheOriginTest, RoundedHeightsAreNotRefused) {
  using T = typename TypeParam::Component;
  using H = std::decay_t<decltype(std::declval<typename TypeParam::RowPoint>().height)>;
  const double u = double(FloatTraits<T>::u);
  const auto point = [](double x, double height) {
    auto p = typename TypeParam::RowPoint();
    p.x[0].limb[0] = T(x);
    p.height = H(T(height));
    return p;
  };
  for (const double radius : {0.7, 1.0, 1.1, 1.3, 2.0, 3.0}) {
    for (int i = 0; i <= 8; ++i) {
      expect_kept<TypeParam>(radius, point(0, 1 + 2 * i * u));
      expect_kept<TypeParam>(radius, point(0, 1 - i * u));
      expect_kept<TypeParam>(radius, point(i * u, 1 - 3 * u));
    }
    // many components take long
    for (int i = 1; i <= 30; i += TypeParam::components > 4 ? 8 : 1) {
      expect_kept<TypeParam>(radius, point(0.007 * i, 1 + 0.006 * i));
      expect_kept<TypeParam>(radius, point(0.01 * i, 1));
    }
    if (radius >= 1) expect_kept<TypeParam>(radius, point(1, 2));
  }
}

/// Heights of half end soon, those of double 708 from the origin; logarithms are cut off where a
/// step can be no longer.
TEST(KeptDistances, EndAtTheEndOfTheRange) {
  using Rows = Xmc<half, 2>;
  const Rows space(1);
  const auto lowest = double(halfspace_detail::lowest_height<half, 1>);
  for (const double factor : {1.0, 1.5, 3.0}) {
    auto p = XmcHalfSpace<half, 2>::origin<2>();
    p.height = half(lowest * factor);
    for (const double part : {1.0, 0.98, 0.9, 0.5, 0.1}) {
      // the place of p at radius `part`
      const bool inside = std::pow(lowest * factor, 1 / part) >= lowest * (1 - 0x1p-10);
      SCOPED_TRACE(std::to_string(factor) + " " + std::to_string(part));
      if (inside) {
        expect_kept<Rows>(part, p);
      } else {
        EXPECT_THROW(space.rescaled(Rows(part), Rescaling::keep_distances, p), DomainError);
      }
    }
  }
  // a thousandth of the distance is no rounding
  using Double = Xmc<double, 2>;
  auto low = XmcHalfSpace<double, 2>::origin<2>();
  low.height = halfspace_detail::lowest_height<double, 1>;
  expect_kept<Double>(1, low);
  EXPECT_THROW(Double(1).rescaled(Double(0.9995), Rescaling::keep_distances, low), DomainError);
  using Log = HalfSpaceRows<LogHalfSpace<double, 2>, double, 2, 2>;
  auto far = LogHalfSpace<double, 2>::origin<2>();
  far.height = f64x2(-400.0);
  EXPECT_THROW(Log(1).rescaled(Log(0.5), Rescaling::keep_distances, far), DomainError);
  expect_kept<Log>(0.7, far);
}

}  // namespace
}  // namespace mct::geometry_test
