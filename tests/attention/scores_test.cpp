// Scores of attention, one by one: their stated errors in float, and what they are for points that
// coincide or lie far apart.
#include "mctensor/attention/scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

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

TEST(Scores, UmbralOfWhatIsNoNumberIsNone) {
  const double nan = std::nan("");
  for (int at = 0; at < 3; ++at) {
    const auto given = [&](int i, double x) { return i == at ? nan : x; };
    const double a[1] = {given(1, 0.5)}, b[1] = {given(2, 0.7)};
    EXPECT_TRUE(std::isnan(Umbral::value(given(0, 0.1), a, b))) << at;
    const f64x2 wide_a[1] = {f64x2(a[0])}, wide_b[1] = {f64x2(b[0])};
    EXPECT_TRUE(std::isnan(double(Umbral::value(f64x2(given(0, 0.1)), wide_a, wide_b)))) << at;
  }
}

/// Directions at an angle, and points whose lines touch the light at some angles: cos and sin of
/// half of them, gamma T^2.
struct BallPair {
  float t, a[3], b[2];
};
BallPair ball_pair(double t, double query, double key) {
  return {float(t),
          {float(std::cos(query / 2)), float(std::sin(query / 2)), 1.5F},
          {float(std::cos(key / 2)), float(std::sin(key / 2))}};
}
template <class V>
struct Wide {
  V t, a[3], b[2];
  explicit Wide(const BallPair& p)
      : t(p.t), a{V(p.a[0]), V(p.a[1]), V(p.a[2])}, b{V(p.b[0]), V(p.b[1])} {}
};

/// Angles of all sizes, near to 0 and to those of the boundary, for lights of all sizes; distances
/// near to 0 and to 1, where directions are opposite.
std::vector<BallPair> ball_pairs(std::int64_t count) {
  const auto draws = rand<double>({count, 4}, 8);
  std::vector<BallPair> pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = [&](std::int64_t k) { return double(draws.at({i, k})); };
    const double largest = 2 * std::atan(std::exp(-2 * at(3)));
    const auto near_ends = [](std::int64_t kind, double x) {
      return kind % 3 == 0   ? x
             : kind % 3 == 1 ? std::pow(2.0, -30 * x)
                             : 1 - std::pow(2.0, -20 * x);
    };
    pairs.push_back(ball_pair(near_ends(i, at(0)), largest * near_ends(i / 3, at(1)),
                              largest * near_ends(i / 9, at(2))));
  }
  return pairs;
}

TEST(Scores, EntailmentHasItsStatedError) {
  double near = 0, far = 0;
  for (const BallPair& p : ball_pairs(30000)) {
    const Wide<f64x2> w(p);
    const Entailment::Ancestor<f64x2> top(w.t, w.a, w.b);
    const double truth = double(Entailment::value(w.t, w.a, w.b));
    const double error =
        std::abs(double(Entailment::value(p.t, p.a, p.b)) - truth) / (0x1p-24 * truth);
    if (truth == 0) {  // opposite
      EXPECT_EQ(Entailment::value(p.t, p.a, p.b), 0);
    } else if (top.common || top.above) {
      near = std::max(near, error / (1 + 1 / double(top.middle)));
    } else {
      far = std::max(far, error / (1 + 1 / double(top.query + top.key)));
    }
  }
  EXPECT_LE(near, 6);
  EXPECT_LE(far, 12);
  EXPECT_GT(near, 0);
  EXPECT_GT(far, 0);
}

TEST(Scores, EntailmentHasTheSlopesOfDifferences) {
  for (const BallPair& p : ball_pairs(3000)) {
    const Wide<f64x2> w(p);
    const Entailment::Ancestor<f64x2> top(w.t, w.a, w.b);
    // where slopes jump, or have no bound
    const double sine = double(top.sine),
                 border = std::abs(sine - std::abs(double(top.difference)));
    if (border < 1e-4 || sine < 1e-2 || double(top.cosine) < 1e-2) continue;
    const auto moved = [&](int k, double by) {
      Wide<f64x2> m = w;
      f64x2& x = k == 0 ? m.t : k < 4 ? m.a[k - 1] : m.b[k - 4];
      x = x + by;
      return Entailment::value(m.t, m.a, m.b);
    };
    const auto slope = Entailment::slopes(w.t, w.a, w.b);
    const f64x2 found[] = {slope.t,        slope.query[0], slope.query[1],
                           slope.query[2], slope.key[0],   slope.key[1]};
    for (int k = 0; k < 6; ++k) {
      const double step = 0x1p-30;
      const double truth = double((moved(k, step) - moved(k, -step)) * (0.5 / step));
      EXPECT_NEAR(double(found[k]), truth, 1e-6 * (1 + std::abs(truth))) << k;
    }
  }
}

TEST(Scores, EntailmentOfPointsThatCoincideOrAreOpposite) {
  const auto finite = [](const BallPair& p) {
    const auto slope = Entailment::slopes(p.t, p.a, p.b);
    for (const float each :
         {slope.t, slope.query[0], slope.query[1], slope.query[2], slope.key[0], slope.key[1]})
      if (!std::isfinite(each)) return false;
    return true;
  };
  for (const double t : {0.0, 1e-40, 1e-12, 0.5, 1.0, 1.0000001})
    for (const double a : {0.0, 1e-30, 1e-6, 1.0, 1.5})
      for (const double b : {0.0, 1e-6, 1.5}) {
        EXPECT_TRUE(finite(ball_pair(t, a, b))) << t << ' ' << a << ' ' << b;
        const BallPair p = ball_pair(t, a, b);
        EXPECT_TRUE(std::isfinite(Entailment::value(p.t, p.a, p.b))) << t << ' ' << a << ' ' << b;
      }
  // next to the light all angles are nearly 0, and the ancestor is at the light
  for (const double t : {0.0, 1e-44, 1e-40, 2e-39, 1e-38, 1e-37, 1e-20})
    for (const double a : {0.0, 1e-22})
      for (const BallPair& p : {ball_pair(t, a, 0), ball_pair(t, 0, a)})
        EXPECT_NEAR(Entailment::value(p.t, p.a, p.b), 1.5, 12 * 1.5 * 1.5 * 0x1p-24) << t << a;
  const double at_light[3] = {1, 0, 1.5};
  for (const double t : {5e-324, 1e-310, 1e-308, 1e-300})
    EXPECT_NEAR(Entailment::value(t, at_light, at_light), 1.5, 12 * 1.5 * 1.5 * 0x1p-53) << t;
  const BallPair none = {0.25F, {0.8F, 0.6F, 1.5F}, {0, 0}};  // what fills a tile up
  EXPECT_TRUE(finite(none));
  EXPECT_TRUE(finite({0.25F, {0, 0, 0}, {0, 0}}));
  const BallPair same = ball_pair(0, 1, 1);
  EXPECT_NEAR(Entailment::value(same.t, same.a, same.b), 1.5 / std::pow(std::cos(1.0), 2), 1e-5);
  BallPair bad = ball_pair(0.5, 1, 1);
  bad.t = std::nanf("");
  EXPECT_TRUE(std::isnan(Entailment::value(bad.t, bad.a, bad.b)));
}

TEST(Scores, DistanceHasItsStatedError) {
  const auto error = [](double t, const double* a, const double* b) {
    const f64x2 wide_a[2] = {f64x2(a[0]), f64x2(a[1])}, wide_b[1] = {f64x2(b[0])};
    const f64x2 truth = Distance::value(f64x2(t), wide_a, wide_b);
    return std::abs(double((f64x2(Distance::value(t, a, b)) - truth) / truth)) * 0x1p53;
  };
  // nearly all of the bound
  const double hard_a[2] = {0x1.b97a304d4faccp+0, 0x1.fc75c50dce6c9p-1};
  const double hard_b[1] = {0x1.e1f58c673e0dfp+0};
  double worst = error(0x1.4509be4dd50f5p-12, hard_a, hard_b);
  const auto draws = rand<double>({20000, 4}, 7);
  for (std::int64_t i = 0; i < draws.size(0); ++i) {
    const auto at = [&](std::int64_t k) { return double(draws.at({i, k})); };
    const double a[2] = {at(1) + 1, at(3) + 0.1}, b[1] = {at(2) + 1};
    worst = std::max(worst, error(std::pow(2.0, 80 * (at(0) - 0.8)), a, b));
  }
  EXPECT_LE(worst, 5);
}

/// All sizes of s = t a b, up to where its square overflows and down to where nothing is left.
TEST(Scores, DistanceSquaredHasItsStatedError) {
  const auto draws = rand<double>({20000, 4}, 6);
  double worst = 0;
  for (std::int64_t i = 0; i < draws.size(0); ++i) {
    const auto at = [&](std::int64_t k) { return double(draws.at({i, k})); };
    const double t = std::pow(2.0, 800 * (at(0) - 0.6)), beta = at(3) + 0.1;
    const double a[2] = {std::pow(2.0, 200 * at(1)), beta}, b[1] = {std::pow(2.0, 100 * at(2))};
    const f64x2 wide_a[2] = {f64x2(a[0]), f64x2(beta)}, wide_b[1] = {f64x2(b[0])};
    const f64x2 truth = DistanceSquared::value(f64x2(t), wide_a, wide_b);
    const double error = std::abs(double((DistanceSquared::value(t, a, b) - truth) / truth));
    if (!(error <= worst)) worst = error;
    const auto slope = DistanceSquared::slopes(t, a, b);
    const auto exact = DistanceSquared::slopes(f64x2(t), wide_a, wide_b);
    EXPECT_NEAR(double(slope.t / exact.t), 1, 1e-14);
    EXPECT_NEAR(double(slope.query[0] / exact.query[0]), 1, 1e-14);
    EXPECT_NEAR(double(slope.query[1] / exact.query[1]), 1, 1e-14);
  }
  EXPECT_LE(worst, 10 * 0x1p-53);
  // smooth where points coincide: -beta 4 t a b
  const double a[2] = {3, 0.5}, b[1] = {2};
  EXPECT_EQ(DistanceSquared::value(0.0, a, b), 0);
  EXPECT_EQ(DistanceSquared::slopes(0.0, a, b).t, -0.5 * 4 * 6);
  EXPECT_NEAR(DistanceSquared::slopes(1e-300, a, b).t, -12, 1e-14);
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
