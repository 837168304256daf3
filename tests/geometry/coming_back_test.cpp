// Steps that come back toward the origin, or go through it, and geodesics beyond their ends, far
// out: there the terms of printed formulas are e^2s times as large as their sum. Along an axis no
// digit of an operand is uncertain, so that none of the result may be.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test::coming_back_cases {
namespace {

using namespace mct::validation;
using namespace mct::geometry;

/// On the hyperbola, where the point r along the axis is (cosh r, sinh r) and its unit tangent
/// vector outward (sinh r, cosh r).
template <class V>
class ComingBackTest : public ::testing::Test {
 public:
  using P = Point<V, 3>;

  static P point(const Big& r) { return point_from_big<V, 3>({cosh(r), Big(0), sinh(r)}); }
  static P vector(const Big& r, const Big& s) {
    return point_from_big<V, 3>({s * sinh(r), Big(0), s * cosh(r)});
  }
  /// z is at r - s, or nearer to the origin by the rounding of a position.
  static void expect_at(const P& z, const P& x, const Big& s) {
    const Big position = asinh(Big(x[2])) + s;
    const Big exact = sinh(position);
    const Big bound = Big(manifold_bound<V>(3)) * unit<V>() * cosh(position) * (Big(2) + abs(s));
    EXPECT_TRUE(abs(Big(z[2]) - exact) <= bound)
        << double(z[2]) << " for " << double(exact) << " from " << double(x[2]);
    EXPECT_EQ(double(z[1]), 0);
  }
};
using Types = ::testing::Types<double, f64x2, f64x4, float>;
TYPED_TEST_SUITE(ComingBackTest, Types);

TYPED_TEST(ComingBackTest, LorentzStepsAlongAnAxis) {
  using V = TypeParam;
  const Lorentz<V> m;
  for (const double r : {0.5, 5.0, 20.0, 60.0, 100.0, 300.0})
    for (const double part : {-2.5, -2.0, -1.0, -0.999, -0.5, -0.01, 0.5}) {
      const double s = r * part;
      if (r * (1 + std::fabs(part)) > 0.68 * FloatTraits<Limb<V>>::emax) continue;
      const auto x = this->point(Big(r));
      const auto u = this->vector(Big(r), Big(s));
      const Big length = Big(u[2]) / sqrt(Big(1) + Big(x[2]) * Big(x[2]));
      this->expect_at(m.expmap(x, u), x, length);
      this->expect_at(m.retr(x, u), x, asinh(length));
    }
}
TYPED_TEST(ComingBackTest, LorentzGeodesicsBeyondTheirEnds) {
  using V = TypeParam;
  const Lorentz<V> m;
  const double farthest = 0.3 * FloatTraits<Limb<V>>::emax;
  for (const double r : {0.5, 20.0, 100.0, 290.0})
    for (const double other : {0.0, 10.0, -30.0, 280.0})
      for (const double t : {-1.0, -0.01, -0.5, 1.01, 2.0}) {
        if (r > farthest || std::fabs(other) > farthest) continue;
        const auto x = this->point(Big(r));
        const auto y = this->point(Big(other));
        const Big from = t < 0.5 ? Big(r) : Big(other);
        const Big way = (Big(other) - Big(r)) * (t < 0.5 ? Big(V(t)) : Big(V(t)) - Big(1));
        const double end(from + way);
        if (std::fabs(end) > 2 * farthest) continue;
        // the places of the ends are known to their rounding
        const Big near = asinh(Big((t < 0.5 ? x : y)[2]));
        const Big d = asinh(Big(y[2])) - asinh(Big(x[2]));
        const Big step = d * (t < 0.5 ? Big(V(t)) : Big(V(t)) - Big(1));
        const Big exact = sinh(near + step);
        const Big bound = Big(manifold_bound<V>(3)) * unit<V>() * cosh(near + step) *
                          (Big(2) + abs(d) * (Big(1) + abs(Big(t))));
        EXPECT_TRUE(abs(Big(m.geodesic(V(t), x, y)[2]) - exact) <= bound)
            << r << " to " << other << " at " << t;
      }
}

TEST(ComingBack, ValuesOfTheHyperboloid) {
  using P = Point<double, 2>;
  const Lorentz<double> m;
  const auto inward = [&](double r, double s) {
    const P x(std::cosh(r), std::sinh(r));
    return m.expmap(x, P(-s * x[1], -s * x[0]))[1];
  };
  EXPECT_NEAR(inward(100, 50) / 2.5923527642935362e21, 1, 1e-13);
  EXPECT_NEAR(inward(20, 10) / std::sinh(10), 1, 4.6e-14);
  // off the axes, where the vector toward a far point cannot be given by coordinates
  const auto x = m.expmap0(Point<double, 3>(0, 36, 48));
  const auto y = m.origin<3>();
  const auto z = m.geodesic(-0.01, x, y);
  EXPECT_NEAR(std::hypot(z[1], z[2]) / std::sinh(60.6), 1, 1e-13);
  EXPECT_NEAR(z[1] / z[2], 0.75, 1e-13);
  // the origin beyond an end
  const auto through =
      m.geodesic(2, m.expmap0(Point<double, 3>(0, 0, 40)), m.expmap0(Point<double, 3>(0, 0, 20)));
  EXPECT_NEAR(through[2], 0, 1e-13);
}

/// x = tanh 5, which is at distance 10, and beyond the origin.
template <class V>
void expect_through_the_origin() {
  const auto check = [](const auto& m) {
    for (const double s : {5.0, 9.0, 10.0, 11.0, 20.0, 30.0}) {
      Point<V, 3> x, u;
      x[1] = from_big<V>(tanh(Big(5)));
      const Big gap = Big(1) - Big(x[1]) * Big(x[1]);
      u[1] = from_big<V>(Big(-s) * gap / Big(2));
      const Big place = Big(2) * atanh(Big(x[1])) + Big(2) * Big(u[1]) / gap;
      const Big exact = tanh(place / Big(2));
      const Big bound = Big(manifold_bound<V>(3)) * unit<V>() *
                        (abs(exact) + (Big(1) - exact * exact) * Big(1 + s));
      EXPECT_TRUE(abs(Big(m.expmap(x, u)[1]) - exact) <= bound) << s;
    }
  };
  check(PoincareBall<V>());
  check(Stereographic<V>());
}
TEST(ComingBack, ThroughTheOriginOfTheBall) {
  expect_through_the_origin<double>();
  expect_through_the_origin<f64x2>();
}

/// The kernels of tensors have the same formulas, with hardware fma where there is some.
template <class T, int N>
void expect_tensors_as_points() {
  using V = Expansion<T, N>;
  const Lorentz<V> lorentz;
  const PoincareBall<V> ball;
  Tensor<T, N> x({5, 2}), u({5, 2}), b({5, 2}), w({5, 2});
  for (int i = 0; i < 5; ++i) {
    const Big r(20 * i + 1), s(12 * i);
    x.set({i, 0}, from_big<V>(cosh(r)));
    x.set({i, 1}, from_big<V>(sinh(r)));
    u.set({i, 1}, from_big<V>(Big(0) - s * cosh(r)));
    const Big place = tanh(Big(i + 1));
    b.set({i, 0}, from_big<V>(place));
    w.set({i, 0}, from_big<V>(Big(-2 * i) * (Big(1) - place * place)));
  }
  const auto z = lorentz.expmap(x, u), c = ball.expmap(b, w),
             g = lorentz.geodesic(V(1.5), x, x + u);
  for (int i = 0; i < 5; ++i) {
    using P = Point<V, 2>;
    const P at(V(x.at({i, 0})), V(x.at({i, 1}))), v(V(u.at({i, 0})), V(u.at({i, 1})));
    const P inside(V(b.at({i, 0})), V(0.0)), along(V(w.at({i, 0})), V(0.0));
    const auto expect_near = [&](const V& of_tensor, const V& of_point, const V& size) {
      const double bound = manifold_bound<V>(2) * double(unit<V>()) * double(abs(size));
      EXPECT_LE(std::fabs(double(of_tensor - of_point)), bound) << i;
    };
    const V end = lorentz.expmap(at, v)[1], further = lorentz.geodesic(V(1.5), at, at + v)[1];
    // to the rounding of a position
    expect_near(V(z.at({i, 1})), end, (abs(end) + 1) * (1 + 20 * i));
    expect_near(V(c.at({i, 0})), ball.expmap(inside, along)[0], V(1));
    expect_near(V(g.at({i, 1})), further, (abs(further) + 1) * (1 + 20 * i));
  }
}
TEST(ComingBack, TensorsAsPoints) { expect_tensors_as_points<double, 2>(); }

}  // namespace
}  // namespace mct::geometry_test::coming_back_cases
