// Conversions between the models, and points of the ball that carry their gap: to distance 300.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::validation;

using namespace mct::geometry;
using validation::norm;

template <class V>
class PointsTest : public ::testing::Test {
 public:
  static constexpr double k = manifold_bound<V>(4);
  static constexpr double radius = 1.5;

  /// All conversions of points of one model.
  template <template <class> class From>
  void convert_all(double farthest) {
    Cases<From, V> cases(radius);
    const ManifoldOracle from(ModelInfo<From>::chart, Big(radius));
    for (int i = 0; i < 40; ++i) {
      const auto x = cases.point(cases.uniform(0, i % 2 == 0 ? 2 : farthest));
      const BigVector X = from.to_space(validation::big_vector(x));
      check<PoincareBall>(cases.manifold, x, X);
      check<HalfSpace>(cases.manifold, x, X);
      check<Lorentz>(cases.manifold, x, X);
      check<Klein>(cases.manifold, x, X);
      check<Hemisphere>(cases.manifold, x, X);
    }
  }

 private:
  template <template <class> class To, class From, int n>
  void check(const From& from, const Point<V, n>& x, const BigVector& X) {
    const ManifoldOracle to(ModelInfo<To>::chart, Big(radius));
    const BigVector exact = to.from_space(X);
    const auto z = convert<To>(from, x);
    ASSERT_EQ(int(exact.size()), z.size());
    const BigVector error = validation::big_vector(z) - exact;
    const Big bound = Big(2 * k) * unit<V>();
    EXPECT_TRUE(norm(error) <= bound * norm(exact));
    // heights, too, have all their digits
    if (ModelInfo<To>::model == Model::half_space) {
      EXPECT_TRUE(abs(error.back()) <= bound * exact.back());
    }
  }
};

#ifdef MCT_EXHAUSTIVE
using Types = ::testing::Types<double, float, f64x2>;
#else
using Types = ::testing::Types<float, f64x2>;
#endif
TYPED_TEST_SUITE(PointsTest, Types);

TYPED_TEST(PointsTest, ConversionsBetweenAllModels) {
  using V = TypeParam;
  const double far = 0.3 * FloatTraits<Limb<V>>::emax;
  this->template convert_all<PoincareBall>(ModelInfo<PoincareBall>::template farthest<V>());
  this->template convert_all<Klein>(ModelInfo<Klein>::template farthest<V>());
  this->template convert_all<HalfSpace>(far);
  this->template convert_all<Lorentz>(far);
  this->template convert_all<Hemisphere>(ModelInfo<Hemisphere>::template farthest<V>());
}

template <class V>
class BallPointTest : public ::testing::Test {
 public:
  static constexpr int n = 3;
  using P = Point<V, n>;
  static constexpr double k = manifold_bound<V>(n);

  /// The exact point that coordinates and gap stand for.
  BigVector space(const BallPoint<V, n>& a) const {
    const BigVector x = validation::big_vector(a.x);
    const Big k2 = K * K;
    const Big gap = Big(a.gap);
    if (Big(0.5) * k2 > gap) return x * (Big(2) * k2 * sqrt(k2 - gap) / (norm(x) * gap));
    return x * (Big(2) * k2 / (k2 - validation::dot(x, x)));
  }
  Big distance(const BallPoint<V, n>& a, const BallPoint<V, n>& b) const {
    return oracle.dist(lifted(a), lifted(b));
  }
  BigVector lifted(const BallPoint<V, n>& a) const { return oracle.from_space(space(a)); }

  BallPoint<V, n> make(double distance) {
    P u = cases.tangent(ball.template origin<n>(), distance);
    return ball_expmap0(ball, u);
  }

  Cases<PoincareBall, V> cases{1.5};
  PoincareBall<V> ball = cases.manifold;
  Big K = Big(ball.radius());
  ManifoldOracle oracle{Model::lorentz, K};
};

using FarTypes = ::testing::Types<double, f64x2>;
TYPED_TEST_SUITE(BallPointTest, FarTypes);

TYPED_TEST(BallPointTest, DistancesToRadius300) {
  using V = TypeParam;
  for (const double r : {0.01, 1.0, 5.0, 36.0, 37.0, 40.0, 80.0, 150.0, 300.0}) {
    for (const double t : {0.01, 1.0, 2.0, 30.0, 80.0, 300.0}) {
      const auto a = this->make(r), b = this->make(t);
      const Big d = this->distance(a, b);
      EXPECT_LE(double(abs(Big(dist(this->ball, a, b)) - d) / (d * unit<V>())), this->k)
          << r << ' ' << t;
      const Big size = this->oracle.dist(this->lifted(a), this->oracle.from_space(BigVector(3)));
      EXPECT_LE(double(abs(Big(dist0(this->ball, a)) - size) / (size * unit<V>())), this->k);
      // and the point is where it was sent
      EXPECT_NEAR(double(dist0(this->ball, a)) / (1.5 * r), 1, 1e-14);
      // near points: a nudge of direction, a nudge of the gap
      auto c = a;
      c.gap = c.gap * V(1 + 0x1p-30);
      if (double(a.gap) >= 0.5 * 1.5 * 1.5) continue;
      const Big near = this->distance(a, c);
      EXPECT_LE(double(abs(Big(dist(this->ball, a, c)) - near) / (near * unit<V>())),
                this->k * 0x1p31);
      EXPECT_EQ(dist(this->ball, a, a), V(0));
    }
  }
}

TYPED_TEST(BallPointTest, OfOtherSizesIsRefused) {
  using V = TypeParam;
  const auto two = ball_point(this->ball, Point<V>{V(0.1), V(0.2)});
  const auto three = ball_point(this->ball, Point<V>{V(0.1), V(0.2), V(0.3)});
  EXPECT_THROW(dist(this->ball, two, three), ShapeError);
}

TYPED_TEST(BallPointTest, LengthOfCoordinatesIsOfNoConsequence) {
  using V = TypeParam;
  for (const double r : {0.9, 1.0, 5.0, 40.0, 300.0}) {
    for (const double t : {0.01, 0.5, 0.87, 1.0, 30.0}) {
      auto a = this->make(r);
      const auto b = this->make(t);
      if (double(a.gap) >= 0.5 * 1.5 * 1.5) continue;
      for (const double length : {1.0, 0x1p-40, 0.3, 7.0, 1e9}) {
        a.x = a.x * V(Limb<V>(length));
        const Big d = this->distance(a, b);
        const double relative = this->k * double(unit<V>());
        EXPECT_LE(double(abs(Big(dist(this->ball, a, b)) - d) / d), relative) << r << ' ' << t;
        EXPECT_LE(double(abs(Big(dist(this->ball, b, a)) - d) / d), relative) << r << ' ' << t;
        const Big from = Big(2) * this->K * this->K / Big(b.gap);
        const Big there = Big(geometry::norm(logmap(this->ball, b, a))) * from;
        EXPECT_LE(double(abs(there - d) / d), 10 * relative) << r << ' ' << t;
      }
    }
  }
}

/// The gap is a number while r + s < 700.
TYPED_TEST(BallPointTest, ExponentialsToTheEndOfTheRange) {
  using V = TypeParam;
  for (const double r : {1.0, 40.0, 200.0}) {
    const auto a = this->make(r);
    const double s = (std::is_same_v<V, double> ? 699 : 600) - r;
    const V scale = a.gap / (V(2) * this->ball.radius());  // of a vector of length 1 over K
    const auto outward = expmap(this->ball, a, a.x * V(scale * V(s) / geometry::norm(a.x)));
    EXPECT_NEAR(double(dist0(this->ball, outward)) / (1.5 * (r + s)), 1, 1e-13) << r;
    auto u = this->cases.tangent(this->ball.template origin<3>(), 1);
    u = u - a.x * V(dot(u, a.x) / dot(a.x, a.x));
    const auto sideways = expmap(this->ball, a, u * V(scale * V(s) / geometry::norm(u)));
    const double end = r + s - std::log(2 / (1 + std::exp(-2 * r)));  // cosh r cosh s
    EXPECT_NEAR(double(dist0(this->ball, sideways)) / (1.5 * end), 1, 1e-13) << r;
  }
}

TYPED_TEST(BallPointTest, LogarithmsAndExponentials) {
  using V = TypeParam;
  for (const double r : {0.01, 1.0, 36.0, 40.0, 150.0, 300.0}) {
    const auto a = this->make(r);
    const auto back = logmap0(this->ball, a);
    EXPECT_NEAR(double(geometry::norm(back)) / (0.75 * r), 1, 1e-14) << r;
    for (const double s : {1e-12, 0.01, 1.0, 4.0}) {
      // a vector of length s at a, in any direction: the gap sets its scale
      auto u = this->cases.tangent(this->ball.template origin<3>(), s);
      u = u * V(a.gap / (this->ball.radius() * this->ball.radius()));
      const auto b = expmap(this->ball, a, u);
      const Big d = this->distance(a, b);
      // directions of points are known to u^N: a turn that counts e^r at distance r
      const Big blur = r < 36 ? exp(Big(r)) : exp(Big(r + s));
      const Big slack = unit<V>() * Big(20 * this->k) * (Big(1 + r) + blur / Big(1));
      EXPECT_TRUE(abs(d - Big(1.5) * Big(s)) <= slack) << r << ' ' << s;
      const auto v = logmap(this->ball, a, b);
      const Big length = Big(geometry::norm(v)) * Big(2) * this->K * this->K / Big(a.gap);
      EXPECT_TRUE(abs(length - d) <= d * unit<V>() * Big(10 * this->k)) << r << ' ' << s;
    }
    // outward and inward along the ray, by powers of two of the coordinates, nothing turns: all
    // digits at any radius
    for (const double s : {-0.4 * r, -0.5, 1.0, 10.0}) {
      int exponent = 0;
      std::frexp(std::fabs(s) * double(a.gap) / 4.5, &exponent);
      const V power = V(std::copysign(std::ldexp(1.0, exponent), s));
      const auto b = expmap(this->ball, a, a.x * power);
      const Big step =
          Big(power) * Big(2) * this->K * norm(validation::big_vector(a.x)) / Big(a.gap);
      const Big start = this->oracle.dist(this->lifted(a), this->oracle.from_space(BigVector(3)));
      const Big end = abs(start + step * this->K);
      EXPECT_LE(
          double(abs(Big(dist0(this->ball, b)) - end) / (unit<V>() * (start + end + abs(step)))),
          10 * this->k)
          << r << ' ' << s;
    }
  }
}

TYPED_TEST(BallPointTest, HalfSpaceAndBack) {
  using V = TypeParam;
  const HalfSpace<V> half(this->ball.radius());
  const ManifoldOracle chart(Model::half_space, this->K);
  for (int i = 0; i < 40; ++i) {
    const auto a = this->make(this->cases.uniform(0, i % 2 == 0 ? 3 : 300));
    const auto b = this->make(this->cases.uniform(0, i % 2 == 0 ? 3 : 300));
    const auto x = convert<HalfSpace>(this->ball, a);
    const auto y = convert<HalfSpace>(this->ball, b);
    const BigVector exact = chart.from_space(this->space(a));
    const BigVector error = validation::big_vector(x) - exact;
    EXPECT_TRUE(norm(error) <= Big(2 * this->k) * unit<V>() * norm(exact)) << i;
    EXPECT_TRUE(abs(error.back()) <= Big(2 * this->k) * unit<V>() * exact.back()) << i;
    const auto c = to_ball_point(half, x);
    EXPECT_NEAR(double(c.gap / a.gap), 1, 1e-12) << i;
    const double d = double(dist(this->ball, a, b));
    EXPECT_NEAR(double(half.dist(x, y)) / d, 1, 1e-12) << i;
  }
}

TYPED_TEST(BallPointTest, AgreesWithTheBallNearTheOrigin) {
  using V = TypeParam;
  for (int i = 0; i < 40; ++i) {
    const auto x = this->cases.point(this->cases.uniform(0, 4));
    const auto y = this->cases.point(this->cases.uniform(0, 4));
    const auto a = ball_point(this->ball, x), b = ball_point(this->ball, y);
    const double tolerance = 200 * this->k * double(unit<V>());
    EXPECT_NEAR(double(dist(this->ball, a, b) / this->ball.dist(x, y) - V(1)), 0, tolerance);
    const auto u = this->ball.logmap(x, y);
    EXPECT_LE(double(geometry::norm(logmap(this->ball, a, b) - u)), tolerance);
    const auto z = expmap(this->ball, a, u);
    EXPECT_LE(double(geometry::norm(z.x - this->ball.expmap(x, u))), tolerance * 50);
    EXPECT_NEAR(double(z.gap / this->ball.gap(this->ball.expmap(x, u)) - V(1)), 0,
                tolerance * 50 / double(z.gap));
  }
}

/// Every method that reads a coordinate refuses a point that has too few of them.
template <class M>
void expect_refused(const M& m, int n) {
  using P = Point<double>;
  const P x(n);
  EXPECT_THROW(m.dist(x, x), ShapeError);
  EXPECT_THROW(m.dist0(x), ShapeError);
  EXPECT_THROW(m.inner(x, x, x), ShapeError);
  EXPECT_THROW(m.norm(x, x), ShapeError);
  EXPECT_THROW(m.expmap(x, x), ShapeError);
  EXPECT_THROW(m.expmap0(x), ShapeError);
  EXPECT_THROW(m.logmap(x, x), ShapeError);
  EXPECT_THROW(m.logmap0(x), ShapeError);
  EXPECT_THROW(m.retr(x, x), ShapeError);
  EXPECT_THROW(m.ptransp(x, x, x), ShapeError);
  EXPECT_THROW(m.ptransp0(x, x), ShapeError);
  EXPECT_THROW(m.geodesic(0.5, x, x), ShapeError);
  EXPECT_THROW(m.projx(x), ShapeError);
  EXPECT_THROW(m.proju(x, x), ShapeError);
  EXPECT_THROW(m.egrad2rgrad(x, x), ShapeError);
  EXPECT_THROW(m.check_point(x), ShapeError);
  EXPECT_THROW(m.check_vector(x, x), ShapeError);
  EXPECT_THROW(m.origin(n), ShapeError);
  EXPECT_THROW(m.random_normal(n, 1), ShapeError);
  const P good = m.origin(2);
  EXPECT_THROW(m.ptransp(good, good, P(3)), ShapeError);
  EXPECT_THROW(m.inner(good, good, P(3)), ShapeError);
}

TEST(PointsOfRunTimeSize, TooFewCoordinates) {
  expect_refused(PoincareBall<double>(), 0);
  expect_refused(HalfSpace<double>(), 0);
  expect_refused(Klein<double>(), 0);
  expect_refused(Euclidean<double>(), 0);
  expect_refused(Sphere<double>(), 0);
  for (const int n : {0, 1}) {
    expect_refused(Lorentz<double>(), n);
    expect_refused(Hemisphere<double>(), n);
    EXPECT_THROW(convert<HalfSpace>(Lorentz<double>(), Point<double>(n)), ShapeError);
    EXPECT_THROW(to_ball_point(Hemisphere<double>(), Point<double>(n)), ShapeError);
  }
  EXPECT_THROW(convert<Lorentz>(HalfSpace<double>(), Point<double>()), ShapeError);
}

TEST(PointsOfRunTimeSize, SizesThatDiffer) {
  using P = Point<double>;
  const Lorentz<double> lorentz;
  const P x = lorentz.origin(4);
  const P e{1.0, 0.0, 0.0}, f{0.0, 1.0, 0.0};
  EXPECT_THROW(lorentz_boost(lorentz, x, P{1.0, 0.0}, 0.5), ShapeError);
  EXPECT_THROW(lorentz_boost(lorentz, P{1.0}, P(), 0.5), ShapeError);
  EXPECT_THROW(lorentz_rotation(lorentz, x, P{1.0, 0.0}, f, 0.5), ShapeError);
  EXPECT_THROW(lorentz_rotation(lorentz, x, e, P{0.0, 1.0, 0.0, 0.0}, 0.5), ShapeError);
  const PoincareBall<double> ball;
  const BallPoint<double> a{e * 0.5, 0.75}, b{P{0.1}, 0.99}, none{P(), 1.0};
  EXPECT_THROW(dist(ball, a, b), ShapeError);
  EXPECT_THROW(dist(ball, b, a), ShapeError);
  EXPECT_THROW(dist(ball, none, none), ShapeError);
  EXPECT_THROW(expmap(ball, a, P{0.1}), ShapeError);
  EXPECT_THROW(expmap(ball, none, P()), ShapeError);
  EXPECT_THROW(logmap(ball, a, b), ShapeError);
  EXPECT_THROW(logmap(ball, none, none), ShapeError);
  EXPECT_THROW(convert<HalfSpace>(ball, none), ShapeError);
  EXPECT_THROW(busemann(ball, P(), P()), ShapeError);
  EXPECT_THROW(translate(HalfSpace<double>(), P(), 1.0), ShapeError);
  EXPECT_THROW(weighted_midpoint(lorentz, std::vector{P(), P()}, {1.0, 1.0}), ShapeError);
}

/// A point far outside comes to the boundary, in its own direction, in any number of coordinates.
template <template <class> class M, class V>
void expect_direction_kept(double u) {
  for (const double radius : {1.0, 1.5}) {
    const M<V> m{V(radius)};
    for (const int n : {1, 2, 3, 100, 768, 4096}) {
      Point<V> x(n);
      x[0] = V(2);
      if (n > 1) x[n - 1] = V(-3);
      const Point<V> z = m.projx(x);
      EXPECT_TRUE(m.check_point(z)) << n;
      const double a = double(z[0]), b = n > 1 ? double(z[n - 1]) : 0;
      EXPECT_GT(a, 0) << n;
      EXPECT_NEAR(b, n > 1 ? -1.5 * a : 0, 4 * radius * u) << n;
      EXPECT_NEAR(std::hypot(a, b), radius, (8 + n * 0x1p-40) * radius * u) << n;
      for (int i = 1; i < n - 1; ++i) ASSERT_EQ(double(z[i]), 0);
      EXPECT_TRUE(m.projx(z) == z);
    }
  }
}

TEST(Projections, KeepTheDirection) {
  expect_direction_kept<PoincareBall, half>(0x1p-11);
  expect_direction_kept<PoincareBall, bfloat16>(0x1p-8);
  expect_direction_kept<PoincareBall, float>(0x1p-24);
  expect_direction_kept<PoincareBall, double>(0x1p-40);
  expect_direction_kept<PoincareBall, f64x2>(0x1p-52);
  expect_direction_kept<Klein, half>(0x1p-11);
  expect_direction_kept<Klein, bfloat16>(0x1p-8);
}

TEST(Projections, WithoutADirection) {
  using P = Point<double, 3>;
  const Sphere<double> sphere(1.5);
  EXPECT_TRUE(sphere.projx(P()) == sphere.origin<3>());
  const Hemisphere<double> hemisphere(1.5);
  EXPECT_TRUE(hemisphere.projx(P()) == hemisphere.origin<3>());
  EXPECT_TRUE(hemisphere.projx(P(0.0, 0.0, -1.0)) == hemisphere.origin<3>());
  // from below, sideways to the rim
  const P rim = hemisphere.projx(P(3.0, -4.0, -1.0));
  EXPECT_TRUE(hemisphere.check_point(rim));
  EXPECT_NEAR(rim[0], 0.9, 1e-15);
  EXPECT_NEAR(rim[1], -1.2, 1e-15);
}

template <class V>
void expect_logarithm_of_antipode() {
  Cases<Sphere, V> cases(1.5);
  const auto& sphere = cases.manifold;
  for (int i = 0; i < 20; ++i) {
    const auto x =
        i == 0 ? sphere.template origin<Cases<Sphere, V>::n>() : cases.point(cases.uniform(0, 3));
    const auto u = sphere.logmap(x, -x);
    const double slack = 64 * double(unit<V>());
    EXPECT_TRUE(sphere.check_vector(x, u, 64)) << i;
    EXPECT_NEAR(double(geometry::norm(u)), 1.5 * M_PI, slack + 1e-15) << i;
    EXPECT_LE(double(geometry::norm(sphere.expmap(x, u) + x)), slack) << i;
  }
}

TEST(SphereLogarithm, OfTheAntipode) {
  expect_logarithm_of_antipode<double>();
  expect_logarithm_of_antipode<float>();
  expect_logarithm_of_antipode<f64x2>();
}

TEST(RandomPoints, LogarithmsOfUniformNumbersAreNotPositive) {
  constexpr std::uint32_t largest = 0xffffffff;
  for (const std::uint32_t high : {std::uint32_t(0), std::uint32_t(1), largest}) {
    for (const std::uint32_t low : {std::uint32_t(0), largest}) {
      const double a = geometry::detail::positive_uniform(high, low);
      EXPECT_GT(a, 0);
      EXPECT_LE(a, 1);
      EXPECT_TRUE(std::sqrt(-2 * std::log(a)) >= 0);
    }
  }
}

}  // namespace
}  // namespace mct::geometry_test
