// Points in a narrower type are points still. With -O2, where compilers are tempted to look at the
// numbers before they were rounded.
#include "mctensor/geometry/round_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/klein.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/tensors/methods.hpp"

namespace mct::geometry_test::round_points_cases {
namespace {

using namespace mct::geometry;
using P = Point<double, 3>;

template <class V>
P widened(const Point<V, 3>& x) {
  return {double(x[0]), double(x[1]), double(x[2])};
}

/// Calls see(manifold, point) for points near the origin and far out, of radii of V's range.
template <class V, template <class> class Model, class See>
void each_point(const See& see) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const double range = std::is_same_v<V, half> ? 8 : 60;
  for (int i = 0; i < 4000; ++i) {
    const double k = i % 2 == 0 ? 1 : std::exp(range * std::tanh(normal(random)));
    const Model<double> m(k);
    P u{normal(random), normal(random), normal(random)};
    if constexpr (std::is_same_v<Model<double>, Lorentz<double>>) u[0] = 0;
    // coordinates of the half-space have no unit
    const double unit = std::is_same_v<Model<double>, HalfSpace<double>> ? 1 : k;
    const double length = unit * std::fmin(std::exp(3 * normal(random)), 40);
    see(m, m.expmap0(u * (length / norm(u))));
  }
}

template <class V, template <class> class Ball>
void expect_points_of_ball() {
  const double u = geometry::detail::unit_roundoff<V>(), eta = double(FloatTraits<V>::eta);
  each_point<V, Ball>([&](const auto& m, const P& z) {
    const P r = widened(round_points<V>(m, z));
    EXPECT_TRUE(m.check_point(r)) << m.radius() << ": " << r[0] << " " << r[1] << " " << r[2];
    EXPECT_LE(norm(r - z), 2.04 * u * norm(z) + 2 * eta);
  });
}
TEST(RoundPoints, OfBallsAreInside) {
  expect_points_of_ball<float, PoincareBall>();
  expect_points_of_ball<half, PoincareBall>();
  expect_points_of_ball<bfloat16, PoincareBall>();
  expect_points_of_ball<float, Klein>();
}

template <class V>
void expect_heights() {
  each_point<V, HalfSpace>([](const auto& m, const P& z) {
    const auto r = round_points<V>(m, z);
    EXPECT_GT(double(r[2]), 0) << z[2];
    EXPECT_EQ(double(r[0]), double(V(z[0])));
    if (double(V(z[2])) != 0) {
      EXPECT_EQ(double(r[2]), double(V(z[2])));
    }
  });
}
TEST(RoundPoints, HeightsArePositive) {
  expect_heights<float>();
  expect_heights<half>();
  expect_heights<bfloat16>();
}

TEST(RoundPoints, OfTheHyperboloidAreNearest) {
  each_point<float, Lorentz>([](const auto& m, const P& z) {
    const auto r = round_points<float>(m, z);
    if (std::isfinite(float(z[0]))) {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(r[i], float(z[i]));
    } else {
      EXPECT_NEAR(r[0] / FloatTraits<float>::max, 1, 0x1p-20F);
      EXPECT_NEAR(r[1] * z[2], r[2] * z[1], 0x1p-20 * std::abs(r[1] * z[2]));
    }
    EXPECT_TRUE(m.check_point(widened(r), 0x1p30));
  });
}

/// A tensor's points are rounded as each alone.
TEST(RoundPoints, OfTensors) {
  const PoincareBall<double> ball(0.7);
  const auto x = random_normal(ball, {50, 2, 3}, 1, 6.0);
  const Tensor<float> rounded = round_points<float>(ball, x);
  ASSERT_EQ(rounded.shape(), x.shape());
  int moved = 0;
  for (std::int64_t i = 0; i < 50; ++i) {
    const Point<double> z{x.at({i, 1, 0}), x.at({i, 1, 1}), x.at({i, 1, 2})};
    const auto r = round_points<float>(ball, z);
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(rounded.at({i, 1, j}), r[j]);
      moved += r[j] != float(z[j]);
    }
  }
  EXPECT_GT(moved, 0);
  EXPECT_THROW(round_points<float>(Lorentz<double>(), Tensor<double>({3, 1})), ShapeError);
}

/// What is no point stays none. What the type cannot hold is far away, but no point at infinity.
TEST(RoundPoints, OfWhatIsNone) {
  const PoincareBall<double> ball;
  EXPECT_TRUE(std::isnan(round_points<float>(ball, P(NAN, 0, 0))[0]));
  const P far(std::sqrt(1 + 1e10), 1e5, 0);
  const auto last = round_points<half>(Lorentz<double>(), far);
  EXPECT_GE(float(last[0]), 0.997F * 65504);
  EXPECT_TRUE(std::isfinite(float(last[0])));
  EXPECT_EQ(float(last[1]), float(last[0]));
  EXPECT_TRUE(std::isinf(float(round_points<half>(Lorentz<double>(1e5), far)[0])));
  EXPECT_EQ(float(round_points<half>(HalfSpace<double>(), P(0, 0, 1e5))[2]), 0x1p12F);
}

}  // namespace
}  // namespace mct::geometry_test::round_points_cases
