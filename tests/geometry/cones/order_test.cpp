// What the relations of cones are: transitive, of a known shape, and at the distance that a search
// over the cone finds. Sources: Yu 2024, theorems 2.2.1 to 2.2.3, lemma A.1.1 as corrected in
// docs/errata.md; Ganea et al. 2018.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "mctensor/geometry/cones/cones.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using P = Point<double, 2>;
using P3 = Point<double, 3>;

class Random {
 public:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random_);
  }
  template <int n>
  Point<double, n> direction() {
    Point<double, n> e;
    for (int i = 0; i < n; ++i) e[i] = std::normal_distribution<>()(random_);
    return e / norm(e);
  }
  /// A point at a distance from x.
  template <class M, int n>
  Point<double, n> around(const M& m, const Point<double, n>& x, double distance) {
    const auto e = direction<n>();
    return m.expmap(x, e * (distance / m.norm(x, e)));
  }

 private:
  std::mt19937_64 random_{11};
};

constexpr bool ball_of(const PoincareBall<double>&) { return true; }
constexpr bool ball_of(const HalfSpace<double>&) { return false; }

/// An apex outside the light: in the ball beyond `least` from the origin, in the half-space below
/// that height.
template <int n, class M>
Point<double, n> apex(Random& random, const M& m, double least) {
  const double depth = random.uniform(0.01, 2);
  if (ball_of(m)) {
    const auto e = random.template direction<n>();
    return m.expmap0(e * ((least + depth) / 2));  // lambda is 2 at the origin
  }
  auto u = random.template direction<n>();
  u[n - 1] = least * std::exp(-depth);
  return u;
}
/// v in the cone of u, by trial.
template <class C, int n>
Point<double, n> child(Random& random, const C& cones, const Point<double, n>& u) {
  for (;;) {
    const auto v = random.around(cones.manifold(), u, random.uniform(0, 3));
    if (contains(cones, u, v)) return v;
  }
}

// How many triples are drawn.
#ifdef MCT_EXHAUSTIVE
constexpr int triples = 250000;
#else
constexpr int triples = 5000;
#endif

// u over v and v over w: a cone of w's would have to lie by rounding beside that of u.
template <class C>
void check_transitive(const C& cones, double least) {
  Random random;
  int wrong = 0;
  for (int i = 0; i < triples; ++i) {
    const auto u = apex<2>(random, cones.manifold(), least);
    const auto v = child(random, cones, u);
    const auto w = child(random, cones, v);
    if (!contains(cones, u, w) && cones.boundary_distance(u, w) > 1e-12) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}
TEST(ConeOrder, Transitive) {
  const HalfSpace<double> half(1.3);
  const PoincareBall<double> ball(1.3);
  check_transitive(UmbralCones(half, 0.5), 1);
  check_transitive(UmbralCones(ball, 0.5), 0.5);
  check_transitive(PenumbralCones(half, 1.0), 1);
  check_transitive(PenumbralCones(ball, 0.5), 0.5);
}
/// Objects that have a surrogate outside the light.
TEST(ConeOrder, AntumbralConesAreTransitive) {
  check_transitive(AntumbralCones(HalfSpace<double>(1.3), 1.0, 1e-3), 0.99);
  check_transitive(AntumbralCones(PoincareBall<double>(1.3), 0.5, 1e-3), 0.5);
}

/// The geodesic between two points of a penumbral cone stays in it.
template <class C>
void check_convex(const C& cones, double least) {
  Random random;
  for (int i = 0; i < triples; ++i) {
    const auto u = apex<3>(random, cones.manifold(), least);
    const auto x = child(random, cones, u), y = child(random, cones, u);
    const auto z = cones.manifold().geodesic(random.uniform(0, 1), x, y);
    EXPECT_LE(cones.boundary_distance(u, z), 1e-12) << i;
  }
}
TEST(ConeOrder, PenumbralConesAreGeodesicallyConvex) {
  check_convex(PenumbralCones(HalfSpace<double>(1.3), 1.0), 1);
  check_convex(PenumbralCones(PoincareBall<double>(1.3), 0.5), 0.5);
}
/// Two points just inside the same straight boundary: the geodesic between them leaves the cone.
TEST(ConeOrder, UmbralConesAreNotGeodesicallyConvex) {
  const double s = std::sinh(0.5);
  const UmbralCones half(HalfSpace<double>(1), 0.5);
  const P u(0, 1), x(0.2 * s * 0.999, 0.8), y(0.8 * s * 0.999, 0.2);
  ASSERT_TRUE(contains(half, u, x) && contains(half, u, y));
  EXPECT_GT(half.boundary_distance(u, half.manifold().geodesic(0.5, x, y)), 0.05);

  const UmbralCones ball(PoincareBall<double>(1), 0.5);
  const P apex(0.6, 0);
  const auto edge = [&](double distance) {  // the last angle that is inside
    double low = 0, high = 2;
    const auto at = [&](double t) {
      const P e(std::cos(t), std::sin(t));
      return ball.manifold().expmap(apex, e * (distance / ball.manifold().norm(apex, e)));
    };
    for (int i = 0; i < 60; ++i)
      (contains(ball, apex, at((low + high) / 2)) ? low : high) = (low + high) / 2;
    return at(low);
  };
  const P a = edge(0.3), b = edge(3);
  ASSERT_TRUE(contains(ball, apex, a) && contains(ball, apex, b));
  EXPECT_GT(ball.boundary_distance(apex, ball.manifold().geodesic(0.5, a, b)), 0.01);
}

/// Membership by its definition: v's ball after u's ball, v seen through u into the light.
TEST(ConeOrder, MembershipIsWhatTheShadowsSay) {
  Random random;
  const HalfSpace<double> half(1);
  const UmbralCones shadows(half, 0.3);
  const PenumbralCones lights(half, 1.5);
  for (int i = 0; i < 20000; ++i) {
    const P u(0, random.uniform(0.2, 1.4));
    const P v = random.around(half, u, random.uniform(0, 2));
    // Euclidean balls of radius x_n sinh r at the height x_n cosh r: v's lies in the strip below
    // u's and, with its centre, below u
    const double gap = std::abs(v[0]) + std::sinh(0.3) * (v[1] - u[1]);
    if (std::abs(gap) > 1e-12) {
      EXPECT_EQ(contains(shadows, u, v), gap < 0) << i;
    }
    // the circle through v and u around a point of the ground rises beyond u to its top
    const double a = (v[0] * v[0] + v[1] * v[1] - u[1] * u[1]) / (2 * v[0]);
    const double top = std::hypot(a, u[1]);
    const bool through = a * v[0] <= 0 && top >= 1.5;  // u lies between v and the top
    if (std::abs(top - 1.5) > 1e-9) {
      EXPECT_EQ(contains(lights, u, v), through) << i;
    }
  }
}

/// The shortest distance from v to the cone of u: over the boundary on both sides, found by search
/// along it and refined.
template <class C>
double searched_distance(const C& cones, const P& u, const P& v) {
  const auto& m = cones.manifold();
  const double size = norm(u);
  const P axis = ball_of(m) ? u / size : P(0, -1);
  const P side(-axis[1], axis[0]);
  // the boundary's point at the distance s from u on one side
  const auto at = [&](double s, double sign) {
    const auto point = [&](double t) {
      const P e = axis * std::cos(t) + side * (sign * std::sin(t));
      return m.expmap(u, e * (s / m.norm(u, e)));
    };
    double low = 0, high = 3;
    for (int i = 0; i < 50; ++i)
      (contains(cones, u, point((low + high) / 2)) ? low : high) = (low + high) / 2;
    return point(low);
  };
  double best = m.dist(u, v);
  for (const double sign : {-1.0, 1.0}) {
    double where = 0, step = 0.25;
    for (double s = step; s < 8; s += step)
      if (const double d = m.dist(at(s, sign), v); d < best) best = d, where = s;
    for (; step > 1e-7; step /= 2)
      for (const double s : {where - step / 2, where + step / 2})
        if (s > 0)
          if (const double d = m.dist(at(s, sign), v); d < best) best = d, where = s;
  }
  return best;
}
template <class C>
void check_distance(const C& cones, double least, int count) {
  Random random;
  int wrong = 0, apexes = 0;
  for (int i = 0; i < count;) {
    const auto u = apex<2>(random, cones.manifold(), least);
    const P v = random.around(cones.manifold(), u, random.uniform(0.05, 3));
    if (contains(cones, u, v)) continue;
    ++i;
    const double d = cones.cone_distance(u, v, 0.0);
    if (std::abs(d - searched_distance(cones, u, v)) > 1e-6) ++wrong;
    if (cones.altitude(u, v) > 0) ++apexes;
  }
  EXPECT_EQ(wrong, 0) << "of " << count;
  EXPECT_GT(apexes, count / 10);
  EXPECT_LT(apexes, count * 9 / 10);
}
TEST(ConeOrder, DistanceIsTheShortestThatASearchFinds) {
  const HalfSpace<double> half(1.3);
  const PoincareBall<double> ball(1.3);
  check_distance(UmbralCones(ball, 0.5), 0.5, 1000);
  check_distance(UmbralCones(half, 0.5), 1, 300);
  check_distance(PenumbralCones(half, 1.0), 1, 300);
  check_distance(PenumbralCones(ball, 0.5), 0.5, 300);
}

/// As printed, with the sign of lemma A.1.1: cases in which it takes the wrong one of both.
TEST(ConeOrder, PrintedLemmaIsWrong) {
  Random random;
  const PoincareBall<double> ball(1);
  const UmbralCones cones(ball, 0.3);
  int wrong = 0, count = 0;
  while (count < 200) {
    const auto u = apex<2>(random, ball, 0.3);
    const P v = random.around(ball, u, random.uniform(0.3, 2));
    if (contains(cones, u, v)) continue;
    ++count;
    const double alpha = std::acos(std::clamp(dot(u, v) / (norm(u) * norm(v)), -1.0, 1.0));
    const double beta = std::asin(2 * 0.3 * norm(u) / (1 - dot(u, u)));  // as printed; NaN above 1
    const double t = 2 * norm(v) / (1 - dot(v, v)) * std::sin(alpha - beta);
    const double H = std::acosh(std::cosh(ball.dist0(v)) / std::sqrt(1 + t * t)) -
                     std::acosh(std::cosh(ball.dist0(u)) * std::cosh(0.3));
    const double d = H > 0 ? ball.dist(u, v) : std::asinh(t) + 0.3;
    if (!(std::abs(d - searched_distance(cones, u, v)) < 1e-6)) ++wrong;
  }
  EXPECT_GT(wrong, 100);
}

/// At altitude 0 both cases of the distance meet; a gamma makes a step no larger than itself.
template <class C>
void check_continuous(const C& cones, double least) {
  Random random;
  const auto& m = cones.manifold();
  for (int i = 0; i < 2000; ++i) {
    const auto u = apex<3>(random, m, least);
    const auto e = random.direction<3>(), f = random.direction<3>();
    const double distance = random.uniform(0.1, 2);
    P3 high, low = m.expmap(u, e * (distance / m.norm(u, e)));
    high = m.expmap(u, f * (distance / m.norm(u, f)));
    if (!(cones.altitude(u, high) > 0)) std::swap(high, low);
    if (!(cones.altitude(u, high) > 0) || cones.altitude(u, low) > 0) continue;
    for (int k = 0; k < 60; ++k) {
      const P3 middle = m.geodesic(0.5, low, high);
      (cones.altitude(u, middle) > 0 ? high : low) = middle;
    }
    const double above = cones.cone_distance(u, high, 0.0);
    EXPECT_NEAR(above, cones.cone_distance(u, low, 0.0), 1e-7) << i;
    EXPECT_NEAR(above, m.dist(u, high), 1e-7);
    EXPECT_NEAR(cones.cone_distance(u, high, 1e-3), above, 1e-3 + 1e-7);
  }
}
TEST(ConeOrder, DistanceIsContinuousAtAltitudeZero) {
  check_continuous(UmbralCones(HalfSpace<double>(1.3), 0.5), 1);
  check_continuous(UmbralCones(PoincareBall<double>(1.3), 0.5), 0.5);
  check_continuous(PenumbralCones(HalfSpace<double>(1.3), 1.0), 1);
  check_continuous(PenumbralCones(PoincareBall<double>(1.3), 0.5), 0.5);
}

/// Theorem 2.2.2: the formulas of Ganea et al. for a ball of radius 1.
TEST(ConeOrder, EntailmentConesArePenumbralCones) {
  Random random;
  const PoincareBall<double> ball(1);
  const double c = 0.5;
  const auto cones = entailment_cones(ball, c);
  EXPECT_NEAR(std::sinh(cones.light()) / 2, c, 1e-16);
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const P3 x = apex<3>(random, ball, cones.light() + 0.01);
    const P3 y = random.around(ball, x, random.uniform(0.01, 3));
    const double x2 = dot(x, x), y2 = dot(y, y), xy = dot(x, y);
    const double psi = std::asin(c * (1 - x2) / norm(x));
    const double cosine =
        (xy * (1 + x2) - x2 * (1 + y2)) / (norm(x) * norm(x - y) * std::sqrt(1 + x2 * y2 - 2 * xy));
    EXPECT_NEAR(std::sin(cones.half_aperture(x)), std::sin(psi), 1e-14);
    EXPECT_NEAR(std::cos(cones.cone_angle(x, y)), cosine, 1e-12) << i;
    const double xi = std::acos(std::clamp(cosine, -1.0, 1.0));
    if (std::abs(xi - psi) > 1e-6) {
      EXPECT_EQ(contains(cones, x, y), xi < psi) << i;
      EXPECT_NEAR(cones.angle_energy(x, y), std::max(0.0, xi - psi), 1e-6) << i;
    }
    inside += contains(cones, x, y) ? 1 : 0;
  }
  EXPECT_GT(inside, 1000);
  // the constant has no unit
  const auto wide = entailment_cones(PoincareBall<double>(3), c);
  EXPECT_NEAR(wide.light(), 3 * cones.light(), 1e-15);
}

/// The ray through the surrogate that touches the light touches the object's ball.
TEST(ConeOrder, SurrogatesAreWhereRaysCross) {
  const HalfSpace<double> half(1);
  const AntumbralCones cones(half, 2.0, 0.1);
  const P u(0.3, 1.2);
  const P s = cones.surrogate(u);
  const double centre = s[0] + std::sqrt(4 - s[1] * s[1]);
  double nearest = 1e9;
  for (double t = 1e-3; t < 3.14; t += 1e-4)
    nearest = std::min(nearest, half.dist(u, P(centre + 2 * std::cos(t), 2 * std::sin(t))));
  EXPECT_NEAR(nearest, 0.1, 1e-6);
  EXPECT_EQ(s[0], u[0]);

  const PoincareBall<double> ball(1);
  const AntumbralCones around(ball, 0.5, 0.1);
  const P v(0.36, 0.2);
  const P z = around.surrogate(v);
  // sines of the half-apertures at the surrogate: of the light and of the ball around v
  const double sine = std::sinh(0.5) / std::sinh(ball.dist0(z));
  EXPECT_NEAR(std::sinh(0.1) / std::sinh(ball.dist(v, z)), sine, 1e-13);
  EXPECT_NEAR(z[0] * v[1], z[1] * v[0], 1e-16);
  EXPECT_GT(ball.dist0(z), ball.dist0(v));
  EXPECT_NEAR(around.half_aperture(v), std::asin(sine), 1e-13);
  EXPECT_EQ(around.cone_distance(v, v * 1.05, 0.0),
            PenumbralCones(ball, 0.5).cone_distance(z, around.surrogate(v * 1.05), 0.0));
  // too far from the light the rays do not cross
  EXPECT_TRUE(std::isnan(around.half_aperture(P(0.9, 0))));
  EXPECT_TRUE(std::isnan(cones.half_aperture(P(0.3, 0.4))));
}

/// The half-aperture of umbral cones in the ball is the angle of the boundary next to u, and not
/// the same for all: sin = tanh r / tanh d.
TEST(ConeOrder, HalfApertureIsTheAngleOfTheBoundary) {
  const PoincareBall<double> ball(1);
  const UmbralCones cones(ball, 0.3);
  for (const double x : {0.2, 0.5, 0.9}) {
    const P u(x, 0);
    double low = 0, high = 3;
    for (int i = 0; i < 50; ++i) {
      const double t = (low + high) / 2;
      const P v = ball.expmap(u, P(std::cos(t), std::sin(t)) * (1e-5 / ball.lambda_x(u)));
      (contains(cones, u, v) ? low : high) = t;
    }
    EXPECT_NEAR(cones.half_aperture(u), low, 1e-5) << x;
    EXPECT_NEAR(std::sin(low), std::tanh(0.3) / std::tanh(ball.dist0(u)), 1e-5) << x;
  }
}

/// Another source of light: the isometry takes it to the origin, or a point of the ground to where
/// the light of the half-space is.
TEST(ConeOrder, SeenFromOtherSources) {
  const PoincareBall<double> ball(1);
  const P s(0.3, -0.2), x(0.5, 0.4), y(-0.1, 0.6);
  EXPECT_NEAR(ball.dist0(seen_from(ball, s, x)), ball.dist(s, x), 1e-15);
  EXPECT_NEAR(ball.dist(seen_from(ball, s, x), seen_from(ball, s, y)), ball.dist(x, y), 1e-14);
  EXPECT_EQ(norm(seen_from(ball, s, s)), 0);
  const HalfSpace<double> half(1);
  const P b(0.5, 0), p(0.7, 1), q(2, 0.3);
  EXPECT_NEAR(half.dist(seen_from(half, b, p), seen_from(half, b, q)), half.dist(p, q), 1e-14);
  EXPECT_GT(seen_from(half, b, P(0.5, 1e-5))[1], 0.9e5);
  EXPECT_TRUE(std::isnan(seen_from(half, P(0.5, 0.1), p)[1]));
  // on the geodesic from the source through p, beyond it: on the axis of p's cone
  const UmbralCones cones(half, 0.1);
  const P beyond = seen_from(half, b, P(3, 0.001));
  EXPECT_TRUE(contains(cones, seen_from(half, b, P(3, 0.1)), beyond));
}

}  // namespace
}  // namespace mct::geometry_test
