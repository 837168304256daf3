// Points of every half-space representation at other radii, next to the origin and at the end of
// the range.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {
namespace {

/// x at another radius has its distance from the origin, up to the rounding of its coordinates.
template <class Rows>
void expect_kept(double radius, const typename Rows::RowPoint& x) {
  using Kept = std::decay_t<decltype(std::declval<Rows>().space())>;
  const Rows space(1);
  const Rows to(radius);
  const auto origin = Kept::template origin<2>();
  const double before = double(space.space().template dist<2>(origin, x));
  SCOPED_TRACE(Rows::name() + " " + number_text(before) + " " + number_text(radius));
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
      SCOPED_TRACE(number_text(factor) + " " + number_text(part));
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
