// Isometries of the half-space by their images: what keeps distances and fits its inverse may still
// be another isometry.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/geometry/isometry.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test::isometry_values_cases {
namespace {

using namespace mct::geometry;

using P = Point<double, 3>;
const HalfSpace<double> half_space(1.0);

void expect_near(const P& x, const P& y) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], y[i], 0x1p-50) << i;
}

TEST(HalfSpaceIsometries, RotationsTurnAboutTheVerticalAxis) {
  const P x(0.75, -0.5, 2.0);
  const double angle = 0.875;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const auto turn = rotate(half_space, x, 0, 1, angle);
  expect_near(turn(x), P(c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]));
  expect_near(turn(P(0.0, 0.0, 3.0)), P(0.0, 0.0, 3.0));
}

TEST(HalfSpaceIsometries, TranslationsAndInversions) {
  const P x(0.75, -0.5, 2.0);
  const P c(0.25, 4.0, 0.0);
  expect_near(translate(half_space, c, 1.5)(x), x * 1.5 + c);
  expect_near(invert(half_space, x)(x), x / (0.75 * 0.75 + 0.25 + 4));
  EXPECT_EQ(testing::message_of<ShapeError>([&] { rotate(half_space, x, 0, 2, 1.0); }),
            "rotate: coordinate 2 is the height of the half-space; a rotation turns horizontal "
            "coordinates only");
  for (const double scale : {0.0, -1.0, double(NAN), double(INFINITY)})
    EXPECT_THROW(translate(half_space, c, scale), DomainError);
}

TEST(HalfSpaceIsometries, InversionsOfDifferentScalesThatCancel) {
  const P x(0.75, -0.5, 2.0);
  const P zero(0.0, 0.0, 0.0);
  const auto flip = invert(half_space, x);
  // 2 x turned inside out after 3 x turned inside out: x / 6 is left
  const auto f = compose(flip, translate(half_space, zero, 2.0));
  const auto g = compose(translate(half_space, zero, 3.0), flip);
  const auto both = compose(f, g);
  EXPECT_FALSE(both.inverts);
  expect_near(both(x), x / 6.0);
  expect_near(f(g(x)), x / 6.0);
}

}  // namespace
}  // namespace mct::geometry_test::isometry_values_cases
