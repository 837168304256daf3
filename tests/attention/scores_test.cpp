// Scores of attention, one by one: their stated errors in float, and what they are for points that
// coincide or lie far apart.
#include "mctensor/attention/scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/expansion/convert.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::attention {
namespace {

/// A pair of points below a light of height 1.5, at a squared distance t.
struct Pair {
  float t, a[3], b[2];
};

Pair pair_of(double distance, double query, double key) {
  const double light = 1.5;
  const auto reach = [&](double h) { return float(std::sqrt((light - h) * (light + h))); };
  return {float(distance * distance),
          {float(query), reach(query), float(light)},
          {float(key), reach(key)}};
}

/// Error in units of u (1 + (r / height)^2) of the score.
double error_of(const Pair& p) {
  const f64x2 a[3] = {f64x2(p.a[0]), f64x2(p.a[1]), f64x2(p.a[2])};
  const f64x2 b[2] = {f64x2(p.b[0]), f64x2(p.b[1])};
  const f64x2 truth = Penumbral::value(f64x2(p.t), a, b);
  const double error =
      std::abs(double(f64x2(double(Penumbral::value(p.t, p.a, p.b))) - truth) / double(truth));
  const double ratio = 1.5 / double(truth);
  return error / (0x1p-24 * (1 + ratio * ratio));
}

TEST(Scores, PenumbralHasItsStatedError) {
  const auto draws = rand<double>({30000, 3}, 5);
  double worst = 0;
  for (std::int64_t i = 0; i < draws.size(0); ++i) {
    const auto at = [&](std::int64_t k) { return double(draws.at({i, k})); };
    // distances of all sizes, heights from near the boundary to the light
    const double distance = i % 2 == 0 ? 4 * at(0) : std::pow(2.0, 40 * (at(0) - 0.75));
    const auto height = [&](double x) {
      return i % 3 == 0 ? std::pow(2.0, -20 * x) : i % 3 == 1 ? 1.5 * x + 1e-3 : 1.5 - 1e-3 * x;
    };
    const double error = error_of(pair_of(distance, height(at(1)), height(at(2))));
    if (!(error <= worst)) worst = error;
  }
  EXPECT_LE(worst, 6);
}

TEST(Scores, PenumbralHasTheSlopesOfTwoDoubles) {
  const auto draws = rand<double>({2000, 3}, 6);
  for (std::int64_t i = 0; i < draws.size(0); ++i) {
    const auto at = [&](std::int64_t k) { return double(draws.at({i, k})); };
    const Pair p = pair_of(0.01 + 4 * at(0), 0.1 + 1.3 * at(1), 0.1 + 1.3 * at(2));
    const double border = std::abs(std::sqrt(double(p.t)) - std::abs(p.a[1] - p.b[1]));
    if (border < 1e-5) continue;  // where slopes jump
    const f64x2 a[3] = {f64x2(p.a[0]), f64x2(p.a[1]), f64x2(p.a[2])};
    const f64x2 b[2] = {f64x2(p.b[0]), f64x2(p.b[1])};
    const auto slope = Penumbral::slopes(p.t, p.a, p.b);
    const auto truth = Penumbral::slopes(f64x2(p.t), a, b);
    const auto expect = [&](float x, const f64x2& y) {
      EXPECT_NEAR(double(x), double(y), 2e-5 * (1 + std::abs(double(y)))) << i;
    };
    expect(slope.t, truth.t);
    for (int c = 0; c < 3; ++c) expect(slope.query[c], truth.query[c]);
    for (int c = 0; c < 2; ++c) expect(slope.key[c], truth.key[c]);
  }
}

TEST(Scores, PenumbralOfPointsThatCoincideOrLieFarApart) {
  const auto score = [](const Pair& p) { return Penumbral::value(p.t, p.a, p.b); };
  const auto finite = [](const Pair& p) {
    const auto slope = Penumbral::slopes(p.t, p.a, p.b);
    for (const float each :
         {slope.t, slope.query[0], slope.query[1], slope.query[2], slope.key[0], slope.key[1]})
      if (!std::isfinite(each)) return false;
    return true;
  };
  EXPECT_EQ(score(pair_of(0, 0.3, 0.3)), -0.3F);
  // at the light, where nothing is in reach: the height is the light's
  for (const double distance : {0.0, 1e-22, 1e-10}) {
    EXPECT_FLOAT_EQ(score(pair_of(distance, 1.5, 1.5)), -1.5F) << distance;
    EXPECT_TRUE(finite(pair_of(distance, 1.5, 1.5))) << distance;
    EXPECT_TRUE(finite(pair_of(distance, 0.2, 0.2))) << distance;
  }
  // one above the other, heights that a temperature has made large
  const Pair above = {0, {90, 120, 150}, {120, 90}};
  EXPECT_EQ(score(above), -120.0F);
  EXPECT_TRUE(finite(above));
  // half the distance, where that is large
  EXPECT_FLOAT_EQ(score(pair_of(2e15, 0.3, 0.7)), -1e15F);
  EXPECT_TRUE(finite(pair_of(2e15, 0.3, 0.7)));
  Pair beyond = pair_of(1, 0.3, 0.7);
  beyond.t = std::numeric_limits<float>::infinity();
  EXPECT_EQ(score(beyond), -std::numeric_limits<float>::infinity());
  beyond.t = std::nanf("");
  EXPECT_TRUE(std::isnan(score(beyond)));
}

/// d of two points above each other depends on the logarithms of their heights alone: with heights
/// and t = |x - y|^2 the slopes are those of 2 asinh(sqrt(t) / (2 h)), of large ones -beta / t.
TEST(Scores, DistanceHasSlopesWhereItsSquareOverflows) {
  for (const double h : {1e-70, 1e-77, 1e-80, 1e-120}) {
    const double a[2] = {0.5 / h, 1}, b[1] = {0.5 / h};
    const auto slopes = Distance::slopes(1.0, a, b);
    EXPECT_NEAR(slopes.t, -1, 1e-15) << h;
    EXPECT_NEAR(slopes.query[0] * a[0], -1, 1e-15) << h;
    EXPECT_NEAR(slopes.key[0] * b[0], -1, 1e-15) << h;
    const f64x2 wide_a[2] = {f64x2(a[0]), f64x2(1)}, wide_b[1] = {f64x2(b[0])};
    EXPECT_NEAR(double(Distance::slopes(f64x2(1), wide_a, wide_b).t), -1, 1e-15) << h;
  }
}

}  // namespace
}  // namespace mct::attention
