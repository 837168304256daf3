// The half-space where e^s has left the range but heights have not, the hyperboloid at the smallest
// radii, and steps, transports and horospheres at the ends of the range, against MPFR.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/geometry/models/stereographic.hpp"
#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

/// The end of a step of length s from height h in a direction of cosine c to upward and sine r:
/// cosh s - c sinh s = e^-s + (1 - c) sinh s, whose first form would take 4000 bits.
struct Landed {
  Big height, across;
};
Landed landed(const Big& h, const Big& s, const Big& c, const Big& r) {
  const Big rest = Big(0) < c ? r * r / (Big(1) + c) : Big(1) - c;
  const Big fall = exp(s * Big(-1)) + rest * sinh(s);
  return {h / fall, h * r * sinh(s) / fall};
}

template <class V>
void expect_long_steps() {
  const HalfSpace<V> m(V(1));
  Cases<HalfSpace, V> cases(1, 11);
  const Big largest(1e300), least(limbs<V> == 1 ? 1e-290 : 1e-260);
  int seen = 0;
  for (int i = 0; i < 600; ++i) {
    const double log_h = cases.uniform(-650, 650);
    const V h = V(std::exp(log_h));
    // upward to one part in e^700, sideways, down
    const double r = i % 4 == 0 ? 0 : i % 4 == 1 ? std::exp(-cases.uniform(0, 700)) : 1;
    const double c = i % 4 == 3 ? -cases.uniform(0, 1) : i % 4 == 2 ? cases.uniform(0, 1) : 1;
    Point<V, 2> u{V(r), V(c)};
    const double length = cases.uniform(590, 1380);
    u = u * V(h * V(length));
    const Big x = Big(u[0]), y = Big(u[1]);
    const Big size = sqrt(x * x + y * y);
    const Landed exact = landed(Big(h), size / Big(h), y / size, x / size);
    if (exact.height < least || largest < exact.height || largest < abs(exact.across)) continue;
    ++seen;
    const auto z = m.expmap(Point<V, 2>(V(0), h), u);
    const Big s = size / Big(h);
    // a relative u of the vector's coordinates turns it by u and makes it s u longer
    const Big units = Big(manifold_bound<V>(2)) * unit<V>() * (Big(1) + s);
    EXPECT_TRUE(abs(Big(z[1]) - exact.height) <= units * exact.height)
        << i << " s " << length << " h " << double(h);
    EXPECT_TRUE(abs(Big(z[0]) - exact.across) <= units * abs(exact.across) + Big(1e-280))
        << i << " s " << length << " h " << double(h);
  }
  EXPECT_GT(seen, 100);
}

TEST(HalfSpaceSteps, BeyondTheRangeOfTheExponential) {
  expect_long_steps<double>();
  expect_long_steps<f64x2>();
}

TEST(HalfSpaceSteps, ToTheEndOfTheRangeAreStillPoints) {
  const HalfSpace<double> m;
  const Point<double, 2> x(0.5, 1e-200);
  for (const double s : {500.0, 800.0, 1e4, 1e300}) {
    EXPECT_TRUE(m.check_point(m.expmap(x, Point<double, 2>(0.0, -1e-200 * s)))) << s;
    EXPECT_TRUE(m.check_point(m.retr(x, Point<double, 2>(0.0, -1e-200 * s)))) << s;
  }
  const HalfSpace<float> narrow;
  EXPECT_TRUE(narrow.check_point(
      narrow.expmap(Point<float, 2>(0.5f, 1e-30f), Point<float, 2>(0.0f, -1e-28f))));
}

TEST(SmallRadii, TransportOnTheHyperboloid) {
  for (const double k : {1e-45, 1.5e-45, 1e45}) {
    Cases<Lorentz, double> cases(k, 3);
    const ManifoldOracle oracle(Model::lorentz, Big(k));
    for (const double r : {1.0, 50.0, 150.0, 229.0}) {
      const auto x = cases.point(r), y = cases.point(0.9 * r);
      const auto u = cases.tangent(x, 1);
      const BigVector from = big_vector(x), to = big_vector(y), v = big_vector(u);
      const BigVector error =
          big_vector(cases.manifold.ptransp(x, y, u)) - oracle.ptransp(from, to, v);
      const Big bound = Big(manifold_bound<double>(4)) * unit<double>() *
                        BoundReference(Model::lorentz, oracle, from, to).ptransp(v);
      EXPECT_TRUE(oracle.norm_at(to, error) <= bound) << k << ' ' << r;
    }
  }
}

template <class V>
void expect_long_ways_stay_inside() {
  using P = Point<V, 2>;
  const PoincareBall<V> ball(V(1));
  const Klein<V> klein(V(1));
  const V inside = V(1) - V(FloatTraits<V>::u);
  const V huge(std::numeric_limits<V>::max());
  for (const double angle : {0.0, 0.002461, 0.7, 2.0}) {
    const V c(std::cos(angle)), s(std::sin(angle));
    const P last{V(inside * c), V(inside * s)}, back{V(-last[0]), V(-last[1])};
    EXPECT_TRUE(ball.check_point(ball.expmap(last, back))) << angle;
    EXPECT_TRUE(ball.check_point(ball.retr(last, back))) << angle;
    const P x{V(c / V(2)), V(s / V(2))}, far{V(huge * c), V(huge * s)};
    for (const P& z :
         {ball.retr(x, far), klein.retr(x, far), ball.expmap(x, far), klein.expmap(x, far)}) {
      EXPECT_NEAR(double(z[0]), double(c), 1e-2) << angle;
      EXPECT_NEAR(double(z[1]), double(s), 1e-2) << angle;
    }
    EXPECT_TRUE(ball.check_point(ball.retr(x, far)) && klein.check_point(klein.retr(x, far)));
  }
}

TEST(BallSteps, OfAnyLengthStayInside) {
  expect_long_ways_stay_inside<double>();
  expect_long_ways_stay_inside<float>();
  expect_long_ways_stay_inside<half>();
}

/// A point one place before the boundary, and the way through the origin that ends on it.
TEST(BallSteps, FromTheBoundaryThroughTheOrigin) {
  using P = Point<double, 2>;
  const PoincareBall<double> ball;
  const P x{0x1.ffff9a7896c9fp-1, 0x1.426fd1c88a321p-9};
  ASSERT_TRUE(ball.check_point(x));
  EXPECT_TRUE(ball.check_point(ball.expmap(x, P{-x[0], -x[1]})));
  const Stereographic<double> same(-1.0);
  EXPECT_TRUE(same.check_point(same.expmap(x, P{-x[0], -x[1]})));
}

TEST(HalfSpaceSteps, RetractionsOfAnyLengthAreNumbers) {
  const HalfSpace<double> m;
  const auto z = m.retr(Point<double, 2>(0.0, 1e-5), Point<double, 2>(1e306, 0.0));
  EXPECT_DOUBLE_EQ(z[0], 1e-5);
  EXPECT_TRUE(m.check_point(z));
}

/// Where e^s has left the range the end is that of the exact one, which is a point however long the
/// vector is.
TEST(HalfSpaceSteps, OfAnyLengthLeadToPoints) {
  using P = Point<double, 2>;
  const HalfSpace<double> m;
  for (const double s : {700.0, 1400.0, 1500.0, 2000.0, 2800.0, 5000.0, 1e300})
    for (const P& e : {P(0, 1), P(0, -1), P(1, 0), P(1e-300, 1), P(0.6, 0.8), P(-0.6, -0.8)})
      for (const double h : {1e-300, 1.0, 1e300}) {
        const double length = std::min(s * h, 1e300);
        const P z = m.expmap(P(1, h), e * length);
        EXPECT_TRUE(m.check_point(z))
            << s << ' ' << e[0] << ' ' << h << ": " << z[0] << ' ' << z[1];
      }
  const P far = m.expmap(P(0, 1e-300), P(0, 1e-300 * 1400));
  EXPECT_NEAR(std::log(far[1]), 1400 + std::log(1e-300), 1e-9);
  const P thrown = m.expmap(P(0, 1), P(1500 * 1e-200, 1500));
  EXPECT_NEAR(std::log(thrown[1]), std::log(4.0) + 400 * std::log(10.0) - 1500, 1e-9);
  EXPECT_NEAR(thrown[0] / 2e200, 1, 1e-12);
  EXPECT_EQ(m.expmap(P(1, 1), P(0, 2000)), P(1, 0x1p1020));
}

TEST(HalfSpaceTransport, BetweenHeightsWhoseQuotientIsNoNumber) {
  using P = Point<double, 2>;
  const HalfSpace<double> m;
  const P low{0, 1e-200}, high{0, 1e200};
  EXPECT_DOUBLE_EQ(m.ptransp(low, high, P{0, 1e-250})[1], 1e150);
  EXPECT_DOUBLE_EQ(m.ptransp(low, high, P{-1e-250, 0})[0], -1e150);
  EXPECT_DOUBLE_EQ(m.ptransp(high, low, P{0, 1e300})[1], 1e-100);
  EXPECT_EQ(m.ptransp(low, high, P{0, 0}), (P{0, 0}));
}

/// Toward (0, 1) it is -log h; toward (0, -1) log((|x|^2 + h^2) / h).
template <class V>
void expect_busemann() {
  const HalfSpace<V> m(V(1));
  using P = Point<V, 2>;
  for (const double h : {1e-250, 1e-20, 0.5, 1.0 - 0x1p-30, 3.0, 1e6, 1e20, 1e250}) {
    for (const double aside : {0.0, 1.0, 1e3}) {
      if (aside > 0 && (h < 1e-20 || h > 1e20)) continue;
      const Big height(h), across(aside);
      const Big up = log(height) * Big(-1);
      const Big down = log((across * across + height * height) / height);
      const P x{V(aside), V(h)};
      const Big units = Big(manifold_bound<V>(2)) * unit<V>();
      EXPECT_TRUE(abs(Big(m.busemann(x, P{V(0), V(1)})) - up) <= units * (Big(1) + abs(up)))
          << h << ' ' << aside;
      EXPECT_TRUE(abs(Big(m.busemann(x, P{V(0), V(-1)})) - down) <= units * (Big(1) + abs(down)))
          << h << ' ' << aside;
    }
  }
}

TEST(Busemann, OfPointsFarOutDoesNotCancel) {
  expect_busemann<double>();
  expect_busemann<f64x2>();
}

TEST(UnitSteps, AlongVectorsOfAnyLength) {
  using P = Point<double, 2>;
  const auto expect_same = [](const auto& m, const P& x) {
    for (const double size : {1e-310, 1e-300, 1e300, 1e308})
      for (const P e : {P{size, 0}, P{0, -size}}) {
        const P z = m.geodesic_unit(0.5, x, e);
        const P expected = m.geodesic_unit(0.5, x, P{e[0] / size, e[1] / size});
        EXPECT_NEAR(z[0], expected[0], 1e-14) << size;
        EXPECT_NEAR(z[1], expected[1], 1e-14) << size;
      }
  };
  expect_same(PoincareBall<double>(), {0.1, 0.5});
  expect_same(Klein<double>(), {0.1, 0.5});
  expect_same(HalfSpace<double>(), {0.1, 0.5});
  expect_same(Euclidean<double>(), {0.1, 0.5});
  expect_same(Stereographic<double>(0.5), {0.1, 0.5});
}

/// Points deep in the half-space are on the ball's boundary but for rounding.
TEST(Conversions, LandInsideTheBall) {
  Cases<HalfSpace, double> cases(1, 5);
  Cases<HalfSpace, float> narrow(1, 6);
  for (int i = 0; i < 300; ++i) {
    const auto x = cases.point(cases.uniform(30, 60));
    EXPECT_TRUE(PoincareBall<double>().check_point(convert<PoincareBall>(cases.manifold, x)));
    EXPECT_TRUE(Klein<double>().check_point(convert<Klein>(cases.manifold, x)));
    const auto y = narrow.point(narrow.uniform(10, 30));
    EXPECT_TRUE(PoincareBall<float>().check_point(convert<PoincareBall>(narrow.manifold, y)));
    EXPECT_TRUE(Klein<float>().check_point(convert<Klein>(narrow.manifold, y)));
  }
}

}  // namespace
}  // namespace mct::geometry_test
