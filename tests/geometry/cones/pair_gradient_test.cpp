// The closed form of cone_distance's derivatives: equal to what the tape finds, by difference
// quotients too, on both sides of every branch, in lanes as in single numbers.
#include "mctensor/geometry/cones/pair_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mctensor/geometry/cones/autograd.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using P = Point<double, 3>;

/// Every system over a manifold at random pairs: apexes outside the light, others anywhere.
template <class M>
P random_point(const M&, std::mt19937_64& random, double spread) {
  std::normal_distribution<> normal;
  P x(normal(random), normal(random), normal(random));
  if constexpr (geometry::detail::is_half_space_v<M>) {
    x = x * spread;
    x[2] = std::exp(x[2]);
    return x;
  } else {
    const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double distance = 0.5 + spread * std::fabs(normal(random));
    return x * (1.3 * std::tanh(distance / 2) / length);
  }
}
/// Next to the axis of u's cone, a little toward v.
template <class M>
P beneath(const M& manifold, const P& u, const P& v) {
  P x = u;
  if constexpr (geometry::detail::is_half_space_v<M>) {
    x[2] /= 4;
  } else {
    x = manifold.projx(u * (0.5 + 0.65 / std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])));
  }
  return x + (v - x) * 0.01;
}
Variable<double> leaf(const P& x) {
  return Variable<double>(Tensor<double>::from_values({x[0], x[1], x[2]}), true);
}
double largest(const P& x) { return std::max({std::fabs(x[0]), std::fabs(x[1]), std::fabs(x[2])}); }

/// The tape's derivatives agree within `tolerance` of the largest of them.
template <class C>
void expect_as_traced(const C& cones, const P& u, const P& v, double gamma, double tolerance) {
  const auto g = cone_distance_gradient(cones, u, v, gamma);
  const auto x = leaf(u), y = leaf(v);
  const auto z = cone_distance(cones, x, y, gamma);
  z.backward();
  EXPECT_EQ(g.value, z.value().item());
  const auto by_x = x.grad().values(), by_y = y.grad().values();
  for (int i = 0; i < 3; ++i) {
    const auto k = std::size_t(i);
    EXPECT_NEAR(g.by_u[i], by_x[k], tolerance * (largest(g.by_u) + 1)) << i << ' ' << u[0];
    EXPECT_NEAR(g.by_v[i], by_y[k], tolerance * (largest(g.by_v) + 1)) << i << ' ' << u[0];
  }
}
template <class C>
void expect_as_quotients(const C& cones, const P& u, const P& v, double gamma) {
  const double step = 1e-6;
  const auto g = cone_distance_gradient(cones, u, v, gamma);
  for (int i = 0; i < 3; ++i) {
    const auto moved = [&](const P& x, double by) {
      P r = x;
      r[i] += by;
      return r;
    };
    EXPECT_NEAR(g.by_u[i],
                (cones.cone_distance(moved(u, step), v, gamma) -
                 cones.cone_distance(moved(u, -step), v, gamma)) /
                    (2 * step),
                1e-7 * (largest(g.by_u) + 1));
    EXPECT_NEAR(g.by_v[i],
                (cones.cone_distance(u, moved(v, step), gamma) -
                 cones.cone_distance(u, moved(v, -step), gamma)) /
                    (2 * step),
                1e-7 * (largest(g.by_v) + 1));
  }
}
template <class C>
void check_random(const C& cones, double spread) {
  std::mt19937_64 random(11);
  int above = 0, inside = 0;
  for (int i = 0; i < 400; ++i) {
    P u = random_point(cones.manifold(), random, spread);
    P v = random_point(cones.manifold(), random, spread);
    u = cones.projx(u);
    if (i % 4 == 0) v = u + (v - u) * 1e-5;
    if (i % 4 == 1) v = beneath(cones.manifold(), u, v);
    const double height = cones.altitude(u, v);
    const double depth = cones.boundary_distance(u, v);
    above += height > 0 ? 1 : 0;
    inside += depth < 0 ? 1 : 0;
    expect_as_traced(cones, u, v, 0.01, 1e-9);
    // not next to u or to the axis, where third derivatives are large
    if (i % 4 > 1 && std::fabs(height) > 1e-3) expect_as_quotients(cones, u, v, 0.01);
  }
  EXPECT_GT(above, 40);
  EXPECT_GT(inside, 10);
}

const HalfSpace<double> half(1.3);
const PoincareBall<double> ball(1.3);

TEST(PairGradient, UmbralHalfSpace) {
  for (const double r : {0.05, 0.7}) check_random(UmbralCones(half, r), 0.7);
}
TEST(PairGradient, PenumbralHalfSpace) {
  for (const double h : {6.0, 50.0}) check_random(PenumbralCones(half, h), 0.4);
}
TEST(PairGradient, UmbralBall) {
  for (const double r : {0.05, 0.4}) check_random(UmbralCones(ball, r), 0.7);
}
TEST(PairGradient, PenumbralBall) {
  for (const double r : {0.05, 0.4}) check_random(PenumbralCones(ball, r), 0.7);
}
TEST(PairGradient, EntailmentIsPenumbral) { check_random(entailment_cones(ball, 0.1), 0.7); }

/// Next to the change between boundary and apex, on both sides, and at t = 0.
TEST(PairGradient, NextToBranches) {
  const double r = 0.6 / 1.3;
  const UmbralCones cones(half, 0.6);
  const P u(0, 0, 1);
  const double sine = std::sinh(r), cosine = std::cosh(r);
  for (const double e : {-1e-9, 0.0, 1e-9}) {
    expect_as_traced(cones, u, P(sine, 0, cosine * (1 + e)), 1e-4, 1e-9);
    expect_as_traced(cones, u, P(sine + e, 0, 0.4), 1e-4, 1e-9);
    expect_as_traced(cones, u, P(0.2 + e, 0, 0.4), 0, 1e-9);
  }
}

/// On the axis the way sideways counts as 0, at equal points too, and nothing is NaN.
TEST(PairGradient, OnTheAxis) {
  const UmbralCones umbral(half, 0.1);
  const PenumbralCones penumbral(half, 20);
  for (const double height : {0.5, 1.0, 2.0}) {
    expect_as_traced(umbral, P(0.3, 0.1, 1), P(0.3, 0.1, height), 1e-4, 1e-9);
    expect_as_traced(penumbral, P(0.3, 0.1, 1), P(0.3, 0.1, height), 1e-4, 1e-9);
  }
  const P u(0.375, 0.125, 0.5);
  const auto expect_along_u = [&](const auto& cones) {
    for (const double factor : {1.0, 1.5}) {
      const auto g = cone_distance_gradient(cones, u, u * factor, 1e-4);
      for (const P& by : {g.by_u, g.by_v})
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(by[i], by[2] * (u[i] / u[2]), 1e-14);
      if (factor > 1) expect_as_traced(cones, u, u * factor, 1e-4, 1e-9);
    }
  };
  expect_along_u(UmbralCones(ball, 0.1));
  expect_along_u(PenumbralCones(ball, 0.1));
}

/// At equal points every direction across the axis has a derivative of its own. The closed form has
/// the mean of them all, the tape that of the side of the last coordinate.
TEST(PairGradient, OfEqualPointsInTheBall) {
  const P u(0.375, 0.125, 0.5);
  const auto check = [&](const auto& cones) {
    // beside u on the side of the last coordinate, and mirrored at the axis
    const double step = 1e-9, part = 2 * u[2] / (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const auto here = cone_distance_gradient(cones, u, u + P(0, 0, 1) * step, 1e-4);
    const auto there = cone_distance_gradient(cones, u, u + (u * part - P(0, 0, 1)) * step, 1e-4);
    const auto mean = cone_distance_gradient(cones, u, u, 1e-4);
    const auto x = leaf(u), y = leaf(u);
    cone_distance(cones, x, y, 1e-4).backward();
    for (int i = 0; i < 3; ++i) {
      const auto k = std::size_t(i);
      EXPECT_NEAR(x.grad().values()[k], here.by_u[i], 1e-6);
      EXPECT_NEAR(y.grad().values()[k], here.by_v[i], 1e-6);
      EXPECT_NEAR(mean.by_u[i], (here.by_u[i] + there.by_u[i]) / 2, 1e-6);
      EXPECT_NEAR(mean.by_v[i], (here.by_v[i] + there.by_v[i]) / 2, 1e-6);
    }
    EXPECT_GT(std::fabs(here.by_v[0] - there.by_v[0]), 1);
  };
  check(UmbralCones(ball, 0.1));
  check(PenumbralCones(ball, 0.1));
}

TEST(PairGradient, OfPointsInTheLightIsNaN) {
  const auto g = cone_distance_gradient(PenumbralCones(half, 2), P(0, 0, 3), P(0, 0, 1), 1e-4);
  EXPECT_TRUE(std::isnan(g.value));
}

/// Derivatives in f64x2 agree with the tape's to its digits.
TEST(PairGradient, OfTwoComponents) {
  using V = f64x2;
  const UmbralCones cones(HalfSpace<V>(V(1)), V(0.1));
  const Point<V, 2> u(V(0.1), V(1)), v(V(0.9), V(0.7));
  const auto g = cone_distance_gradient(cones, u, v, V(1e-4));
  const Variable<double, 2, 2> x(Tensor<double, 2>::from_values({u[0], u[1]}), true);
  const Variable<double, 2, 2> y(Tensor<double, 2>::from_values({v[0], v[1]}), true);
  cone_distance(cones, x, y, V(1e-4)).backward();
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(std::fabs(double(g.by_u[i] - x.grad().values()[std::size_t(i)])), 1e-29);
    EXPECT_LT(std::fabs(double(g.by_v[i] - y.grad().values()[std::size_t(i)])), 1e-29);
  }
}

#if MCT_WITH_XSIMD
/// Lanes of both cases side by side find what single numbers find.
template <class One, class Many, class M>
void check_lanes(const One& one, const Many& many, const M& manifold) {
  using B = xsimd::batch<double>;
  constexpr std::size_t lanes = B::size;
  std::mt19937_64 random(5);
  for (int k = 0; k < 50; ++k) {
    std::vector<P> u, v;
    alignas(64) double c[6][lanes], r[7][lanes];
    for (std::size_t i = 0; i < lanes; ++i) {
      u.push_back(one.projx(random_point(manifold, random, 0.5)));
      v.push_back(i % 2 == 0 ? beneath(manifold, u[i], random_point(manifold, random, 0.5))
                             : random_point(manifold, random, 0.5));
      for (int j = 0; j < 3; ++j) {
        c[j][i] = u[i][j];
        c[3 + j][i] = v[i][j];
      }
    }
    const auto load = [&](int j) { return B::load_aligned(c[j]); };
    const Point<B, 3> x(load(0), load(1), load(2)), y(load(3), load(4), load(5));
    const auto g = cone_distance_gradient(many, x, y, B(0.01));
    g.value.store_aligned(r[6]);
    for (int j = 0; j < 3; ++j) {
      g.by_u[j].store_aligned(r[j]);
      g.by_v[j].store_aligned(r[3 + j]);
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      const auto single = cone_distance_gradient(one, u[i], v[i], 0.01);
      EXPECT_NEAR(r[6][i], single.value, 1e-13 * (1 + std::fabs(single.value)));
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(r[j][i], single.by_u[j], 1e-11 * (1 + largest(single.by_u)));
        EXPECT_NEAR(r[3 + j][i], single.by_v[j], 1e-11 * (1 + largest(single.by_v)));
      }
    }
  }
}

TEST(PairGradient, Lanes) {
  using B = xsimd::batch<double>;
  const HalfSpace<B> half_lanes(B(1.3));
  const PoincareBall<B> ball_lanes(B(1.3));
  check_lanes(UmbralCones(half, 0.1), UmbralCones(half_lanes, B(0.1)), half);
  check_lanes(UmbralCones(ball, 0.1), UmbralCones(ball_lanes, B(0.1)), ball);
  check_lanes(PenumbralCones(half, 9), PenumbralCones(half_lanes, B(9)), half);
  check_lanes(PenumbralCones(ball, 0.1), PenumbralCones(ball_lanes, B(0.1)), ball);
}
#endif

}  // namespace
}  // namespace mct::geometry_test
