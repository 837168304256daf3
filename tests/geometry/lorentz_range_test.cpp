// The hyperboloid where a step would leave the range of the type: the result is the point that lies
// in the same direction at the longest length.
#include <gtest/gtest.h>

#include "mctensor/geometry/round_points.hpp"
#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test::lorentz_range_cases {
namespace {

using namespace mct::validation;
using namespace mct::geometry;

/// The length of the spatial part of the last points.
double farthest(double radius) { return 0x1p1016 * std::fmin(radius, 1); }

/// The point, but its spatial part no longer than that of the last points.
BigVector within_reach(const ManifoldOracle& oracle, const BigVector& z) {
  BigVector Z(z.begin() + 1, z.end());
  const Big size = validation::norm(Z),
            farthest(lorentz_range_cases::farthest(double(oracle.radius())));
  if (size > farthest) Z = Z * (farthest / size);
  return oracle.from_space(Z);
}

/// What share of the bound the error of a step from x along u is. `retracts`: of length asinh(s)
/// instead of s.
template <class V>
double share_of_bound(const Lorentz<V>& m, const Point<V, 4>& x, const Point<V, 4>& u,
                      bool retracts) {
  const ManifoldOracle oracle(Model::lorentz, Big(m.radius()));
  const std::vector<BigVector> at{big_vector(x), big_vector(u)};
  const auto f = [&](const std::vector<BigVector>& in) {
    const Big s = oracle.norm_at(in[0], in[1]) / oracle.radius();
    const BigVector v = retracts && !s.is_zero() ? in[1] * (asinh(s) / s) : in[1];
    return oracle.expmap(in[0], v);
  };
  const auto z = retracts ? m.retr(x, u) : m.expmap(x, u);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(std::isfinite(double(z[i])));
  const BigVector whole = f(at);
  const BigVector exact = within_reach(oracle, whole);
  Big allowed = validation::norm(condition(at, f));
  const Big rounding = validation::norm(rounding_condition(at, bits_of<V>, f));
  if (!(rounding <= allowed)) allowed = rounding;
  allowed = (Big(1) + allowed / validation::norm(whole)) * validation::norm(exact);
  // far out, roundings of u turn it and make it longer than any number: no bound is stated
  if (!(allowed * unit<V>() < validation::norm(exact))) return 0;
  const Big error = validation::norm(big_vector(z) - exact);
  return double(error / (Big(manifold_bound<V>(4)) * unit<V>() * allowed));
}

template <class V>
class LorentzRangeTest : public ::testing::Test {};
using Types = ::testing::Types<double, f64x2, f64x4>;
TYPED_TEST_SUITE(LorentzRangeTest, Types);

TYPED_TEST(LorentzRangeTest, StepsAtTheEndOfTheRange) {
  using V = TypeParam;
  for (const double radius : {1.0, 1e-40}) {
    Cases<Lorentz, V> cases(radius, 5);
    for (const double far : {0.0, 1.0, 340.0}) {
      const auto x = cases.point(far);
      for (const double length : {601.0, 712.0, 950.0}) {
        const auto u = cases.tangent(x, length);
        for (const bool retracts : {false, true})
          EXPECT_LE(share_of_bound(cases.manifold, x, u, retracts), 1)
              << radius << ": from " << far << " by " << length << ' ' << retracts;
      }
    }
  }
}

/// A point on an axis, and a vector along it: nothing turns. Across, too.
TYPED_TEST(LorentzRangeTest, StepsAlongAnAxis) {
  using V = TypeParam;
  const Lorentz<V> m;
  for (const double r : {100.0, 500.0}) {
    const Point<V, 4> x{V(std::cosh(r)), V(std::sinh(r)), V(0), V(0)};
    for (const double length : {650.0, 800.0, 1000.0}) {
      const Point<V, 4> in{V(0), V(-length * std::cosh(r)), V(0), V(0)};
      const Point<V, 4> out{V(0), V(length * std::cosh(r)), V(0), V(0)};
      const Point<V, 4> across{V(0), V(0), V(length), V(0)};
      for (const auto& u : {in, out, across})
        for (const bool retracts : {false, true})
          EXPECT_LE(share_of_bound(m, x, u, retracts), 1) << r << " by " << length << retracts;
    }
  }
}

/// However long a vector is, and however far a geodesic goes on, the end is a point.
TYPED_TEST(LorentzRangeTest, EndsArePoints) {
  using V = TypeParam;
  const auto expect_point = [](const auto& m, const auto& z, const char* what) {
    for (int i = 0; i < z.size(); ++i) EXPECT_TRUE(std::isfinite(double(z[i]))) << what << ' ' << i;
    EXPECT_TRUE(m.check_point(z, 1e-10)) << what;
    EXPECT_TRUE(std::isfinite(double(m.dist0(z)))) << what;
  };
  for (const double radius : {0x1p-150, 1.0, 0x1p150}) {
    Cases<Lorentz, V> cases(radius, 7);
    const auto& m = cases.manifold;
    for (const double far : {0.0, 1.0, 500.0, 704 - std::log(std::fmax(radius, 1))}) {
      const auto x = cases.point(far);
      const auto y = cases.point(far / 2 + 1);
      for (const double size : {1e3, 1e100, 0x1p1000, 0x1.8p1022}) {
        for (const double sign : {1.0, -1.0}) {
          const Point<V, 4> u{V(0), V(sign * size), V(size), V(-size)};
          expect_point(m, m.expmap(x, u), "expmap");
          expect_point(m, m.retr(x, u), "retr");
          expect_point(m, m.expmap0(u), "expmap0");
          expect_point(m, m.geodesic(V(sign * size), x, y), "geodesic");
          expect_point(m, m.geodesic_unit(V(sign * size), x, u), "geodesic_unit");
        }
      }
    }
    const Point<V, 4> lost{V(0), V(NAN), V(1), V(1)};
    EXPECT_TRUE(std::isnan(double(m.expmap0(lost)[2]) + double(m.expmap0(lost)[1])));
  }
}

/// From a last point, which a step outward reached, steps and geodesics lead on and back.
TYPED_TEST(LorentzRangeTest, LastPointsAreNoDeadEnds) {
  using V = TypeParam;
  for (const double radius : {0x1p-150, 0.05, 1.0, 3.0, 0x1p150}) {
    const Lorentz<V> m((V(radius)));
    const double size = farthest(radius);
    const auto along = [](double length) { return Point<V, 3>{V(0), V(length), V(0)}; };
    const double least = 1e-13;
    const auto last = m.expmap0(along(1e5 * radius));
    EXPECT_NEAR(double(last[1]) / size, 1, least) << radius;
    for (const double back : {1e-3, 1.0, 15.0})
      EXPECT_NEAR(double(m.expmap(last, along(-back * size))[1] / V(size)) * std::exp(back), 1,
                  least)
          << radius << ' ' << back;
    for (const double on : {0.0, 1e-3, 15.0}) {
      EXPECT_NEAR(double(m.expmap(last, along(on * size))[1]) / size, 1, least) << radius;
      EXPECT_NEAR(double(m.retr(last, along(on * size))[1]) / size, 1, least) << radius;
    }
    // nearer to the origin by K, and the other end of the space
    const auto before = m.expmap(last, along(-size));
    const auto other = m.expmap0(along(-1e5 * radius));
    EXPECT_NEAR(double(m.geodesic(V(-1), last, before)[1]) / size, 1, least) << radius;
    EXPECT_NEAR(double(m.geodesic(V(3), last, before)[1] / V(size)) * std::exp(3), 1, 1e-10)
        << radius;
    EXPECT_NEAR(double(m.geodesic(V(1.5), other, last)[1]) / size, 1, least) << radius;
    EXPECT_NEAR(double(m.geodesic(V(-0.5), before, other)[1]) / size, 1, least) << radius;
  }
}

/// Ends near each other and far out.
TYPED_TEST(LorentzRangeTest, GeodesicsBeyondNearEnds) {
  using V = TypeParam;
  const Lorentz<V> m;
  for (const double size : {0x1p900, 0x1p1009, 0x1p1014}) {
    const Point<V, 3> x{V(size), V(0), V(size)};
    for (const double apart : {0x1p-5, 0x1p-20}) {
      const Point<V, 3> y{V(size), V(0), V(size * (1 + apart))};
      const auto z = m.geodesic(V(-1), x, y);
      EXPECT_NEAR(double(z[2]) / size, 1 / (1 + apart), 1e-12) << size << ' ' << apart;
      EXPECT_EQ(double(z[1]), 0);
    }
  }
}

/// Vectors whose Euclidean length no number has.
TYPED_TEST(LorentzRangeTest, VectorsBeyondTheRange) {
  using V = TypeParam;
  const Lorentz<V> m;
  const V c(0x1p1014);
  const Point<V, 4> x{V(0), c, c, c};
  for (const double s : {25.0, 650.0}) {
    const auto z = m.expmap(x, x * V(-s));
    for (int i = 1; i < 4; ++i) EXPECT_NEAR(double(z[i] / c) * std::exp(s), 1, s * 1e-13) << s;
    EXPECT_NEAR(double(m.retr(x, x * V(-s))[1] / c) * std::exp(std::asinh(s)), 1, 1e-12);
  }
  const double most = 0x1.8p1023;
  for (const double radius : {0x1p-150, 1e-20, 0.5, 1.0, 0x1p150})
    EXPECT_NEAR(double(Lorentz<V>(V(radius)).retr(Point<V, 3>{V(radius), V(0), V(0)},
                                                  Point<V, 3>{V(0), V(0), V(-most)})[2]) /
                    farthest(radius),
                -1, 1e-13)
        << radius;
  // inward past the origin: s K (a - |X|), where s has no number
  const Lorentz<V> small(V(0x1p-150));
  EXPECT_NEAR(double(small.retr(Point<V, 3>{V(0), V(0x1p-72), V(0)},
                                Point<V, 3>{V(0), V(-0x1p1000), V(0)})[1]) /
                  -5.865249e253,
              1, 1e-6);
  EXPECT_NEAR(double(small.retr(Point<V, 3>{V(0), V(0x1p-50), V(0)},
                                Point<V, 3>{V(0), V(-0x1p1023), V(0)})[1]) /
                  -2.796769e247,
              1, 1e-6);
  EXPECT_NEAR(double(Lorentz<V>(V(1e-20)).retr(Point<V, 3>{V(1e-20), V(0), V(0)},
                                               Point<V, 3>{V(0), V(0), V(1e280)})[2]) /
                  1e280,
              1, 1e-13);
}

/// In a narrow type, the points of a longer step are at the same place: where the type ends.
template <class V>
void expect_last_points(double least) {
  const Lorentz<V> m;
  for (const double length : {20.0, 100.0, 300.0}) {
    if (std::sinh(length) < double(FloatTraits<V>::max)) continue;
    const auto z = m.expmap0(Point<V, 3>(V(0), V(0.6 * length), V(-0.8 * length)));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isfinite(double(z[i]))) << length;
    EXPECT_GT(double(m.dist0(z)), least) << length;
    EXPECT_NEAR(double(z[1]) / double(z[2]), -0.75, 0.75 * 4 * double(FloatTraits<V>::u));
  }
}
TEST(LorentzRange, OfNarrowTypes) {
  expect_last_points<half>(11.75);
  expect_last_points<bfloat16>(89);
  expect_last_points<float>(89.4);
  EXPECT_TRUE(std::isfinite(double(
      Lorentz<f16x2>().expmap0(Point<f16x2, 2>(f16x2(half(0.0F)), f16x2(half(100.0F))))[1])));
}

}  // namespace
}  // namespace mct::geometry_test::lorentz_range_cases
