// The stereographic model: beside the ball, Euclidean space and the sphere, and smooth in its
// curvature, in values and derivatives.
#include "mctensor/geometry/models/stereographic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/models.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test::stereographic_cases {
namespace {

using namespace mct::geometry;
using Q = f64x4;
constexpr double u = 0x1p-53;

template <class V, class W>
Point<V> as(const Point<W>& x) {
  return geometry::detail::generate<Point<V>>(x.size(), [&](int i) { return V(x[i]); });
}
void expect_close(const Point<double>& x, const Point<double>& y, double units, const char* what) {
  EXPECT_LE(norm(x - y), units * u * norm(y)) << what;
}

/// kappa = -1/K^2 for K a power of two is the ball of radius K, operation by operation.
TEST(Stereographic, OfNegativeCurvatureIsTheBall) {
  for (const double k : {1.0, 0.25, 64.0}) {
    const PoincareBall<double> ball(k);
    const Stereographic<double> m(-1 / (k * k));
    for (std::uint64_t i = 0; i < 60; ++i) {
      const double spread = k * (i % 3 == 0 ? 0.01 : i % 3 == 1 ? 1 : 3);
      const auto x = ball.random_normal(3, 1, i, spread), y = ball.random_normal(3, 2, i, spread);
      const auto v = ball.logmap(x, y);
      const double d = ball.dist(x, y), far = std::exp(2 * ball.dist0(x) / k);
      EXPECT_NEAR(m.dist(x, y), d, 32 * u * d);
      EXPECT_NEAR(m.dist0(x), ball.dist0(x), 32 * u * ball.dist0(x));
      EXPECT_NEAR(m.norm(x, v), ball.norm(x, v), 32 * u * ball.norm(x, v));
      EXPECT_NEAR(m.dist2(x, y), d * d, 64 * u * d * d);
      EXPECT_NEAR(m.lambda_x(x), ball.lambda_x(x), 32 * u * ball.lambda_x(x));
      EXPECT_NEAR(m.inner(x, v, y), ball.inner(x, v, y),
                  64 * u * ball.norm(x, v) * ball.norm(x, y));
      expect_close(m.random_uniform(3, 5, i, 2 * k), ball.random_uniform(3, 5, i, 2 * k), 64,
                   "random_uniform");
      expect_close(m.logmap(x, y), v, 64, "logmap");
      expect_close(m.dist_gradient(x, y), ball.dist_gradient(x, y), 64, "dist_gradient");
      expect_close(m.ptransp(x, y, v), ball.ptransp(x, y, v), 64, "ptransp");
      expect_close(m.ptransp0(y, v), ball.ptransp0(y, v), 64, "ptransp0");
      expect_close(m.ptransp0back(y, v), ball.ptransp0back(y, v), 64, "ptransp0back");
      expect_close(m.expmap(x, v), ball.expmap(x, v), 64 * far, "expmap");
      expect_close(m.mobius_add(x, y), ball.mobius_add(x, y), 64 * far, "mobius_add");
      expect_close(m.mobius_scalar_mul(-0.7, x), ball.mobius_scalar_mul(-0.7, x), 64 * far, "mul");
      expect_close(m.gyration(x, y, v), ball.gyration(x, y, v), 64 * far, "gyration");
      expect_close(m.expmap0(x), ball.expmap0(x), 64, "expmap0");
      expect_close(m.logmap0(x), ball.logmap0(x), 64, "logmap0");
      expect_close(m.egrad2rgrad(x, v), ball.egrad2rgrad(x, v), 64, "egrad2rgrad");
      const auto geodesic = m.geodesic(0.4, x, y);
      EXPECT_NEAR(ball.dist(x, geodesic), 0.4 * d, 256 * u * far * k);
    }
  }
}

/// The way between ends near the border leads past the origin, where points have all their digits.
TEST(Stereographic, GeodesicsBetweenFarEnds) {
  const PoincareBall<double> ball;
  const PoincareBall<Q> wide;
  const Stereographic<double> m(-1.0);
  for (const double half : {1.0, 5.0, 8.5})
    for (const double t : {0.25, 0.4, 0.5, 0.7}) {
      const auto x = ball.expmap0(Point<double>{0.8 * half, 0.6 * half});
      const auto y = ball.expmap0(Point<double>{-0.28 * half, 0.96 * half});
      const auto truth = wide.geodesic(Q(t), as<Q>(x), as<Q>(y));
      expect_close(m.geodesic(t, x, y), as<double>(truth), 8, "geodesic");
    }
}

/// Through the projection from the pole the sphere of radius K = 1/sqrt(kappa): x is
/// (2 x / c, K (2 - c) / c), of points near the poles too.
template <class V>
Point<V> on_sphere(const Point<V>& x, const V& kappa) {
  V square(0);
  for (int i = 0; i < x.size(); ++i) square = square + x[i] * x[i];
  const V c = V(1) + kappa * square;
  Point<V> r(x.size() + 1);
  for (int i = 0; i < x.size(); ++i) r[i] = V(2) * x[i] / c;
  r[x.size()] = (V(2) - c) / c / sqrt(kappa);
  return r;
}
TEST(Stereographic, OfPositiveCurvatureIsTheSphere) {
  for (const double kappa : {1.0, 4.0, 0.0625}) {
    const Stereographic<double> m(kappa);
    const Stereographic<Q> wide{Q(kappa)};
    const Sphere<Q> sphere(Q(1) / sqrt(Q(kappa)));
    for (std::uint64_t i = 0; i < 40; ++i) {
      const double spread = (i % 4 == 0 ? 1e-3 : i % 4 == 1 ? 0.5 : 1.5) / std::sqrt(kappa);
      const auto x = m.random_normal(3, 1, i, spread), y = m.random_normal(3, 2, i, spread);
      const Q truth = sphere.dist(on_sphere(as<Q>(x), Q(kappa)), on_sphere(as<Q>(y), Q(kappa)));
      EXPECT_NEAR(m.dist(x, y), double(truth), 64 * u * (double(truth) + 1 / std::sqrt(kappa)));
      // a rotation of vectors, that brings the end back
      const auto v = wide.logmap(as<Q>(x), as<Q>(y));
      expect_close(as<double>(wide.expmap(as<Q>(x), v)), y, 8, "expmap of logmap");
      EXPECT_NEAR(double(wide.norm(as<Q>(x), v)), double(truth), 8 * u * double(truth));
      const auto moved = wide.ptransp(as<Q>(x), as<Q>(y), v);
      const auto back = wide.logmap(as<Q>(y), as<Q>(x));
      expect_close(as<double>(moved), as<double>(-back), 64, "ptransp");
      expect_close(m.logmap(x, y), as<double>(v),
                   256 * (1 + kappa * double(dot(x, x)) + kappa * double(dot(y, y))), "logmap");
    }
  }
}

/// Next to the antipode, where c_x c_y and kappa |d|^2 cancel.
/// Means in the ball, in Euclidean space, whose weighted mean both are, and on the sphere; the
/// gradient of the Frechet mean's objective is 0.
TEST(Stereographic, Means) {
  using P = Point<double>;
  const std::vector<P> points{{0.1, 0.2}, {-0.3, 0.4}, {0.5, -0.1}};
  const std::vector<double> weights{1, 2, 0.5};
  for (const double kappa : {-1.0, -0.25, 0.0, 1.0}) {
    const Stereographic<double> m(kappa);
    const P mean = frechet_mean(m, points, weights);
    const P middle = weighted_midpoint(m, points, weights);
    P gradient = mean * 0.0;
    for (std::size_t i = 0; i < 3; ++i)
      gradient = gradient + m.logmap(mean, points[i]) * weights[i];
    EXPECT_LE(norm(gradient), 64 * u) << kappa;
    if (kappa < 0) {
      const PoincareBall<double> ball(1 / std::sqrt(-kappa));
      expect_close(mean, frechet_mean(ball, points, weights), 64, "mean");
      expect_close(middle, weighted_midpoint(ball, points, weights), 32, "midpoint");
      // a cluster far out, where time^2 - |X|^2 cancels
      const std::vector<P> far{ball.expmap0(P{8, 0}), ball.expmap0(P{8, 1e-4})};
      expect_close(weighted_midpoint(m, far, {1.0, 1.0}), weighted_midpoint(ball, far, {1.0, 1.0}),
                   32, "far");
    }
    if (kappa == 0) {
      const P flat = (points[0] + points[1] * 2.0 + points[2] * 0.5) / 3.5;
      expect_close(mean, flat, 32, "mean");
      expect_close(middle, flat, 32, "midpoint");
    }
    if (kappa > 0) {  // of points beyond the equator by way of their opposite ones
      const Sphere<double> sphere;
      const auto lifted = [](const P& x) {
        const double c = 1 + x[0] * x[0] + x[1] * x[1];
        return P{2 * x[0] / c, 2 * x[1] / c, (2 - c) / c};
      };
      for (const double scale : {1.0, 30.0}) {
        std::vector<P> there, up;
        for (const P& x : points) there.push_back(x * scale);
        for (const P& x : there) up.push_back(lifted(x));
        expect_close(lifted(weighted_midpoint(m, there, weights)),
                     weighted_midpoint(sphere, up, weights), 64, "midpoint");
      }
      std::vector<P> up;
      for (const P& x : points) up.push_back(lifted(x));
      expect_close(lifted(mean), frechet_mean(sphere, up, weights), 64, "mean");
    }
  }
}

TEST(Stereographic, OfOppositePoints) {
  for (const double kappa : {0.25, 4.0}) {
    const Stereographic<double> m(kappa);
    const double k = 1 / std::sqrt(kappa);
    for (const double off : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const Point<double> x{0.75 * k, 0}, y{-k / 0.75 * (1 + off), 0};
      const Q truth =
          Sphere<Q>(Q(k)).dist(on_sphere(as<Q>(x), Q(kappa)), on_sphere(as<Q>(y), Q(kappa)));
      EXPECT_NEAR(m.dist(x, y), double(truth), 16 * u * k) << off;
    }
  }
}

/// Between points on a line through the origin no vector is turned.
TEST(Stereographic, TransportAlongALineThroughTheOriginTurnsNothing) {
  const Stereographic<double> m(1.0);
  const Point<double> v{0.7, -0.2, 0.9};
  for (int i = 1; i <= 60; ++i) {
    const double c = 1e7 / i;
    for (const double d : {-1 / (9 * c), 1 / (9 * c), -2 * c}) {
      const Point<double> x{c, 2 * c, 2 * c}, y{d, 2 * d, 2 * d};
      expect_close(m.ptransp(x, y, v), v * ((1 + 9 * d * d) / (1 + 9 * c * c)), 8, "ptransp");
      expect_close(m.gyration(x, y, v), v, 8, "gyration");
    }
  }
}

/// Next to the opposite point the rotation is any, but a rotation.
TEST(Stereographic, TransportToOppositePointsKeepsLengths) {
  const Stereographic<double> m(1.0);
  const Point<double> v{0.7, -0.2, 0.9};
  for (const double size : {1e-3, 1.0, 30.0, 1e4, 1e7})
    for (const double off : {1e-3, 1e-9, 1e-15}) {
      const Point<double> x{0.3 * size, -0.4 * size, 1.2 * size};
      const double d = -1 / (1.69 * size * size);
      const Point<double> y{d * x[0], d * x[1] * (1 + off), d * x[2]};
      EXPECT_NEAR(m.norm(y, m.ptransp(x, y, v)) / m.norm(x, v), 1, 32 * u) << size << ", " << off;
    }
}

/// At kappa = 0 the plane, with lengths doubled; next to it values and derivatives differ by as
/// much as kappa does.
TEST(Stereographic, ThroughZero) {
  const Point<double> x{0.3, -0.2}, y{-0.1, 0.7}, v{0.5, 0.25};
  const Stereographic<double> flat(0.0);
  EXPECT_DOUBLE_EQ(flat.dist(x, y), 2 * norm(y - x));
  EXPECT_TRUE(flat.expmap(x, v) == x + v);
  EXPECT_TRUE(flat.ptransp(x, y, v) == v);
  expect_close(flat.logmap(x, y), y - x, 4, "logmap");
  double far = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const double d = flat.dist0(flat.random_uniform(2, 1, i, 3.0));
    EXPECT_LE(d, 3 * (1 + 4 * u));
    far = std::fmax(far, d);
  }
  EXPECT_GT(far, 2.5);
  for (const double kappa : {1e-3, -1e-3, 1e-9, -1e-9, 1e-18, -1e-18, 1e-300, -1e-300, 5e-324}) {
    const Stereographic<double> m(kappa);
    EXPECT_NEAR(m.dist(x, y), flat.dist(x, y), 4 * std::fabs(kappa) + 16 * u);
    EXPECT_LE(norm(m.expmap(x, v) - (x + v)), 4 * std::fabs(kappa) + 16 * u);
  }
}

/// Derivatives by the curvature, the points and the vectors, on both sides of 0 and at it.
TEST(Stereographic, Derivatives) {
  using X = Variable<double, 2, 2>;
  using M = Stereographic<f64x2>;
  const auto leaf = [](const std::vector<double>& values) {
    return X(Tensor<double, 2>::from_values(std::vector<f64x2>(values.begin(), values.end())),
             true);
  };
  const X x = leaf({0.3, -0.2}), y = leaf({-0.1, 0.7}), v = leaf({0.5, 0.25}), t = leaf({0.3});
  for (const double kappa : {0.0, 1e-3, -1e-3, 1e-12, -1e-12, 0.8, -0.8, 0.1, -0.1}) {
    const X k(Tensor<double, 2>::scalar(f64x2(kappa)), true);
    const auto check = [&](const char* name, const auto& f, std::vector<X> inputs) {
      inputs.insert(inputs.begin(), k);
      const auto report = gradcheck(
          [&](const auto& in) { return f(Learnable<M, 2>(M(f64x2(1)), in[0]), in); }, inputs);
      EXPECT_TRUE(report) << name << " at " << kappa << ": " << report.message();
    };
    check("dist", [](const auto& m, const auto& in) { return m.dist(in[1], in[2]); }, {x, y});
    check("dist0", [](const auto& m, const auto& in) { return m.dist0(in[1]); }, {x});
    check("expmap", [](const auto& m, const auto& in) { return m.expmap(in[1], in[2]); }, {x, v});
    check("expmap0", [](const auto& m, const auto& in) { return m.expmap0(in[1]); }, {v});
    check("logmap", [](const auto& m, const auto& in) { return m.logmap(in[1], in[2]); }, {x, y});
    check("ptransp", [](const auto& m, const auto& in) { return m.ptransp(in[1], in[2], in[3]); },
          {x, y, v});
    check("ptransp from the origin",
          [](const auto& m, const auto& in) { return m.ptransp(in[1], in[2], in[3]); },
          {leaf({0, 0}), y, v});
    check("geodesic", [](const auto& m, const auto& in) { return m.geodesic(in[3], in[1], in[2]); },
          {x, y, t});
    check("mobius_add", [](const auto& m, const auto& in) { return m.mobius_add(in[1], in[2]); },
          {x, y});
  }
}

/// A curvature that starts on the wrong side is learned through 0: distances of a circle's points
/// as on a sphere of curvature 0.5.
TEST(Stereographic, CurvatureIsLearnedThroughZero) {
  const Stereographic<double> target(0.5);
  const auto x = random_normal(Euclidean<double>(), {30, 2}, 1, 0.4);
  const auto y = random_normal(Euclidean<double>(), {30, 2}, 2, 0.4);
  const auto truth = dist(target, x, y);
  const Variable<double> kappa(Tensor<double>::scalar(-0.5), true);
  for (int step = 0; step < 300; ++step) {
    kappa.zero_grad();
    const auto off =
        Learnable<Stereographic<double>>(Stereographic<double>(0.0), kappa).dist(x, y) - truth;
    mean(off * off).backward();
    kappa.value().set({}, kappa.value().item() - 2 * kappa.grad().item());
  }
  EXPECT_NEAR(kappa.value().item(), 0.5, 1e-6);
}

/// What comes out is a point in the type that it is rounded to, far out and next to the origin.
template <class V>
void expect_points(double curvature) {
  const Stereographic<V> m{V(curvature)};
  const double k = curvature == 0 ? 1 : 1 / std::sqrt(std::fabs(curvature));
  const auto vector = [&](double angle, double length) {
    return Point<V>{V(length * std::cos(angle)), V(length * std::sin(angle))};
  };
  const auto expect_point = [&](const char* name, const Point<V>& z) {
    EXPECT_TRUE(m.check_point(z)) << name << " at " << curvature << ": " << double(z[0]) << " "
                                  << double(z[1]);
  };
  for (int i = 0; i < 250; ++i) {
    const double far = k * (i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 0.5 : curvature < 0 ? 20 : 1);
    const auto step = vector(0.7 * i, far), v = vector(1.9 * i, k);
    const auto x = m.expmap0(step), y = m.projx(v);
    expect_point("projx", m.projx(step));
    expect_point("expmap0", x);
    expect_point("expmap", m.expmap(y, step));
    expect_point("retr", m.retr(y, step));
    expect_point("geodesic", m.geodesic(V(0.9), x, y));
    expect_point("geodesic", m.geodesic(V(1.2), x, m.expmap0(vector(1.9 * i, far))));
    expect_point("mobius_add", m.mobius_add(x, y));
    expect_point("mobius_sub", m.mobius_sub(y, x));
    expect_point("mobius_scalar_mul", m.mobius_scalar_mul(V(curvature > 0 ? 0.75 : 8), x));
  }
}
TEST(Stereographic, RoundedResultsArePoints) {
  for (const double curvature : {-1.0, -0.3, -7.0, 0.0, 0.4}) {
    expect_points<float>(curvature);
    expect_points<half>(curvature);
    expect_points<bfloat16>(curvature);
    expect_points<f32x2>(curvature);
    expect_points<double>(curvature);
  }
}

/// The smallest balls of half, whose coordinates are subnormal numbers.
TEST(Stereographic, RoundedResultsArePointsOfTheSmallestBalls) {
  for (const float k : {0x1p-24f, 0x1p-22f, 0x1.8p-20f, 0x1.04p-14f}) {
    const PoincareBall<half> ball{half(k)};
    for (int i = 0; i < 250; ++i) {
      Point<half> step(5);
      for (int j = 0; j < 5; ++j) step[j] = half(20 * k * float(std::sin(i * (j + 1.3))));
      EXPECT_TRUE(ball.check_point(ball.expmap0(step))) << k << ", " << i;
    }
  }
}

TEST(Stereographic, FarOut) {
  using P = Point<double, 2>;
  const Stereographic<double> flat(0.0), sphere(1.0);
  const P far{1e160, 0}, beside{1, 2e160}, v{1, 2};
  EXPECT_EQ(flat.expmap(P{0, 0}, far), far);
  EXPECT_EQ(flat.expmap(far, P{0, 1e160}), (P{1e160, 1e160}));
  EXPECT_DOUBLE_EQ(flat.dist(far, P{0, 1}), 2e160);
  EXPECT_EQ(flat.logmap(P{0, 0}, far), far);
  EXPECT_EQ(flat.ptransp(far, beside, v), v);
  EXPECT_EQ(flat.gyration(far, beside, v), v);
  EXPECT_EQ(flat.mobius_add(far, beside), (P{1e160, 2e160}));
  EXPECT_FALSE(flat.check_point(P{double(INFINITY), 0}));
  EXPECT_TRUE(std::isnan(flat.ptransp(P{std::nan(""), 0}, beside, v)[0]));
  // next to the point opposite to the origin all are near each other
  EXPECT_NEAR(sphere.dist(P{1e80, 0}, P{0, 1e80}) / (2 * std::sqrt(2.0) * 1e-80), 1, 1e-14);
  EXPECT_NEAR(sphere.dist(P{1e150, 0}, P{1, 0}), M_PI / 2, 1e-14);
  EXPECT_NEAR(sphere.dist0(P{1e150, 0}), M_PI, 1e-14);
  EXPECT_EQ(sphere.gyration(P{1, 0}, P{1, 0}, v), v);
}

TEST(Stereographic, OutsideAndRefusals) {
  const Stereographic<double> m(-1.0);
  const Point<double> out{1.1, 0}, in{0.1, 0.2};
  EXPECT_TRUE(std::isnan(m.dist(out, in)));
  EXPECT_TRUE(std::isnan(m.expmap(out, in)[0]));
  EXPECT_FALSE(m.check_point(out));
  EXPECT_TRUE(m.check_point(m.projx(out)));
  EXPECT_TRUE(m.check_point(m.expmap(in, Point<double>{1e17, 0})));
  EXPECT_TRUE(Stereographic<double>(1.0).check_point(Point<double>{1e9, 0}));
  EXPECT_THROW(Stereographic<double>(std::nan("")), DomainError);
  EXPECT_THROW(Stereographic<double>(double(INFINITY)), DomainError);
  const auto points = random_uniform(Stereographic<double>(1.0), {10, 2}, 1, 2.0);
  for (std::int64_t i = 0; i < 10; ++i)
    EXPECT_LE(Stereographic<double>(1.0).dist0(Point<double>{points.at({i, 0}), points.at({i, 1})}),
              2.0 + 1e-12);
}

}  // namespace
}  // namespace mct::geometry_test::stereographic_cases
