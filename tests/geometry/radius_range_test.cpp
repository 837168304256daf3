// Radii from 1e-45 to 1e45: lengths and coordinates follow.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/all.hpp"
#include "mctensor/geometry/autograd.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

/// Points and results at radius K against those at radius 1; `unit`: what coordinates are counted
/// in, K or 1.
template <template <class> class M>
void expect_scaled(const Point<double, 3>& x, const Point<double, 3>& y, bool with_unit) {
  const M<double> one(1);
  for (const double k : {0x1p-150, 0x1p-30, 0x1p30, 0x1p150}) {
    SCOPED_TRACE(k);
    const M<double> m(k);
    const double unit = with_unit ? k : 1;
    const auto there = [&](const Point<double, 3>& p) {
      return Point<double, 3>{p[0] * unit, p[1] * unit, p[2] * unit};
    };
    EXPECT_NEAR(m.dist(there(x), there(y)) / k, one.dist(x, y), 1e-14);
    const auto v = one.logmap(x, y);
    const auto scaled = m.logmap(there(x), there(y));
    const auto back = m.expmap(there(x), scaled);
    const auto carried = m.ptransp(there(x), there(y), scaled);
    const auto expected = one.ptransp(x, y, v);
    EXPECT_NEAR(m.norm(there(x), scaled) / k, one.norm(x, v), 1e-14);
    EXPECT_NEAR(m.inner(there(x), scaled, scaled) / k / k, one.inner(x, v, v), 1e-13);
    EXPECT_TRUE(m.check_point(there(y)));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(scaled[i] / unit, v[i], 1e-13) << i;
      EXPECT_NEAR(back[i] / unit, y[i], 1e-13) << i;
      EXPECT_NEAR(carried[i] / unit, expected[i], 1e-13) << i;
    }
  }
}

TEST(RadiusRange, EveryModel) {
  const Point<double, 3> a{0.3, -0.2, 0.1};
  const Point<double, 3> b{-0.5, 0.4, 0.6};
  expect_scaled<PoincareBall>(a, b, true);
  expect_scaled<Klein>(a, b, true);
  expect_scaled<HalfSpace>({0.3, -0.2, 0.7}, {-5, 0.4, 0.1}, false);
  const Sphere<double> sphere(1);
  expect_scaled<Sphere>(sphere.projx(a), sphere.projx(b), true);
  const Hemisphere<double> hemisphere(1);
  expect_scaled<Hemisphere>(hemisphere.projx(a), hemisphere.projx(b), true);
  const Lorentz<double> lorentz(1);
  expect_scaled<Lorentz>(lorentz.projx(a), lorentz.projx(b), true);
}

TEST(RadiusRange, Rotations) {
  const Point<double, 2> x{0.3, 0.1}, y{-0.2, 0.7}, u{0.3, 0.7};
  const PoincareBall<double> ball;
  const Klein<double> klein;
  const auto turned = ball.gyration(x, y, u);
  const auto carried = klein.ptransp(x, y, u);
  for (const double k : {1e-45, 2.9e-39, 1.4e42, 1e45}) {
    const auto there = [&](const Point<double, 2>& p) {
      return Point<double, 2>{p[0] * k, p[1] * k};
    };
    const auto a = PoincareBall<double>(k).gyration(there(x), there(y), u);
    const auto b = Klein<double>(k).ptransp(there(x), there(y), u);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(a[i], turned[i], 1e-14) << k;
      EXPECT_NEAR(b[i], carried[i], 1e-14) << k;
    }
  }
}

/// Derivatives have higher powers of the radius than values.
TEST(RadiusRange, GradientsOfRotations) {
  const auto row = [](double a, double b) {
    Tensor<double> t({1, 2});
    t.set({0, 0}, a);
    t.set({0, 1}, b);
    return t;
  };
  const auto gradients = [&](double k, bool of_ball) {
    const Variable<double> x(row(0.3 * k, 0.1 * k), true), y(row(-0.2 * k, 0.7 * k), true);
    const Variable<double> u(row(0.3, 0.7), true);
    const Variable<double> r =
        of_ball ? gyration(PoincareBall<double>(k), x, y, u) : ptransp(Klein<double>(k), x, y, u);
    sum(r.narrow(-1, 0, 1)).backward();
    return std::vector<double>{x.grad().at({0, 0}) * k, x.grad().at({0, 1}) * k,
                               y.grad().at({0, 0}) * k, y.grad().at({0, 1}) * k,
                               u.grad().at({0, 0}),     u.grad().at({0, 1})};
  };
  for (const bool of_ball : {true, false}) {
    const auto expected = gradients(1, of_ball);
    for (const double k : {1e-45, 2.9e-39, 1.4e42, 1e45}) {
      const auto got = gradients(k, of_ball);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], 1e-13) << k << ' ' << of_ball << ' ' << i;
    }
  }
}

// Gaps of points next to the boundary of a tiny ball have products without all limbs of work.
TEST(RadiusRange, OfTinyBallsNextToTheirBoundaryInThreeDoubles) {
  constexpr double k = 0x1p-150;
  const f64x3 far = 1 - ldexp(f64x3(1), -300);
  const auto at = [](const f64x3& x, const f64x3& y) { return Point<f64x3, 2>{x, y}; };
  const f64x3 one = PoincareBall<f64x3>(1).dist(at(far, 0), at(0, -far));
  const f64x3 tiny = PoincareBall<f64x3>(k).dist(at(far * k, 0), at(0, -far * k));
  EXPECT_LE(abs(tiny / k / one - 1), 8 * std::numeric_limits<f64x3>::epsilon());
}

}  // namespace
}  // namespace mct::geometry_test
