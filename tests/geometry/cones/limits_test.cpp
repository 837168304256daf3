// Cones where formulas end: NaN, points outside, points in the light, equal points, huge and tiny
// radii, wrong arguments; and lanes of SIMD batches, which must not depend on each other.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "mctensor/geometry/cones/cones.hpp"
#include "tests/geometry/cones/cone_oracle.hpp"
#include "tests/message_of.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using P = Point<double, 2>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// f(operation's name, its value) for every operation of a pair.
template <class C, class F>
void each_value(const C& cones, const P& u, const P& v, double gamma, const F& f) {
  f("cone_angle", cones.cone_angle(u, v));
  f("angle_energy", cones.angle_energy(u, v));
  f("boundary_distance", cones.boundary_distance(u, v));
  f("altitude", cones.altitude(u, v));
  f("cone_distance", cones.cone_distance(u, v, gamma));
}
template <class F>
void each_system(const F& f) {
  const HalfSpace<double> half(1.3);
  const PoincareBall<double> ball(1.3);
  const P low(0.2, 0.7), lower(0.25, 0.3), out(0.3, 0.4), outer(0.5, 0.6);
  f("umbral half-space", UmbralCones(half, 0.1), low, lower);
  f("umbral ball", UmbralCones(ball, 0.1), out, outer);
  f("penumbral half-space", PenumbralCones(half, 2.0), low, lower);
  f("penumbral ball", PenumbralCones(ball, 0.1), out, outer);
  f("antumbral half-space", AntumbralCones(half, 2.0, 0.05), low, lower);
  f("antumbral ball", AntumbralCones(ball, 1.0, 0.05), out, outer);
}

TEST(ConeLimits, NaNInEachOperandGivesNaN) {
  each_system([](const char* name, const auto& cones, const P& u, const P& v) {
    each_value(cones, u, v, 1e-4, [&](const char* op, double value) {
      EXPECT_FALSE(std::isnan(value)) << name << ' ' << op;
    });
    for (int i = 0; i < 4; ++i) {
      P a = u, b = v;
      (i < 2 ? a : b)[i % 2] = nan;
      each_value(cones, a, b, 1e-4, [&](const char* op, double value) {
        EXPECT_TRUE(std::isnan(value)) << name << ' ' << op << ' ' << i;
      });
      EXPECT_FALSE(contains(cones, a, b)) << name;
      if (i < 2) {
        EXPECT_TRUE(std::isnan(cones.half_aperture(a))) << name;
      }
    }
    // above the apex and beside it
    for (const P& at : {u, v})
      for (const double gamma : {nan, -1.0}) {
        EXPECT_TRUE(std::isnan(cones.cone_distance(v, at, gamma))) << name;
      }
  });
}

TEST(ConeLimits, PointsOutsideAndInTheLightGiveNaN) {
  each_system([](const char* name, const auto& cones, const P& u, const P&) {
    constexpr bool upper =
        geometry::detail::is_half_space_v<std::remove_cvref_t<decltype(cones.manifold())>>;
    for (const P& outside : {upper ? P(0.1, -0.5) : P(1.2, 1.2), upper ? P(0.1, 0.0) : P(0.0, 1.3)})
      for (const bool first : {true, false})
        each_value(cones, first ? outside : u, first ? u : outside, 0,
                   [&](const char* op, double value) {
                     EXPECT_TRUE(std::isnan(value)) << name << ' ' << op << first;
                   });
    // of the umbral cones in the half-space the light is infinitely far away
    if (std::string(name) == "umbral half-space") return;
    const P lit = upper ? P(0.2, 2.5) : P(0.01, 0.02);
    each_value(cones, lit, u, 0, [&](const char* op, double value) {
      EXPECT_TRUE(std::isnan(value)) << name << ' ' << op;
    });
    EXPECT_TRUE(std::isnan(cones.half_aperture(lit))) << name;
    EXPECT_FALSE(contains(cones, lit, u)) << name;
  });
  // the origin has no axis
  EXPECT_TRUE(std::isnan(PenumbralCones(PoincareBall<double>(1), 1e-300).half_aperture(P(0, 0))));
}

TEST(ConeLimits, EqualPoints) {
  each_system([](const char* name, const auto& cones, const P& u, const P&) {
    EXPECT_TRUE(contains(cones, u, u)) << name;
    EXPECT_EQ(cones.cone_angle(u, u), 0) << name;
    EXPECT_EQ(cones.angle_energy(u, u), 0) << name;
    EXPECT_EQ(cones.boundary_distance(u, u), 0) << name;
    EXPECT_NEAR(cones.altitude(u, u), 0, 1e-15) << name;
    EXPECT_EQ(cones.cone_distance(u, u, 0.0), 0) << name;
  });
}

/// Points out of the light have cones, whatever they were; those that have one stay.
TEST(ConeLimits, ProjectionOutOfTheLight) {
  const auto check = [](const auto& cones, const auto& in_light, const auto& outside) {
    const auto moved = cones.projx(in_light);
    EXPECT_FALSE(std::isnan(double(cones.half_aperture(moved))));
    EXPECT_GT(double(cones.half_aperture(moved)), 1.5);
    EXPECT_TRUE(cones.projx(outside) == outside);
    EXPECT_TRUE(cones.projx(moved) == moved);
  };
  const PoincareBall<double> ball(1.3);
  check(PenumbralCones(ball, 0.1), P(0.01, 0.01), P(0.5, 0.1));
  check(PenumbralCones(ball, 0.1), P(0, 0), P(0.5, 0.1));
  check(UmbralCones(ball, 0.1), P(0, 0), P(0.5, 0.1));
  check(UmbralCones(ball, 20.0), P(0.1, 0.2), P(0, 1.3 * (1 - 1e-9)));
  check(PenumbralCones(HalfSpace<double>(1.3), 2.0), P(0.1, 3), P(0.5, 0.1));
  using F = Point<float, 2>;
  check(PenumbralCones(PoincareBall<float>(1.3f), 0.1f), F(0.01f, 0.01f), F(0.5f, 0.1f));
  check(PenumbralCones(HalfSpace<float>(1.3f), 2.0f), F(0.1f, 3.0f), F(0.5f, 0.1f));
  const P free(0.1, 3);
  EXPECT_TRUE(UmbralCones(HalfSpace<double>(1.3), 0.1).projx(free) == free);
}

/// Balls of radius 600 K, whose sinh squared is no number, and of 1e-300 K.
TEST(ConeLimits, HugeAndTinyBalls) {
  const HalfSpace<double> half(1);
  const ConeOracle huge{validation::Model::half_space, ConeKind::umbral, Big(1), Big(600)};
  const ConeOracle tiny{validation::Model::half_space, ConeKind::umbral, Big(1), Big(1e-300)};
  const P u(0.25, 1.0);
  for (const P& v : {P(0.25, 0.5), P(3, 0.1), P(0.5, 2), P(1e200, 1), P(0.25, 1e-30)}) {
    const BigVector bu = validation::big_vector(u), bv = validation::big_vector(v);
    for (const auto* oracle : {&huge, &tiny}) {
      const UmbralCones cones(half, double(oracle->length));
      const double truth = double(oracle->boundary_distance(bu, bv));
      EXPECT_NEAR(cones.boundary_distance(u, v), truth, 1e-12 * std::abs(truth))
          << v[0] << ' ' << v[1];
      const double altitude = double(oracle->altitude(bu, bv));
      EXPECT_NEAR(cones.altitude(u, v), altitude, 1e-12 * std::abs(altitude));
      EXPECT_EQ(contains(cones, u, v), truth <= 0);
    }
  }
}

/// Every number type of the manifolds: as in double, to its own rounding.
template <class V>
void check_type(double tolerance) {
  const V k(1.5), size(0.125), light(2);
  const Point<V, 2> u(V(0.25), V(0.75)), v(V(0.5), V(0.25)), w(V(0.25), V(0.5)), x(V(0.5), V(0.75));
  const P du(0.25, 0.75), dv(0.5, 0.25), dw(0.25, 0.5), dx(0.5, 0.75);
  const auto check = [&](const auto& cones, const auto& exact, const auto& a, const auto& b,
                         const P& da, const P& db) {
    EXPECT_NEAR(double(cones.half_aperture(a)), exact.half_aperture(da), tolerance);
    EXPECT_NEAR(double(cones.cone_angle(a, b)), exact.cone_angle(da, db), tolerance);
    EXPECT_NEAR(double(cones.angle_energy(a, b)), exact.angle_energy(da, db), tolerance);
    EXPECT_NEAR(double(cones.boundary_distance(a, b)), exact.boundary_distance(da, db), tolerance);
    EXPECT_NEAR(double(cones.altitude(a, b)), exact.altitude(da, db), tolerance);
    EXPECT_NEAR(double(cones.cone_distance(a, b, V(0))), exact.cone_distance(da, db, 0.0),
                tolerance);
    EXPECT_EQ(contains(cones, a, b), contains(exact, da, db));
  };
  const HalfSpace<V> half(k);
  const PoincareBall<V> ball(k);
  const HalfSpace<double> half_exact(1.5);
  const PoincareBall<double> ball_exact(1.5);
  check(UmbralCones(half, size), UmbralCones(half_exact, 0.125), u, v, du, dv);
  check(UmbralCones(ball, size), UmbralCones(ball_exact, 0.125), w, x, dw, dx);
  check(PenumbralCones(half, light), PenumbralCones(half_exact, 2.0), u, v, du, dv);
  check(PenumbralCones(ball, size), PenumbralCones(ball_exact, 0.125), w, x, dw, dx);
}
TEST(ConeLimits, AllNumberTypes) {
  check_type<float>(0x1p-22);
  check_type<half>(0x1p-9);
  check_type<bfloat16>(0x1p-6);
  check_type<bf16x2>(0x1p-13);
  check_type<f32x2>(1e-13);
  check_type<f64x2>(1e-14);
  check_type<f64x4>(1e-14);
}

/// Distances over K do not depend on K, from 1e-45 to 1e45 in the ball.
TEST(ConeLimits, RadiiOfCurvature) {
  const UmbralCones umbral(PoincareBall<double>(1), 0.1);
  const PenumbralCones penumbral(PoincareBall<double>(1), 0.1);
  const P u(0.3, 0.4), outside(0.4, 0.3), above(-0.1, 0.2);
  for (const double k : {1e-45, 1e-20, 1e20, 1e45})
    for (const P& v : {outside, above}) {
      const auto check = [&](const auto& cones, const auto& scaled) {
        EXPECT_NEAR(scaled.boundary_distance(u * k, v * k) / k, cones.boundary_distance(u, v),
                    1e-14);
        EXPECT_NEAR(scaled.altitude(u * k, v * k) / k, cones.altitude(u, v), 1e-14);
        EXPECT_NEAR(scaled.cone_distance(u * k, v * k, 0.01 * k) / k,
                    cones.cone_distance(u, v, 0.01), 1e-14);
        EXPECT_NEAR(scaled.cone_angle(u * k, v * k), cones.cone_angle(u, v), 1e-14);
      };
      check(umbral, UmbralCones(PoincareBall<double>(k), 0.1 * k));
      check(penumbral, PenumbralCones(PoincareBall<double>(k), 0.1 * k));
    }
}

TEST(ConeLimits, WrongArguments) {
  const PoincareBall<double> ball(1);
  for (const double bad : {0.0, -1.0, double(INFINITY), nan}) {
    EXPECT_THROW(UmbralCones(ball, bad), DomainError);
    EXPECT_THROW(PenumbralCones(ball, bad), DomainError);
    EXPECT_THROW(AntumbralCones(ball, bad, 0.1), DomainError);
    EXPECT_THROW(AntumbralCones(ball, 1.0, bad), DomainError);
    EXPECT_THROW(entailment_cones(ball, bad), DomainError);
  }
  EXPECT_NE(mct::testing::message_of<DomainError>([&] { UmbralCones(ball, -1.0); }).find(" -1"),
            std::string::npos);
  const Point<double> two{0.1, 0.2}, three{0.1, 0.2, 0.3};
  EXPECT_THROW(UmbralCones(ball, 0.1).boundary_distance(two, three), ShapeError);
  EXPECT_THROW(contains(UmbralCones(ball, 0.1), two, three), ShapeError);
}

#if MCT_WITH_XSIMD
/// Every lane has the value of its own points.
TEST(ConeLimits, Lanes) {
  using B = xsimd::batch<double>;
  constexpr int lanes = int(B::size);
  const auto check = [](const auto& cones, const auto& wide, double scale) {
    alignas(64) double c[4][lanes], r[5][lanes];
    for (int i = 0; i < lanes; ++i) {
      c[0][i] = 0.2, c[1][i] = 0.7 - 0.05 * i;
      c[2][i] = 0.3 - 0.1 * i, c[3][i] = i == 1 ? nan : 0.2 + 0.1 * i * scale;
    }
    const Point<B, 2> u(B::load_aligned(c[0]), B::load_aligned(c[1]));
    const Point<B, 2> v(B::load_aligned(c[2]), B::load_aligned(c[3]));
    wide.boundary_distance(u, v).store_aligned(r[0]);
    wide.altitude(u, v).store_aligned(r[1]);
    wide.cone_distance(u, v, B(1e-4)).store_aligned(r[2]);
    wide.cone_angle(u, v).store_aligned(r[3]);
    wide.angle_energy(u, v).store_aligned(r[4]);
    const auto inside = contains(wide, u, v);
    for (int i = 0; i < lanes; ++i) {
      const P a(c[0][i], c[1][i]), b(c[2][i], c[3][i]);
      const double truth[5] = {cones.boundary_distance(a, b), cones.altitude(a, b),
                               cones.cone_distance(a, b, 1e-4), cones.cone_angle(a, b),
                               cones.angle_energy(a, b)};
      for (int k = 0; k < 5; ++k) {
        EXPECT_EQ(std::isnan(r[k][i]), std::isnan(truth[k])) << i;
        if (!std::isnan(truth[k])) {
          EXPECT_NEAR(r[k][i], truth[k], 1e-14) << k << ' ' << i;
        }
      }
      EXPECT_EQ(bool(inside.get(std::size_t(i))), contains(cones, a, b)) << i;
    }
  };
  const HalfSpace<double> half(1.3);
  const PoincareBall<double> ball(1.3);
  const HalfSpace<B> half_lanes(B(1.3));
  const PoincareBall<B> ball_lanes(B(1.3));
  check(UmbralCones(half, 0.1), UmbralCones(half_lanes, B(0.1)), 1);
  check(UmbralCones(ball, 0.1), UmbralCones(ball_lanes, B(0.1)), 1);
  check(PenumbralCones(half, 2.0), PenumbralCones(half_lanes, B(2.0)), 1);
  check(PenumbralCones(ball, 0.1), PenumbralCones(ball_lanes, B(0.1)), 1);
}
#else
TEST(ConeLimits, Lanes) { GTEST_SKIP() << "built without xsimd"; }
#endif

}  // namespace
}  // namespace mct::geometry_test
