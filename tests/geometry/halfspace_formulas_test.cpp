// The formulas of the half-space representations at the ends of their ranges, long sums, and the
// theorems on stored points, against MPFR.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "tests/geometry/halfspace_cases.hpp"

namespace mct::geometry {
namespace {

using validation::Big;
using validation::exact_distance;
using validation::exact_point;
using validation::exact_step;
using validation::ExactPoint;
using validation::HalfSpaceCases;
using validation::relative_error;
using validation::stored;

/// Relative error of both factors of the exponential map, in units of u^N.
template <class V>
void check_stride(double longest, double shortest, double unit_of_result, double bound) {
  HalfSpaceCases cases(7);
  for (int i = 0; i < 400; ++i) {
    const double length = i % 4 == 0   ? std::pow(10, cases.uniform(std::log10(shortest), 0))
                          : i % 4 == 1 ? cases.uniform(0, longest)
                          : i % 4 == 2 ? cases.uniform(0, 3)
                                       : longest;
    const ExactPoint v = cases.vector(2, length, i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1 : 1e6);
    using S = halfspace_detail::base_scalar_t<V>;
    const S across = abs(v[0]).template rounded<S>();
    const S up = v[1].template rounded<S>();
    const auto stride = half_space_stride(V(across), V(up));
    const ExactPoint frame = {Big(double(across)), Big(double(up))};
    const ExactPoint moved = exact_step({Big(0.0), Big(1.0)}, frame);
    if (double(moved[1].template rounded<S>()) < 1e3 * std::numeric_limits<S>::min()) continue;
    EXPECT_LE(relative_error(Big(stride.stretch), moved[1]) / unit_of_result,
              bound * (1 + length / 3))
        << length << " " << double(up);
    if (across == 0 || !(double(moved[0]) > std::numeric_limits<S>::min() * 1e20)) continue;
    const Big shift = Big(V(V(across) / stride.by * stride.times));
    EXPECT_LE(relative_error(shift, moved[0]) / unit_of_result, bound * (1 + length / 3))
        << length << " " << double(up);
  }
}

TEST(HalfSpaceFormulas, ExponentialMapOfEveryLength) {
  check_stride<double>(700, 1e-300, FloatTraits<double>::u, 12);
  check_stride<float>(85, 1e-36, FloatTraits<float>::u, 12);
  check_stride<f64x2>(600, 1e-250, std::pow(FloatTraits<double>::u, 2), 60);
  check_stride<f64x4>(500, 1e-150, std::pow(FloatTraits<double>::u, 4), 1000);
}

TEST(HalfSpaceFormulas, ShortStepsBySeries) {
  HalfSpaceCases cases(31);
  constexpr double u = FloatTraits<double>::u;
  for (int i = 0; i < 4000; ++i) {
    const double length = i % 3 == 0   ? std::pow(10, cases.uniform(-160, 0)) / 2
                          : i % 3 == 1 ? cases.uniform(0, longest_short_stride)
                                       : longest_short_stride;
    const ExactPoint v = cases.vector(2, length, i % 4 == 0 ? 1e-3 : i % 4 == 1 ? 1 : 1e6);
    const double across = abs(v[0]).template rounded<double>();
    const double up = v[1].template rounded<double>();
    const auto stride = short_half_space_stride(across * across + up * up, up);
    const ExactPoint moved = exact_step({Big(0.0), Big(1.0)}, {Big(across), Big(up)});
    EXPECT_LE(relative_error(Big(stride.stretch), moved[1]) / u, 8) << length << " " << up;
    if (across < 1e-300) continue;
    EXPECT_LE(relative_error(Big(across * stride.times), moved[0]) / u, 8) << length << " " << up;
  }
  const auto still = short_half_space_stride(0.0, 0.0);
  EXPECT_EQ(still.stretch, 1);
  EXPECT_EQ(still.times, 1);
  EXPECT_TRUE(std::isnan(short_half_space_stride(double(FloatTraits<double>::nan), 0.1).stretch));
}

/// A step by a vector of expansions: x has the digits of all components.
template <class Space, int M>
void check_long_step(double bound) {
  const Space space(2);
  HalfSpaceCases cases(23);
  for (int i = 0; i < 40; ++i) {
    const auto p = stored<3>(space, cases.point(3, cases.uniform(0, 2)));
    const ExactPoint v = cases.vector(3, cases.uniform(0, 3));
    std::array<Expansion<double, M>, 3> frame;
    ExactPoint exact_frame;
    for (std::size_t c = 0; c < 3; ++c) {
      v[c].split(frame[c].limb);
      exact_frame.emplace_back(frame[c]);
    }
    const auto q = space.template expmap<3>(p, frame);
    const ExactPoint found = exact_point(space, q);
    const ExactPoint exact = exact_step(exact_point(space, p), exact_frame);
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_LE(double(abs(found[c] - exact[c])), bound * (1 + double(abs(exact[c]))));
  }
}

TEST(HalfSpaceFormulas, StepsByExpansionsHaveAllTheirDigits) {
  check_long_step<XmcHalfSpace<double, 2>, 2>(0x1p-96);
  check_long_step<XmcHalfSpace<double, 4>, 4>(0x1p-196);
  check_long_step<McHalfSpace<double, 3>, 3>(0x1p-146);
  check_long_step<LogHalfSpace<double, 2>, 2>(0x1p-96);
}

TEST(HalfSpaceFormulas, LogarithmicHeightsHaveNoRange) {
  const LogHalfSpace<double, 2> space;
  auto p = LogHalfSpace<double, 2>::origin<2>();
  auto q = p;
  p.height = f64x2(-40000.5);
  q.height = f64x2(1234.25);
  EXPECT_EQ((space.dist<2>(p, q)), 41234.75);
  EXPECT_EQ((space.direction<2>(p, q)[1]), -1);
  q.height = p.height;
  q.x[0] = f64x2(0.5);
  // 2 log(|x - y| / sqrt(h k))
  EXPECT_NEAR((space.dist<2>(p, q)), 2 * (std::log(0.5) + 40000.5), 1e-10);
  // short steps add up where e^h is far below the smallest number
  const auto r = space.expmap<2>(p, std::array<double, 2>{0, 1e-20});
  EXPECT_EQ((space.dist<2>(p, r)), 1e-20);
}

TEST(HalfSpaceFormulas, HeightsSaturateInsideTheModel) {
  const XmcHalfSpace<double, 2> space;
  auto p = XmcHalfSpace<double, 2>::origin<2>();
  for (int i = 0; i < 3; ++i) p = space.expmap<2>(p, std::array<double, 2>{0, -500});
  EXPECT_GT(p.height, 0);
  EXPECT_TRUE(std::isfinite(space.dist<2>(p, XmcHalfSpace<double, 2>::origin<2>())));
  for (int i = 0; i < 6; ++i) p = space.expmap<2>(p, std::array<double, 2>{0, 500});
  EXPECT_TRUE(std::isfinite(p.height));
  EXPECT_THROW((XmcHalfSpace<double, 2>(-1)), DomainError);
  EXPECT_THROW((XmcHalfSpace<double, 2>(std::nan(""))), DomainError);
}

TEST(HalfSpaceFormulas, RadiusScalesDistancesAndKeepsSteps) {
  const McHalfSpace<double, 2> one;
  const McHalfSpace<double, 2> three(3);
  HalfSpaceCases cases(8);
  const auto p = stored<3>(one, cases.point(3, 2));
  const auto q = stored<3>(one, cases.point(3, 3));
  EXPECT_EQ((three.dist<3>(p, q)), 3 * one.dist<3>(p, q));
  const std::array<double, 3> u = {0.1, -0.2, 0.3};
  EXPECT_EQ((three.dist<3>(three.expmap_coordinates<3>(p, u), one.expmap_coordinates<3>(p, u))), 0);
}

TEST(LongSum, HoldsEveryLimbOfAnExpansion) {
  const f64x3 x = f64x3(1) + 0x1p-60 + 0x1p-120;
  EXPECT_TRUE((Big(LongSum<double, 5>(x)) - Big(x)).is_zero());
}

TEST(LongSum, AgreesWithExactSums) {
  constexpr int M = 8;
  HalfSpaceCases cases(9);
  const double bound = 2 * std::pow(FloatTraits<double>::u, M);
  for (int i = 0; i < 300; ++i) {
    const Big a = Big(cases.uniform(-1, 1)) / Big(3.0);
    // shares digits with a
    const Big b = a + Big(std::ldexp(cases.uniform(-1, 1), -int(cases.uniform(0, 400))));
    LongSum<double, M> x;
    LongSum<double, M> y;
    a.split(x.limb);
    b.split(y.limb);
    const Big exact_x(x);
    const Big exact_y(y);
    EXPECT_LE(relative_error(Big(difference(x, y)), exact_x - exact_y), FloatTraits<double>::u);
    EXPECT_LE(relative_error(Big(sub(x, y)), exact_x - exact_y), bound);
    EXPECT_LE(relative_error(Big(add(x, y)), exact_x + exact_y), bound);
    const double step = std::ldexp(cases.uniform(-1, 1), int(cases.uniform(-450, 100)));
    const LongSum<double, M> moved = add(x, step);
    EXPECT_LE(relative_error(Big(moved), exact_x + Big(step)), bound);
    for (int k = 1; k < M; ++k)
      EXPECT_EQ(moved.limb[k - 1] + moved.limb[k], moved.limb[k - 1]) << i << " " << k;
  }
  const LongSum<double, M> zero;
  EXPECT_EQ(difference(zero, zero), 0);
  EXPECT_EQ(add(zero, 0.0).limb[0], 0);
}

/// d(x, fl(x)) is below the theorem for random and for the worst points.
template <int M>
void check_theorem() {
  const XmcHalfSpace<double, M> space;
  const McHalfSpace<double, M> all;
  constexpr double u = FloatTraits<double>::u;
  HalfSpaceCases cases(10 + M);
  for (int i = 0; i < 150; ++i) {
    const double d = cases.uniform(0, 50.0 * M);
    // the maximum of the proof is where the geodesic starts horizontally
    const ExactPoint origin = {Big(0.0), Big(0.0), Big(1.0)};
    const ExactPoint v = cases.vector(3, d, i % 2 == 0 ? 1 : 0);
    const ExactPoint p = exact_step(origin, v);
    const double error = double(exact_distance(p, exact_point(space, stored<3>(space, p))));
    const double theorem = theorem_3_3_4(u, M, d);
    EXPECT_LE(error, theorem) << "d = " << d;
    if (M == 1) {
      EXPECT_LE(theorem, theorem_3_3_1(u, d) + u);
    }
    EXPECT_LE(double(exact_distance(p, exact_point(all, stored<3>(all, p)))), theorem);
  }
}

TEST(HalfSpaceTheorems, RepresentationErrorStaysBelowTheorems331And334) {
  check_theorem<1>();
  check_theorem<2>();
  check_theorem<3>();
  check_theorem<4>();
}

TEST(HalfSpaceTheorems, LongHorizontalCoordinatesReachDistance600) {
  const XmcHalfSpace<double, 20> space;
  HalfSpaceCases cases(15);
  for (int i = 0; i < 20; ++i) {
    const ExactPoint p = exact_step({Big(0.0), Big(0.0), Big(1.0)}, cases.vector(3, 600, 0));
    const ExactPoint q = exact_step(p, cases.vector(3, 1));
    const double d = space.dist<3>(stored<3>(space, p), stored<3>(space, q));
    EXPECT_LE(relative_error(Big(d), Big(1.0)), 1e-15);
    EXPECT_LE(double(exact_distance(p, exact_point(space, stored<3>(space, p)))), 1.2e-16);
  }
  EXPECT_LE(theorem_3_3_4(FloatTraits<double>::u, 20, 600), 1.2e-16);
}

TEST(HalfSpaceDescent, Alg16And17FindTheirTarget) {
  const XmcHalfSpace<double, 3> x_space(2);
  const McHalfSpace<double, 3> space(2);
  HalfSpaceCases cases(16);
  const ExactPoint target = cases.point(3, 60);
  const auto x_goal = stored<3>(x_space, target);
  const auto goal = stored<3>(space, target);
  auto x = XmcHalfSpace<double, 3>::origin<3>();
  auto z = McHalfSpace<double, 3>::origin<3>();
  // half the gradient of the squared distance: steps of a third of the way
  for (int i = 0; i < 150; ++i) {
    auto g = x_space.dist_gradient<3>(x, x_goal);
    for (double& c : g) c *= x_space.dist<3>(x, x_goal);
    x = x_space.rsgd_step<3>(x, g, 1.0 / 3);
    g = space.dist_gradient<3>(z, goal);
    for (double& c : g) c *= space.dist<3>(z, goal);
    z = space.rsgd_step<3>(z, g, 1.0 / 3);
  }
  EXPECT_LE((x_space.dist<3>(x, x_goal)), 4e-15);
  EXPECT_LE((space.dist<3>(z, goal)), 1e-24);
}

}  // namespace
}  // namespace mct::geometry
