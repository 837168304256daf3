// Distances, gradients and geodesics of the L-tiling against MPFR.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/geometry/tiling/ltiling_product.hpp"
#include "tests/message_of.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::geometry {
namespace {

using validation::true_distance;
using validation::Truth;
using validation::truth_of;
using validation::TruthPrecision;

template <class V>
double unit() {
  return tiling_detail::unit_roundoff<V>();
}
template <class V>
double plain(const V& x) {
  return double(truth_of(x));
}

/// |value - truth| in units of u^N.
template <class V>
double error_in_units(const V& value, const Truth& truth) {
  return double(Truth(abs(truth_of(value) - truth)) / unit<V>());
}

/// The stated error of a distance d, in units of u^N.
template <class V>
double distance_bound(double d) {
  return (std::is_arithmetic_v<V> ? 2 : 10) * d + 64;
}

/// A point of F with all the digits of V.
template <class V>
std::array<V, 2> random_in_domain(std::mt19937_64& random) {
  std::uniform_real_distribution<double> coordinate(-1, 1);
  std::array<V, 2> u;
  do {
    for (V& x : u) {
      x = V(coordinate(random));
      if constexpr (!std::is_arithmetic_v<V>) x = x + V(coordinate(random)) * V(0x1p-30);
    }
  } while (!in_domain(u));
  return u;
}

/// A tile about so far from the origin.
LTile random_tile(double distance, std::mt19937_64& random) {
  LTile tile;
  const auto bits = std::int64_t(distance / std::log(2.0));
  while (tile.entry(0, 0).bit_length() <= bits) tile = tile * LTile::of(Generator(random() % 4));
  return tile;
}

template <class V>
class LTilingTest : public ::testing::Test {};
#ifdef MCT_EXHAUSTIVE
using Types = ::testing::Types<double, float, f64x2, f64x3, f32x2>;
#else
using Types = ::testing::Types<float, f64x2>;
#endif
TYPED_TEST_SUITE(LTilingTest, Types);

TYPED_TEST(LTilingTest, DistancesFarFromTheOrigin) {
  using V = TypeParam;
  const LTiling<V> plane;
  std::mt19937_64 random(1);
  for (const double far : {0.0, 3.0, 20.0, 37.0, 100.0, 600.0, 3000.0, 12000.0}) {
    const TruthPrecision precision(long(far * 6) + 400);
    for (int i = 0; i < (far > 1000 ? 1 : 30); ++i) {
      const LTile common = random_tile(far / 2, random);
      const LTilingPoint<V> x{common * random_tile(far / 2, random), random_in_domain<V>(random)};
      const LTilingPoint<V> y{common * random_tile(far / 2, random), random_in_domain<V>(random)};
      const Truth truth = true_distance(truth_of(x), truth_of(y));
      const double d = double(truth);
      const V ours = plane.dist(x, y);
      const double error = error_in_units(ours, truth);
      EXPECT_LE(error, distance_bound<V>(d)) << "d = " << d;
      EXPECT_LE(error_in_units(plane.dist(y, x), truth), distance_bound<V>(d));
      EXPECT_EQ(plain(plane.dist(x, x)), 0);
    }
  }
}

/// Neighbours that meet at an edge or a corner of the tiles, and points of one tile.
TYPED_TEST(LTilingTest, DistancesNearZero) {
  using V = TypeParam;
  const TruthPrecision precision(2000);
  const LTiling<V> plane;
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    LTilingPoint<V> x{random_tile(200, random), random_in_domain<V>(random)};
    LTilingPoint<V> y = x;
    const double step = std::ldexp(1.0, -int(random() % 50));
    y.u[0] = y.u[0] + V(step);
    if (i % 2 == 0) {
      // a shared edge or corner: out of the domain by about the step, on both sides
      x.u = {V(i % 4 == 0 ? 1 : 0.7), V(i % 4 == 0 ? 1 : 0)};
      y.u = {x.u[0] + V(step), x.u[1]};
      reduce(x);
    }
    reduce(y);
    const Truth truth = true_distance(truth_of(x), truth_of(y));
    const double error = error_in_units(plane.dist(x, y), truth);
    EXPECT_LE(error, distance_bound<V>(double(truth))) << step;
  }
}

/// The exact gradient by differences of the true distance, in MPFR.
template <class V>
std::array<Truth, 2> true_gradient(LTilingPoint<V> x, const LTilingPoint<V>& y) {
  const auto p = truth_of(x);
  const auto q = truth_of(y);
  // of z = p0 q0 - p1 q1 - p2 q2 by u, through p = L Z L^-1 h(u)
  const Truth root3 = sqrt(Truth(3));
  const Truth u0 = truth_of(x.u[0]);
  const Truth u1 = truth_of(x.u[1]);
  const Truth h = sqrt(1 + u0 * u0 + u1 * u1);
  const Truth z = p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
  std::array<Truth, 2> r;
  for (int i = 0; i < 2; ++i) {
    const Truth dh = (i == 0 ? u0 : u1) / h;
    Truth slope = 0;
    for (int row = 0; row < 3; ++row) {
      Truth dp = truth_of(x.tile.entry(row, 0)) * dh / root3 + truth_of(x.tile.entry(row, i + 1));
      if (row == 0) dp *= root3;
      slope += (row == 0 ? 1 : -1) * dp * q[std::size_t(row)];
    }
    r[std::size_t(i)] = slope / sqrt(z * z - 1);
  }
  return r;
}

TYPED_TEST(LTilingTest, Gradients) {
  using V = TypeParam;
  const LTiling<V> plane;
  std::mt19937_64 random(3);
  for (const double far : {0.0, 2.0, 20.0, 600.0, 10000.0}) {
    const TruthPrecision precision(long(far * 12) + 600);
    for (int i = 0; i < (far > 1000 ? 1 : 30); ++i) {
      const LTile common = random_tile(far, random);
      LTilingPoint<V> x{common * random_tile(far, random), random_in_domain<V>(random)};
      LTilingPoint<V> y{common * random_tile(far, random), random_in_domain<V>(random)};
      if (i % 4 == 0) {
        y = x;
        y.u[0] = y.u[0] * V(1 - std::ldexp(1.0, -int(random() % 20)));
      }
      if (plain(plane.dist(x, y)) == 0) continue;
      const auto truth = true_gradient(x, y);
      const auto ours = plane.dist_gradient(x, y);
      const double d = double(true_distance(truth_of(x), truth_of(y)));
      for (int k = 0; k < 2; ++k) {
        const double error =
            error_in_units(ours[std::size_t(k)], truth[std::size_t(k)]) * std::tanh(d);
        EXPECT_LE(error, 32) << d;
      }
      // the Riemannian gradient of a distance is a unit vector
      EXPECT_LE(error_in_units(plane.norm(x, plane.egrad2rgrad(x, ours)), Truth(1)) * std::tanh(d),
                200);
    }
  }
}

TYPED_TEST(LTilingTest, GeodesicsHaveTheirLength) {
  using V = TypeParam;
  const LTiling<V> plane;
  std::mt19937_64 random(4);
  for (const double length : {1e-30, 1e-8, 0.3, 2.0, 36.5, 700.0}) {
    const TruthPrecision precision(long(length * 8) + 2400);
    for (int i = 0; i < 10; ++i) {
      const LTilingPoint<V> x{random_tile(300, random), random_in_domain<V>(random)};
      const double angle = double(random() % 6283) / 1000;
      LTilingRay<V> ray{x, {}};
      std::array<V, 2> v = {V(std::cos(angle)), V(std::sin(angle))};
      const V scale = V(length) / plane.norm(x, v);
      v = {v[0] * scale, v[1] * scale};
      const auto y = plane.expmap(x, v);
      EXPECT_TRUE(in_domain(y.u) || plain(domain_function(y.u)) < 1 + 64 * unit<V>());
      const Truth d = true_distance(truth_of(x), truth_of(y));
      const double error = double(abs(d - Truth(length)) / unit<V>());
      EXPECT_LE(error, 64 * (1 + length)) << length;
      // and back: the direction is what e^length leaves of the digits
      const auto w = plane.logmap(x, y);
      if (length >= 1e-3) {
        EXPECT_LE(error_in_units(plane.norm(x, w), d), 200 * (1 + length));
      }
    }
  }
}

TYPED_TEST(LTilingTest, LogInvertsExp) {
  using V = TypeParam;
  const LTiling<V> plane(V(3));
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const LTilingPoint<V> x{random_tile(100, random), random_in_domain<V>(random)};
    const std::array<V, 2> v = {V(double(random() % 2000) / 1000 - 1),
                                V(double(random() % 2000) / 1000 - 1)};
    const auto w = plane.logmap(x, plane.expmap(x, v));
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_LE(std::fabs(plain(w[k] - v[k])), 400 * unit<V>()) << i;
    EXPECT_LE(std::fabs(plain(plane.dist(x, plane.expmap(x, v)) - plane.norm(x, v))),
              200 * unit<V>());
    EXPECT_EQ(plain(plane.dist(x, plane.expmap(x, {V(0), V(0)}))), 0);
  }
}

/// Theorem 3.2.3, with the dissertation's constant.
TYPED_TEST(LTilingTest, ReductionNeedsFewSteps) {
  using V = TypeParam;
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> exponent(
      -3, std::is_same_v<tiling_detail::limb_t<V>, float> ? 40 : 60);
  for (int i = 0; i < 3000; ++i) {
    const double angle = double(random() % 100000) * 1e-3;
    const double size = std::exp(exponent(random));
    LTilingPoint<V> x{LTile(), {V(size * std::cos(angle)), V(size * std::sin(angle))}};
    const double d = std::asinh(std::hypot(plain(x.u[0]), plain(x.u[1])));
    const int steps = reduce(x);
    EXPECT_LE(steps, 1 + 7 * d);
    EXPECT_LE(plain(domain_function(x.u)), 1 + 16 * unit<V>());
  }
}

/// Points on the border, where the strict test as printed does not end in floating point.
TYPED_TEST(LTilingTest, ReductionEndsOnTheBorder) {
  using V = TypeParam;
  std::mt19937_64 random(7);
  const auto check = [](LTilingPoint<V> x) {
    EXPECT_LE(reduce(x), 100);
    EXPECT_LE(plain(domain_function(x.u)), 1 + 16 * unit<V>());
  };
  for (const int i : {-1, 1})
    for (const int j : {-1, 1}) check({LTile(), {V(i), V(j)}});
  for (int i = 0; i < 3000; ++i) {
    // 2 p^2 - q^2 = 1
    const double q = double(random() % 2001) / 1000 - 1;
    using std::sqrt;
    const V p = sqrt((V(1) + V(q) * V(q)) / V(2));
    LTilingPoint<V> x{LTile(), {i % 2 == 0 ? p : V(q), i % 2 == 0 ? V(q) : -p}};
    check(x);
    Lorentz3<V> moved = act(Generator(random() % 4), lift(x.u));
    check({LTile(), {moved[1], moved[2]}});
  }
}

/// Reduction does not move the point it stands for.
TYPED_TEST(LTilingTest, ReductionKeepsThePoint) {
  using V = TypeParam;
  const TruthPrecision precision(2000);
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    std::uniform_real_distribution<double> coordinate(-20, 20);
    const LTilingPoint<V> x{random_tile(100, random),
                            {V(coordinate(random)), V(coordinate(random))}};
    LTilingPoint<V> y = x;
    reduce(y);
    EXPECT_LE(double(true_distance(truth_of(x), truth_of(y))), 1000 * unit<V>());
  }
}

TYPED_TEST(LTilingTest, Conversions) {
  using V = TypeParam;
  const LTiling<V> plane;
  std::mt19937_64 random(9);
  for (int i = 0; i < 300; ++i) {
    const double angle = double(random() % 6283) / 1000;
    const double r = double(random() % 1000) / 1001;
    const std::array<V, 2> b = {V(r * std::cos(angle)), V(r * std::sin(angle))};
    const auto back = plane.to_ball(plane.from_ball(b));
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LE(std::fabs(plain(back[k] - b[k])), 64 * unit<V>());
    EXPECT_LE(std::fabs(plain(plane.dist0(plane.from_ball(b))) -
                        2 * std::atanh(std::hypot(plain(b[0]), plain(b[1])))),
              64 * (unit<V>() + unit<double>()) / (1 - r * r));
  }
  const auto far = plane.from_polar(V(650), {V(0.6), V(0.8)});
  EXPECT_NEAR(plain(plane.dist0(far)), 650, 650 * 64 * unit<V>());
  EXPECT_NEAR(plain(plane.to_ball(far)[0]), 0.6, 1e-6);
  EXPECT_NEAR(plain(plane.to_ball(far)[1]), 0.8, 1e-6);
}

/// Gradient descent finds a point at a distance of hundreds.
TYPED_TEST(LTilingTest, DescentReachesAFarPoint) {
  using V = TypeParam;
  const LTiling<V> plane(V(2));
  std::mt19937_64 random(10);
  const LTilingPoint<V> goal{random_tile(150, random), random_in_domain<V>(random)};
  for (const bool riemannian : {true, false}) {
    LTilingPoint<V> x{random_tile(150, random), random_in_domain<V>(random)};
    int steps = 0;
    // the gradient of d^2 / 2, at most 4
    for (; steps < 3000 && plain(plane.dist(x, goal)) > 1e-3; ++steps) {
      const double d = plain(plane.dist(x, goal));
      auto g = plane.dist_gradient(x, goal);
      const V rate(std::min(d, 4.0) * (riemannian ? 0.25 : 0.2));
      x = riemannian ? plane.rsgd_step(x, g, rate) : plane.sgd_step(x, g, rate);
    }
    EXPECT_LE(plain(plane.dist(x, goal)), 1e-3) << riemannian << ' ' << steps;
  }
}

/// Tangents whose squares, or even inverses, are out of range.
TYPED_TEST(LTilingTest, TinyTangents) {
  using V = TypeParam;
  using T = tiling_detail::limb_t<V>;
  const LTiling<V> plane;
  for (const T size : {std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min() / 8,
                       std::numeric_limits<T>::min()}) {
    const std::array<V, 2> v = {V(0), V(-size)};
    EXPECT_EQ(plain(plane.norm(plane.origin(), v)), double(size));
    EXPECT_NEAR(plain(plane.dist0(plane.expmap(plane.origin(), v))), 0, 4 * unit<V>());
    EXPECT_NEAR(plain(plane.dist0(plane.from_polar(V(1), v))), 1, 64 * unit<V>());
  }
}

TEST(LTiling, RefusesWhatIsNotFinite) {
  const LTiling<double> plane;
  const auto origin = plane.origin();
  const auto message = [](const auto& call) { return testing::message_of<DomainError>(call); };
  EXPECT_NE(message([&] { plane.from_hyperboloid({NAN, 0}); }).find("nan"), std::string::npos);
  EXPECT_NE(message([&] { plane.from_ball({1, 0}); }), "");
  EXPECT_NE(message([&] { plane.expmap(origin, {0, INFINITY}); }), "");
  EXPECT_NE(message([&] { plane.from_polar(-1, {1, 0}); }), "");
  EXPECT_NE(message([&] { plane.from_polar(1, {0, 0}); }), "");
  EXPECT_NE(message([&] { plane.sgd_step(origin, {1, 0}, INFINITY); }), "");
  EXPECT_NE(message([&] { LTiling<double>(0.0); }), "");
  // lengths that would take for ever, at radius 1
  for (const double length : {1e300, 2e7, std::nan("")})
    EXPECT_NE(message([&] {
                plane.from_polar(length, {1, 0});
              }).find("a geodesic of length"),
              std::string::npos);
  EXPECT_NE(message([&] { plane.expmap(origin, {0, 1e300}); }), "");
  EXPECT_NE(message([&] { LTiling<double>(1e-300).from_polar(1e20, {1, 0}); }), "");
}

TEST(LTiling, Products) {
  const LTilingProduct<double> space(3);
  const LTiling<double>& plane = space.factor();
  auto x = space.origin();
  auto y = space.origin();
  const double lengths[] = {300, 400, 0};
  for (std::size_t i = 0; i < 3; ++i)
    y[i] = plane.from_polar(lengths[i], {std::cos(double(i)), std::sin(double(i))});
  EXPECT_NEAR(space.dist(x, y), 500, 500 * 64 * unit<double>());
  const auto g = space.dist_gradient(x, y);
  EXPECT_NEAR(std::hypot(g[0][0], g[0][1]), 0.6, 1e-14);
  EXPECT_NEAR(std::hypot(g[1][0], g[1][1]), 0.8, 1e-14);
  EXPECT_EQ(g[2][0], 0);
  for (int i = 0; i < 100; ++i) x = space.rsgd_step(x, space.dist_gradient(x, y), 4);
  EXPECT_NEAR(space.dist(x, y), 100, 1e-9);
  EXPECT_NE(testing::message_of<ShapeError>([&] { space.dist(x, {}); }).find("3"),
            std::string::npos);
  EXPECT_NE(testing::message_of<DomainError>([] { LTilingProduct<double>(0); }), "");
}

}  // namespace
}  // namespace mct::geometry
