// Isometries as values, boosts, horospheres.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test::isometry_cases {
namespace {

using namespace mct::validation;

using namespace mct::geometry;
using validation::norm;

template <class V>
class IsometryTest : public ::testing::Test {
 public:
  static constexpr int n = 3;
  using P = Point<V, n>;
  static constexpr double k = manifold_bound<V>(n);

  IsometryTest() : balls(2.0), halves(2.0), hyperboloids(2.0) {}

  static BigVector big(const P& x) { return validation::big_vector(x); }
  P ball_point() { return balls.point(balls.uniform(0, 1.5)); }
  P half_point() { return halves.point(halves.uniform(0, 1.5)); }
  V number(double x) const { return V(Limb<V>(x)); }

  /// f keeps distances, in units of u^N.
  template <class M, class F>
  void expect_isometry(const M& m, const F& f, const P& x, const P& y) {
    const double before = double(m.dist(x, y));
    const Big change = Big(m.dist(f(x), f(y))) - Big(m.dist(x, y));
    EXPECT_LE(std::fabs(double(change / unit<V>())), 100 * k * (1 + before));
  }
  void expect_near(const P& x, const P& y, double scale = 1) {
    EXPECT_LE(double(norm(big(x) - big(y)) / unit<V>()), 100 * k * scale);
  }

  Cases<PoincareBall, V> balls;
  Cases<HalfSpace, V> halves;
  Cases<Lorentz, V> hyperboloids;
};

using Types = ::testing::Types<double, f64x2>;
TYPED_TEST_SUITE(IsometryTest, Types);

TYPED_TEST(IsometryTest, OfTheBall) {
  using V = TypeParam;
  const auto& ball = this->balls.manifold;
  for (int i = 0; i < 30; ++i) {
    const auto a = this->ball_point(), b = this->ball_point(), x = this->ball_point(),
               y = this->ball_point();
    const auto f = compose(translate(ball, a), rotate(ball, a, 0, 2, this->number(0.75)));
    const auto g = compose(invert(ball, a),
                           compose(rotate(ball, a, 1, 0, this->number(2)), translate(ball, b)));
    this->expect_isometry(ball, f, x, y);
    this->expect_isometry(ball, g, x, y);
    const auto fg = compose(f, g);
    this->expect_near(fg(x), f(g(x)));
    this->expect_near(inverse(fg)(fg(x)), x);
    this->expect_near(compose(inverse(f), f)(x), x);
    // composition is associative as a value too
    const auto left = compose(compose(f, g), f);
    const auto right = compose(f, compose(g, f));
    this->expect_near(left(x), right(x));
    this->expect_near(translate(ball, a)(x), mobius_add(ball, a, x));
    this->expect_near(invert(ball, a)(x), -x);
    // isometries commute with the exponential map's pieces: images of geodesics are geodesics
    this->expect_near(fg(ball.geodesic(V(0.25), x, y)), ball.geodesic(V(0.25), fg(x), fg(y)));
  }
  EXPECT_THROW(rotate(ball, this->ball_point(), 0, 3, V(1)), ShapeError);
  EXPECT_THROW(rotate(ball, this->ball_point(), 1, 1, V(1)), ShapeError);
}

/// Yu 2024, definition A.1.1, with the k that the erratum puts before |S|^2.
TYPED_TEST(IsometryTest, TakesTheLightSourceToTheOrigin) {
  using V = TypeParam;
  const auto& ball = this->balls.manifold;
  const Big curvature = Big(1) / (Big(ball.radius()) * Big(ball.radius()));
  const auto invert = [&](const BigVector& x) {
    return x * (Big(1) / (curvature * validation::dot(x, x)));
  };
  for (int i = 0; i < 30; ++i) {
    const auto s = this->ball_point(), x = this->ball_point();
    const auto f = translate_to_origin(ball, s);
    const BigVector S = this->big(s);
    const BigVector exact =
        invert(invert(this->big(x)) - S) * (Big(1) - curvature * validation::dot(S, S)) - S;
    EXPECT_LE(double(norm(this->big(f(x)) - exact) / unit<V>()), 20 * this->k);
    EXPECT_TRUE(f(s) == s - s);
    this->expect_near(f(s - s), -s);
  }
}

TYPED_TEST(IsometryTest, OfTheHalfSpace) {
  using V = TypeParam;
  const auto& m = this->halves.manifold;
  for (int i = 0; i < 30; ++i) {
    const auto x = this->half_point(), y = this->half_point();
    auto c = this->half_point();
    c[2] = V(0);
    const auto move = translate(m, c, this->number(1.5));
    const auto turn = rotate(m, x, 0, 1, this->number(0.75));
    const auto flip = invert(m, x);
    const auto f = compose(flip, compose(move, turn));
    const auto g = compose(compose(turn, flip), move);
    this->expect_isometry(m, f, x, y);
    this->expect_isometry(m, g, x, y);
    const double scale = 1 + 1 / double(f(x)[2]) + 1 / double(g(x)[2]);
    for (const auto& h : {compose(f, g), compose(g, f), compose(move, f), compose(f, move),
                          compose(flip, flip), compose(f, inverse(g))}) {
      this->expect_isometry(m, h, x, y);
      this->expect_near(inverse(h)(h(x)), x, 100 * scale);
    }
    this->expect_near(compose(f, g)(x), f(g(x)), 100 * scale);
    this->expect_near(compose(g, f)(x), g(f(x)), 100 * scale);
    this->expect_near(compose(flip, flip)(x), x);
    // x / |x|^2 is the ball's reflection in its last axis
    const PoincareBall<V> ball(m.radius());
    auto mirrored = convert<PoincareBall>(m, x);
    mirrored[2] = -mirrored[2];
    this->expect_near(convert<PoincareBall>(m, flip(x)), mirrored);
  }
  EXPECT_THROW(translate(m, this->half_point(), V(1)), DomainError);
  EXPECT_THROW(rotate(m, this->half_point(), 0, 2, V(1)), ShapeError);
}

/// Two inversions whose centers are one but for rounding, and such as are near each other.
TYPED_TEST(IsometryTest, InversionsThatCancel) {
  using V = TypeParam;
  using Plane = Point<V, 2>;
  const HalfSpace<V> m(V(1));
  const Plane x(this->number(0.3), this->number(0.8));
  const auto flip = invert(m, x);
  const auto apart = [](const Plane& a, const Plane& b) {
    return double(norm(validation::big_vector(a) - validation::big_vector(b)) / unit<V>());
  };
  for (const double shift : {5.0, 0.3, -1e6, 1e-6, 0.0}) {
    for (const double scale : {3.0, 0.1, 1.0, 7e3}) {
      const auto move = translate(m, Plane(this->number(shift), V(0)), this->number(scale));
      const auto f = compose(flip, move);
      const auto g = compose(inverse(move), flip);
      const double size = 1 + std::fabs(shift) * (1 + 1 / scale);
      EXPECT_LE(apart(compose(f, g)(x), x), 20 * this->k * size) << shift << ' ' << scale;
      EXPECT_LE(apart(compose(inverse(f), f)(x), x), 20 * this->k * size) << shift << ' ' << scale;
    }
  }
  // near each other: an error of u / d
  for (const double d : {1.0, 1e-3, 1e-6}) {
    const auto nudge = translate(m, Plane(this->number(d), V(0)), V(1));
    const auto h = compose(flip, compose(nudge, flip));
    EXPECT_LE(apart(h(x), flip(nudge(flip(x)))), 100 * this->k / d) << d;
  }
}

TEST(Isometries, OfDifferentBalls) {
  const PoincareBall<double> one(1), two(2);
  const Point<double, 2> a(0.1, 0.2);
  EXPECT_THROW(compose(translate(one, a), translate(two, a)), DomainError);
}

TYPED_TEST(IsometryTest, BoostsAndRotationsOfTheHyperboloid) {
  using V = TypeParam;
  using D = Point<V, 3>;
  const auto& m = this->hyperboloids.manifold;
  const D e1(V(1), V(0), V(0)), e2(V(0), V(1), V(0)), e3(V(0), V(0), V(1));
  const Big K = Big(m.radius());
  for (int i = 0; i < 40; ++i) {
    const auto x = this->hyperboloids.point(this->hyperboloids.uniform(0, 20));
    const double phi = this->hyperboloids.uniform(-30, 30);
    const auto z = lorentz_boost(m, x, e2, V(Limb<V>(phi)));
    const BigVector X = validation::big_vector(x);
    const Big time = sqrt(K * K + X[1] * X[1] + X[2] * X[2] + X[3] * X[3]);
    const Big p = Big(phi);
    const Big term = cosh(p) * abs(X[2]) + sinh(abs(p)) * time;
    const Big bound = Big(2 * manifold_bound<V>(4) * (1 + std::fabs(phi))) * unit<V>();
    EXPECT_TRUE(abs(Big(z[2]) - (cosh(p) * X[2] - sinh(p) * time)) <= bound * term) << i;
    EXPECT_TRUE(abs(Big(z[0]) - (cosh(p) * time - sinh(p) * X[2])) <= bound * term) << i;
    EXPECT_TRUE(z[1] == x[1] && z[3] == x[3]);
    const auto turned = lorentz_rotation(m, x, e1, e3, V(Limb<V>(phi)));
    const Big scale = Big(manifold_bound<V>(4)) * unit<V>() * norm(X);
    EXPECT_TRUE(abs(Big(turned[1]) - (cos(p) * X[1] - sin(p) * X[3])) <= scale);
    EXPECT_TRUE(abs(Big(turned[3]) - (sin(p) * X[1] + cos(p) * X[3])) <= scale);
    const auto y = this->hyperboloids.point(2);
    const auto near = this->hyperboloids.point(2);
    const V boost(Limb<V>(phi / 20));
    const Big change =
        Big(m.dist(lorentz_boost(m, y, e3, boost), lorentz_boost(m, near, e3, boost))) -
        Big(m.dist(y, near));
    EXPECT_LE(double(abs(change) / unit<V>()), 1000 * this->k);
  }
  // the origin goes K |phi| far
  const auto o = m.template origin<4>();
  EXPECT_NEAR(double(m.dist0(lorentz_boost(m, o, e1, V(1)))), double(m.radius()), 1e-14);
}

TYPED_TEST(IsometryTest, Horospheres) {
  using V = TypeParam;
  const auto& ball = this->balls.manifold;
  const Big K = Big(ball.radius());
  Point<V, 3> w(V(2), V(-1), V(2));
  w = w / V(3);
  for (int i = 0; i < 40; ++i) {
    const auto x = this->balls.point(this->balls.uniform(0, i < 20 ? 1e-6 : 8));
    const auto f = [&](const std::vector<BigVector>& in) {
      const BigVector d = in[1] * K - in[0];
      return BigVector{K * log(validation::dot(d, d) / (K * K - validation::dot(in[0], in[0])))};
    };
    const std::vector<BigVector> in{this->big(x), this->big(w)};
    const Big exact = f(in)[0];
    const Big spread = validation::condition(in, f)[0];
    const Big error = abs(Big(busemann(ball, x, w)) - exact);
    EXPECT_LE(double(error / (unit<V>() * (abs(exact) + spread))), this->k) << i;
    const auto z = horosphere_projection(ball, x, w);
    const BigVector image = this->big(w) * (K * tanh(-exact / (Big(2) * K)));
    EXPECT_LE(double(norm(this->big(z) - image) / (unit<V>() * (norm(image) + spread))), this->k);
  }
}

}  // namespace
}  // namespace mct::geometry_test::isometry_cases
