// Points from every model and storage to every other: distances stay what they are, far out, too.
#include "mctensor/geometry/storage/convert.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/geometry/models.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

template <class X>
double plain(const X& x) {
  return double(x);
}

/// The distance at radius 1 to which a space can tell neighbours apart.
template <class Space>
constexpr double reach = 600;
template <class V>
constexpr double reach<PoincareBall<V>> = 4;
template <class V>
constexpr double reach<Klein<V>> = 3;
template <class V>
constexpr double reach<Hemisphere<V>> = 4;
template <class V>
constexpr double reach<Lorentz<V>> = 6;
template <class V>
constexpr double reach<HalfSpace<V>> = 6;

/// Every point and distance of `from` in `to`.
template <class From, class To, class X>
void expect_same_distances(const From& from, const To& to, const std::vector<X>& points) {
  std::vector<decltype(convert(from, to, points[0]))> there;
  for (const X& x : points) {
    there.push_back(convert(from, to, x));
    const double far = plain(from.dist0(x));
    EXPECT_NEAR(plain(to.dist0(there.back())), far, 1e-11 * (1 + far));
    EXPECT_LE(plain(from.dist(x, convert(to, from, there.back()))), 1e-11);
    for (std::size_t i = 0; i < there.size(); ++i) {
      const double d = plain(from.dist(x, points[i]));
      EXPECT_NEAR(plain(to.dist(there.back(), there[i])), d, 1e-11 * (1 + d));
    }
  }
}
template <class From>
void expect_everywhere(const From& from, double far) {
  const LTiling<double> start(1.5);
  std::vector<decltype(convert(start, from, start.origin()))> points;
  for (const auto& [d, angle] :
       {std::pair{0.0, 0.0}, {0.4, 1.0}, {2.0, 2.5}, {far - 0.5, 2.6}, {far, 2.6}, {far, 5.5}})
    points.push_back(
        convert(start, from, start.from_polar(1.5 * d, {std::cos(angle), std::sin(angle)})));
  const auto to = [&](const auto& space) {
    using To = std::remove_cvref_t<decltype(space)>;
    if (far <= reach<To>) expect_same_distances(from, space, points);
  };
  to(LTiling<double>(1.5));
  to(LTiling<f64x2>(f64x2(1.5)));
  to(HTiling<double, 2>(1.5));
  to(HTiling<f64x2, 2>(f64x2(1.5)));
  to(PoincareBall<double>(1.5));
  to(PoincareBall<f64x2>(f64x2(1.5)));
  to(HalfSpace<double>(1.5));
  to(Lorentz<double>(1.5));
  to(Klein<f64x2>(f64x2(1.5)));
  to(Hemisphere<double>(1.5));
}

TEST(ConvertStored, TilingsAndModels) {
  for (const double far : {3.0, 600.0}) {
    expect_everywhere(LTiling<double>(1.5), far);
    expect_everywhere(HTiling<double, 2>(1.5), far);
    expect_everywhere(LTiling<f64x2>(f64x2(1.5)), far);
  }
  expect_everywhere(PoincareBall<double>(1.5), 3);
  expect_everywhere(HalfSpace<double>(1.5), 3);
  expect_everywhere(Lorentz<double>(1.5), 3);
  expect_everywhere(Klein<f64x2>(f64x2(1.5)), 3);
  expect_everywhere(Hemisphere<double>(1.5), 3);
}

/// A half-space of several components between two tilings.
template <class Half>
void expect_through(const Half& half, double far) {
  const LTiling<double> plane(1.5);
  const HTiling<double, 2> cubes(1.5);
  std::vector<LTilingPoint<double>> points;
  for (const double d : {0.0, 0.5, 7.0, far - 1, far})
    points.push_back(plane.from_polar(1.5 * d, {0.6, -0.8}));
  for (const auto& x : points) {
    const auto h = convert(plane, half, x);
    const auto c = convert(half, cubes, h);
    EXPECT_NEAR(cubes.dist(c, convert(plane, cubes, x)), 0, 1e-11);
    EXPECT_LE(plane.dist(x, convert(cubes, plane, c)), 1e-11);
    const auto again = convert(cubes, half, c);
    EXPECT_LE((half.template dist<2>(h, again)), 1e-11);
    for (const auto& y : points) {
      const double d = plane.dist(x, y);
      EXPECT_NEAR((half.template dist<2>(h, convert(plane, half, y))), d, 1e-11 * (1 + d));
    }
  }
}

TEST(ConvertStored, HalfSpacesOfSeveralComponents) {
  expect_through(XmcHalfSpace<double, 20>(1.5), 600);
  expect_through(LogHalfSpace<double, 20>(1.5), 600);
  expect_through(McHalfSpace<double, 4>(1.5), 60);
  expect_through(XmcHalfSpace<double, 2>(1.5), 25);
}

TEST(ConvertStored, ThePlacesAreThoseOfTheModels) {
  const LTiling<double> plane(2);
  const PoincareBall<double> ball(2);
  for (const double d : {0.1, 1.0, 4.0, 12.0}) {
    const auto x = plane.from_polar(d, {-0.28, 0.96});
    const auto b = convert(plane, ball, x);
    EXPECT_NEAR(b[0], 2 * std::tanh(d / 4) * -0.28, 1e-15);
    EXPECT_NEAR(b[1], 2 * std::tanh(d / 4) * 0.96, 1e-15);
    const auto h = convert(plane, HalfSpace<double>(2), x);
    const auto expected = convert<HalfSpace>(ball, b);
    EXPECT_NEAR(h[0] / expected[0], 1, 1e-14 * std::exp(d / 2));
    EXPECT_NEAR(h[1] / expected[1], 1, 1e-14 * std::exp(d / 2));
    // the coordinates of the half-space itself
    const auto xmc = convert(plane, XmcHalfSpace<double, 3>(2), x);
    EXPECT_NEAR(double(xmc.x[0]), h[0], 1e-15 * std::fabs(h[0]));
    EXPECT_NEAR(xmc.height, h[1], 1e-15 * h[1]);
  }
}

TEST(ConvertStored, PointsOfTheBallWithTheirGap) {
  const LTiling<double> plane(1.5);
  const PoincareBall<double> ball(1.5);
  for (const double d : {0.2, 5.0, 50.0, 330.0}) {
    const auto x = plane.from_polar(1.5 * d, {0.6, 0.8});
    const auto y = plane.expmap(x, {0.125, -0.25});
    const auto a = to_ball_point(plane, x), b = to_ball_point(plane, y);
    EXPECT_NEAR(dist0(ball, a), plane.dist0(x), 1e-13 * plane.dist0(x));
    EXPECT_LE(plane.dist0(convert(ball, plane, a)) / plane.dist0(x) - 1, 1e-13);
    if (d < 6) {
      EXPECT_NEAR(dist(ball, a, b), plane.dist(x, y), 1e-13);
    }
  }
}

TEST(ConvertStored, ThreeDimensions) {
  const HTiling<double, 3> cubes;
  const PoincareBall<double> ball;
  const Lorentz<double> lorentz;
  const XmcHalfSpace<double, 3> half;
  const Point<double, 3> x(0.3, -0.2, 0.6), y(-0.5, 0.1, 0.2);
  const auto a = convert(ball, cubes, x), b = convert(ball, cubes, y);
  EXPECT_NEAR(cubes.dist(a, b), ball.dist(x, y), 1e-14);
  const auto p = convert(cubes, half, a), q = convert(cubes, half, b);
  EXPECT_NEAR(half.dist<3>(p, q), ball.dist(x, y), 1e-14);
  const Point<double, 4> z = convert(half, lorentz, p);
  EXPECT_NEAR(lorentz.dist(z, convert<Lorentz>(ball, y)), ball.dist(x, y), 1e-14);
  const Point<double, 3> back = convert(lorentz, ball, z);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(back[i], x[i], 1e-15);
}

TEST(ConvertStored, ThousandsAwayTilingsAgree) {
  const LTiling<double> plane;
  const HTiling<double, 2> cubes;
  const auto x = plane.from_polar(4000, {0.6, 0.8});
  const auto y = plane.expmap(x, {0.25, -0.5});
  const auto a = convert(plane, cubes, x), b = convert(plane, cubes, y);
  EXPECT_NEAR(cubes.dist(a, b), plane.dist(x, y), 1e-14);
  EXPECT_NEAR(cubes.dist0(a), 4000, 1e-10);
  // in a ball that is the last point of its direction
  const Point<double, 2> last = convert(plane, PoincareBall<double>(), x);
  EXPECT_TRUE(PoincareBall<double>().check_point(last));
  EXPECT_NEAR(last[0], 0.6, 1e-14);
  EXPECT_NEAR(last[1], 0.8, 1e-14);
}

TEST(ConvertStored, NarrowBallsToo) {
  const LTiling<double> plane;
  const PoincareBall<float> ball;
  for (const double d : {0.5, 5.0, 100.0, 4000.0}) {
    const Point<float, 2> b = convert(plane, ball, plane.from_polar(d, {0.6, 0.8}));
    EXPECT_TRUE(ball.check_point(b));
    EXPECT_NEAR(double(b[0]), 0.6 * std::tanh(d / 2), 1e-6);
    EXPECT_NEAR(double(b[1]), 0.8 * std::tanh(d / 2), 1e-6);
  }
}

TEST(ConvertStored, NextToTheOriginNothingIsLost) {
  const LogHalfSpace<double, 2> half;
  auto p = half.origin<2>();
  p.height = f64x2(1e-200);  // the logarithm
  const auto q = scaled_from_origin(half, p, 2, 1);
  EXPECT_NEAR(double(q.height) / 2e-200, 1, 1e-15);
  const auto x = convert(half, HTiling<double, 2>(), p);
  EXPECT_EQ((HTiling<double, 2>().dist0(x)), 0);  // its place is 1 + 1e-200
  const LTiling<double> plane;
  const auto y = convert(plane, HTiling<double, 2>(), plane.from_polar(1e-150, {1, 0}));
  EXPECT_NEAR((HTiling<double, 2>().dist0(y)) / 1e-150, 1, 1e-14);
}

TEST(ConvertStored, RadiiCountInAllTheirDigits) {
  const f64x2 third = f64x2(1) / f64x2(3);
  const LTiling<f64x2> plane(third);
  const auto x = plane.from_polar(f64x2(2), {f64x2(0.6), f64x2(0.8)});
  EXPECT_THROW(convert(plane, PoincareBall<f64x2>(f64x2(1.0 / 3)), x), DomainError);
  const auto a = to_ball_point(plane, x);
  EXPECT_LE(std::fabs(double(dist0(PoincareBall<f64x2>(third), a) - f64x2(2))), 1e-29);
}

TEST(ConvertStored, WhatHasNoPlaceIsRefused) {
  const LTiling<double> plane;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(testing::message_of<DomainError>([&] {
              convert(plane, PoincareBall<double>(2), plane.origin());
            }).find("different radii, 1"),
            std::string::npos);
  const auto far = plane.from_polar(900, {0, -1});
  EXPECT_THROW(convert(plane, Lorentz<double>(), far), DomainError);
  EXPECT_THROW(convert(plane, HalfSpace<double>(), far), DomainError);
  EXPECT_THROW(convert(plane, XmcHalfSpace<double, 2>(), far), DomainError);
  EXPECT_NO_THROW(convert(plane, LogHalfSpace<double, 2>(), far));
  EXPECT_THROW(convert(plane, HTiling<double, 2>(), plane.from_polar(9000, {0, -1})), DomainError);
  auto none = XmcHalfSpace<double, 2>::origin<2>();
  none.x[0].limb[1] = nan;
  EXPECT_THROW(convert(XmcHalfSpace<double, 2>(), plane, none), DomainError);
  none.x[0] = f64x2(nan);
  EXPECT_THROW(convert(XmcHalfSpace<double, 2>(), plane, none), DomainError);
  EXPECT_THROW(convert(PoincareBall<double>(), plane, Point<double, 2>(nan, 0.0)), DomainError);
  EXPECT_THROW(convert(PoincareBall<double>(), plane, Point<double, 2>(1.1, 0.0)), DomainError);
}

}  // namespace
}  // namespace mct::geometry_test
