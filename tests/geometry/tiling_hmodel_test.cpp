// The H-tiling against MPFR, in several dimensions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "mctensor/geometry/tiling/htiling.hpp"
#include "tests/message_of.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::geometry {
namespace {

using validation::true_distance;
using validation::Truth;
using validation::truth_of;
using validation::TruthPrecision;

template <class Space>
class HTilingTest : public ::testing::Test {
 protected:
  using Number = typename Space::Tangent::value_type;
  static constexpr std::size_t size = std::tuple_size_v<typename Space::Tangent>;
  using Place = HTilingPoint<Number, size>;

  static double unit() { return tiling_detail::unit_roundoff<Number>(); }
  static double plain(const Number& x) { return double(truth_of(x)); }
  static double error_in_units(const Number& value, const Truth& truth) {
    return double(Truth(abs(truth_of(value) - truth)) / unit());
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Number fraction() {
    Number x(uniform(0, 0.999));
    if constexpr (!std::is_arithmetic_v<Number>) x = x + Number(uniform(0, 1)) * Number(0x1p-30);
    return x;
  }
  /// A cube at a level of about `level`, so many bits to the side.
  Place random_point(std::int64_t level, int bits) {
    Place x;
    x.j = level + std::int64_t(random_() % 5);
    for (Integer& k : x.k) {
      k = Integer(std::int64_t(random_() >> 2)).shifted(bits - 62);
      if (random_() % 2 == 0) k = -k;
    }
    for (Number& z : x.z) z = fraction();
    x.z[size - 1] = x.z[size - 1] + Number(1);
    return x;
  }

  std::mt19937_64 random_{1};
};
using Spaces =
#ifdef MCT_EXHAUSTIVE
    ::testing::Types<HTiling<double, 2>, HTiling<double, 5>, HTiling<double, 1>, HTiling<float, 3>,
                     HTiling<f64x2, 2>, HTiling<f64x3, 3>, HTiling<f32x2, 2>>;
#else
    ::testing::Types<HTiling<double, 1>, HTiling<double, 5>, HTiling<float, 3>, HTiling<f64x2, 2>>;
#endif
TYPED_TEST_SUITE(HTilingTest, Spaces);

TYPED_TEST(HTilingTest, Distances) {
  using V = typename TestFixture::Number;
  using Point = typename TestFixture::Place;
  constexpr std::size_t n = TestFixture::size;
  const TypeParam space;
  const TruthPrecision precision(12000);
  for (const int level : {0, -1, -30, -866, -2000, 500}) {
    for (int i = 0; i < 100; ++i) {
      const int bits = i % 4 == 0 ? i % 3 : int(this->random_() % 1200);
      const Point x = this->random_point(level, bits);
      Point y = this->random_point(i % 3 == 0 ? level : -level,
                                   i % 4 == 0 ? bits : int(this->random_() % 1200));
      if (i % 5 == 0) {
        y = x;
        y.z[n - 1] = y.z[n - 1] + V(std::ldexp(0.3, -int(this->random_() % 40)));
        if (i % 2 == 0) y.z[0] = y.z[0] - V(std::ldexp(0.3, -int(this->random_() % 40)));
        if (y.z[n - 1] < V(1)) y.z[n - 1] = V(1);
        reduce(y);
      }
      const Truth truth = true_distance(truth_of(x), truth_of(y));
      const double d = double(truth);
      const double bound = (std::is_arithmetic_v<V> ? 2 : 10) * d + 4 * double(n) + 16;
      const double error = this->error_in_units(space.dist(x, y), truth);
      EXPECT_LE(error, bound) << d << ' ' << level;
      EXPECT_LE(this->error_in_units(space.dist(y, x), truth), bound);
      EXPECT_EQ(this->plain(space.dist(x, x)), 0);
    }
  }
}

TYPED_TEST(HTilingTest, Gradients) {
  using V = typename TestFixture::Number;
  using Point = typename TestFixture::Place;
  constexpr std::size_t n = TestFixture::size;
  const TypeParam space;
  const TruthPrecision precision(9000);
  for (int i = 0; i < 300; ++i) {
    const int level = i % 2 == 0 ? 0 : -500;
    const int bits = i % 4 == 0 ? i % 3 : int(this->random_() % 600);
    Point x = this->random_point(level, bits);
    Point y = this->random_point(i % 3 == 0 ? level : 300,
                                 i % 4 == 0 ? bits : int(this->random_() % 600));
    if (i % 5 == 0) {
      y = x;
      y.z[0] = y.z[0] + V(std::ldexp(0.3, -int(this->random_() % 15)));
      reduce(y);
    }
    const auto p = truth_of(x);
    const auto q = truth_of(y);
    Truth square = 0;
    for (std::size_t k = 0; k < n; ++k) square += (p[k] - q[k]) * (p[k] - q[k]);
    const Truth height = p[n - 1];
    const Truth t = square / (2 * height * q[n - 1]);
    const Truth sinh_d = sqrt(t * (t + 2));
    const double d = double(true_distance(p, q));
    const auto g = space.dist_gradient(x, y);
    for (std::size_t k = 0; k < n; ++k) {
      // by z: 2^j times the derivative by the coordinate
      Truth slope = (p[k] - q[k]) / (height * q[n - 1]);
      if (k + 1 == n) slope -= t / height;
      slope = ldexp(Truth(slope / sinh_d), int(x.j));
      const double error = this->error_in_units(g[k], slope) * std::tanh(d);
      EXPECT_LE(error, 2 * double(n) + 16) << d << ' ' << k;
    }
    EXPECT_LE(this->error_in_units(space.norm(x, space.egrad2rgrad(x, g)), Truth(1)) * std::tanh(d),
              400);
  }
}

TYPED_TEST(HTilingTest, ReductionKeepsThePoint) {
  using V = typename TestFixture::Number;
  using Point = typename TestFixture::Place;
  constexpr std::size_t n = TestFixture::size;
  const TruthPrecision precision(4000);
  for (int i = 0; i < 400; ++i) {
    Point x = this->random_point(-100, i % 3 == 0 ? 0 : int(this->random_() % 300));
    const int up = int(this->random_() % 40) - 20;
    for (V& z : x.z) z = tiling_detail::times_power(z, up);
    if (i % 2 == 0) x.z[0] = i % 4 == 0 || n == 1 ? x.z[0] : -x.z[0];
    Point y = x;
    reduce(y);
    EXPECT_TRUE(in_cube(y.z));
    // up to the roundings of z, which count in units of the new cube
    const double error = double(true_distance(truth_of(x), truth_of(y))) / this->unit();
    EXPECT_LE(error, 2 * std::sqrt(double(n))) << up;
  }
  Point x;
  x.z[n - 1] = V(1) - V(this->unit());
  if (n > 1) x.z[0] = -V(this->unit() * this->unit());
  reduce(x);
  EXPECT_TRUE(in_cube(x.z));
}

TYPED_TEST(HTilingTest, GeodesicsHaveTheirLength) {
  using V = typename TestFixture::Number;
  using Point = typename TestFixture::Place;
  constexpr std::size_t n = TestFixture::size;
  const TypeParam space;
  const TruthPrecision precision(12000);
  for (const double length : {1e-20, 1e-5, 0.5, 10.0, 79.0, 700.0}) {
    for (int i = 0; i < 20; ++i) {
      const Point x = this->random_point(-300, 400);
      std::array<V, n> v;
      for (V& c : v) c = V(this->uniform(-1, 1));
      if (i == 0) v.fill(V(0)), v[n - 1] = V(1);
      if (i == 1) v.fill(V(0)), v[n - 1] = V(-1);
      const V scale = V(length) / space.norm(x, v);
      for (V& c : v) c = c * scale;
      const Point y = space.expmap(x, v);
      EXPECT_TRUE(in_cube(y.z));
      const Truth d = true_distance(truth_of(x), truth_of(y));
      const double error = double(Truth(abs(d - truth_of(V(length)))) / this->unit());
      EXPECT_LE(error, 16 * (1 + length)) << length << ' ' << i;
      const auto w = space.logmap(x, y);
      for (std::size_t k = 0; k < n; ++k)
        EXPECT_LE(std::fabs(this->plain(w[k] - v[k])), 300 * (1 + length) * this->unit()) << length;
    }
  }
}

TYPED_TEST(HTilingTest, Conversions) {
  using V = typename TestFixture::Number;
  constexpr std::size_t n = TestFixture::size;
  const TypeParam space;
  for (int i = 0; i < 100; ++i) {
    std::array<V, n> x;
    for (V& c : x) c = V(this->uniform(-100, 100));
    x[n - 1] = V(std::exp(this->uniform(-15, 15)));
    const auto y = space.to_half_space(space.from_half_space(x));
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_LE(std::fabs(this->plain(y[k] - x[k])),
                4 * this->unit() * std::max(std::fabs(this->plain(x[k])), this->plain(x[n - 1])));
  }
}

TYPED_TEST(HTilingTest, DescentReachesAFarPoint) {
  using V = typename TestFixture::Number;
  using Point = typename TestFixture::Place;
  const TypeParam space;
  const Point goal = this->random_point(-200, 300);
  Point x = this->random_point(10, 3);
  int steps = 0;
  for (; steps < 2000 && this->plain(space.dist(x, goal)) > 1e-3; ++steps) {
    const double d = this->plain(space.dist(x, goal));
    x = space.rsgd_step(x, space.dist_gradient(x, goal), V(std::min(4.0, 0.7 * d)));
  }
  EXPECT_LE(this->plain(space.dist(x, goal)), 1e-3) << steps;
}

/// Heights at both ends of the range of V, beside coordinates of any size: exactly the point.
TYPED_TEST(HTilingTest, ExtremeHeights) {
  using V = typename TestFixture::Number;
  constexpr std::size_t n = TestFixture::size;
  using T = tiling_detail::limb_t<V>;
  using Limits = std::numeric_limits<T>;
  const TypeParam space;
  const TruthPrecision precision(6000);
  for (const T height : {Limits::denorm_min(), Limits::min(), T(1e-30), Limits::max()}) {
    for (const T side :
         {T(0.5), T(-0.3), T(1e10), -Limits::denorm_min(), Limits::max(), T(-1e-30), T(-1e-36)}) {
      std::array<V, n> x;
      x.fill(V(side));
      x[n - 1] = V(height);
      const auto point = space.from_half_space(x);
      EXPECT_TRUE(in_cube(point.z));
      const auto truth = truth_of(point);
      for (std::size_t i = 0; i < n; ++i) {
        const Truth error = abs(truth[i] - truth_of(x[i])) / truth_of(x[n - 1]);
        EXPECT_LE(double(error), 2 * this->unit()) << double(height) << ' ' << double(side);
      }
    }
  }
}

/// Tangents whose squares, or even inverses, are out of range.
TYPED_TEST(HTilingTest, TinyTangents) {
  using V = typename TestFixture::Number;
  using T = tiling_detail::limb_t<V>;
  const TypeParam space;
  for (const T tiny : {std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min() / 8,
                       std::numeric_limits<T>::min()}) {
    std::array<V, TestFixture::size> v;
    v.fill(V(0));
    v[0] = V(tiny);
    EXPECT_EQ(this->plain(space.norm(space.origin(), v)), double(tiny));
    const auto y = space.expmap(space.origin(), v);
    EXPECT_TRUE(in_cube(y.z));
    EXPECT_LE(this->plain(space.dist0(y)), 4 * this->unit());
  }
}

TEST(HTiling, CoordinatesBeyondTheRange) {
  const HTiling<double, 2> plane;
  HTilingPoint<double, 2> x;
  x.j = 1100;
  x.k[0] = -5;
  EXPECT_EQ(plane.to_half_space(x), (std::array<double, 2>{-INFINITY, INFINITY}));
  x.j = -1100;
  x.k[0] = Integer(5).shifted(1100);
  EXPECT_EQ(plane.to_half_space(x), (std::array<double, 2>{5, 0}));
}

TEST(HTiling, LevelsFarApart) {
  const HTiling<double, 2> plane(2.0);
  HTilingPoint<double, 2> x;
  HTilingPoint<double, 2> y;
  x.j = -(std::int64_t(1) << 39);
  y.j = std::int64_t(1) << 39;
  const double log2 = std::log(2.0);
  EXPECT_NEAR(plane.dist(x, y) / (2 * log2 * 0x1p40), 1, 1e-15);
  EXPECT_EQ(plane.dist_gradient(x, y)[1], -2);
  EXPECT_EQ(plane.dist_gradient(y, x)[1], 2);
  // k_1 = k_2 2^(j2 - j1), whose difference is zero, and k_2 far beyond the digits of k_1
  x.j = 0;
  x.k[0] = Integer(3).shifted(100);
  y.j = 100;
  y.k[0] = 3;
  EXPECT_NEAR(plane.dist(x, y), 200 * log2, 1e-13);
  y.j = std::int64_t(1) << 39;
  EXPECT_NEAR(plane.dist(x, y) / (2 * (log2 * 0x1p39 + std::log(10))), 1, 1e-15);
  y.j = (std::int64_t(1) << 40) + 1;
  EXPECT_NE(testing::message_of<DomainError>([&] { reduce(y); }).find("1099511627777"),
            std::string::npos);
}

TEST(HTiling, RefusesWhatIsNoPoint) {
  const HTiling<double, 3> space;
  const auto message = [](const auto& call) { return testing::message_of<DomainError>(call); };
  EXPECT_NE(message([&] {
              space.from_half_space({0, 0, 0});
            }).find("coordinate 2"),
            std::string::npos);
  EXPECT_NE(message([&] {
              space.from_half_space({0, NAN, 1});
            }).find("coordinate 1"),
            std::string::npos);
  EXPECT_NE(message([&] { space.expmap(space.origin(), {0, 0, INFINITY}); }), "");
  EXPECT_NE(message([&] { space.expmap(space.origin(), {0, NAN, 0}); }), "");
  EXPECT_NE(message([&] { HTiling<double, 2>(-1.0); }), "");
  // lengths that would take for ever
  for (const double length : {1e300, 0x1p30, -1.0, std::nan("")})
    EXPECT_NE(message([&] {
                space.advance({space.origin(), {1, 0, 0}}, length);
              }).find("a geodesic of length"),
              std::string::npos);
  EXPECT_NE(message([&] { space.expmap(space.origin(), {0, 0, 1e300}); }), "");
  EXPECT_NE(message([&] { HTiling<double, 2>(1e-300).expmap({}, {0, 1e20}); }), "");
}

}  // namespace
}  // namespace mct::geometry
