// What vectors become before they are compared, and the ancestors of points in the ball.
#include "mctensor/attention/maps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/attention/scores.hpp"
#include "mctensor/geometry/cones/cones.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::attention {
namespace {

/// The square of the distance from the centre, in Klein's model, of the farthest of many roots
/// whose cone holds both points, at angles 0 and `apart`.
template <class Cones>
double farthest_root(const Cones& cones, double u, double v, double apart, double nearest) {
  const auto at = [](double k, double angle) {  // of Klein's radius
    const double r = k / (1 + std::sqrt(1 - k * k));
    geometry::Point<double> p(2);
    p[0] = r * std::cos(angle);
    p[1] = r * std::sin(angle);
    return p;
  };
  for (double k = std::min(u, v); k > nearest; k -= 1.0 / 400)
    for (double angle = 0; angle <= apart + 1e-9; angle += 1.0 / 400)
      if (contains(cones, at(k, angle), at(u, 0)) && contains(cones, at(k, angle), at(v, apart)))
        return k * k;
  return nearest * nearest;
}

TEST(Maps, TheAncestorIsTheFarthestRootOfAnEntailmentCone) {
  const double light = 0.3, edge = std::tanh(light);
  const geometry::PoincareBall<double> ball(1.0);
  const geometry::PenumbralCones cones(ball, light);  // sinh(light) = 2 K
  const auto draws = rand<double>({12, 3}, 9);
  int common = 0;
  for (std::int64_t i = 0; i < 12; ++i) {
    const double u = edge + (0.99 - edge) * draws.at({i, 0});
    const double v = edge + (0.99 - edge) * draws.at({i, 1});
    const double apart = 2.2 * draws.at({i, 2});
    const auto numbers = [&](double k) {
      const double half = std::acos(edge / k) / 2;
      return std::vector<double>{std::cos(half), std::sin(half), edge * edge};
    };
    const double half = std::sin(apart / 2);
    const double score = Entailment::value(half * half, numbers(u).data(), numbers(v).data());
    const double truth = farthest_root(cones, u, v, apart, edge);
    common += truth > edge * edge ? 1 : 0;
    if (score > edge * edge) {
      EXPECT_NEAR(score, truth, 0.02) << i;
    } else {  // the line through both passes the centre at this distance
      const double line =
          u * v * std::sin(apart) / std::sqrt(u * u + v * v - 2 * u * v * std::cos(apart));
      EXPECT_NEAR(score, line * line, 1e-14) << i;
      EXPECT_LE(truth, edge * edge + 0.02) << i;
    }
  }
  EXPECT_GE(common, 4);
  EXPECT_LE(common, 11);
}

TEST(Maps, PointsBelowALightInTheBallAreWhereTheirMapPutsThem) {
  const double light = 0.3;
  const Variable<double> radius(Tensor<double>::from_values({light}, {1, 1, 1}));
  const Variable<double> x(randn<double>({1, 5, 3}, 4));
  const auto apart = [](const auto& a, const auto& b) {
    return max(abs(a.value() - b.value())).item();
  };
  const auto mapped = below_ball(x, radius);
  // back to the ball: cos delta = tanh(light) / k
  const auto cosine = square(mapped.cosine) - square(mapped.sine);
  const auto k = tanh(radius) / cosine;
  const auto again =
      of_ball_below(mapped.direction * (k / (sqrt(1.0 - square(k)) + 1.0)) * 2.0, radius);
  EXPECT_LE(apart(again.direction, mapped.direction), 1e-9);
  EXPECT_LE(apart(again.cosine, mapped.cosine), 1e-9);
  EXPECT_LE(apart(again.sine, mapped.sine), 1e-9);
  EXPECT_THROW(of_ball_below(mapped.direction * 0.1, radius), DomainError);
  // the centre lies in every light, however small; at the light slopes are numbers
  const Variable<double> small(Tensor<double>::from_values({1e-6}, {1, 1, 1}));
  EXPECT_THROW(of_ball_below(mapped.direction * 0.0, small), DomainError);
  const Variable<double> edge(Tensor<double>::from_values({std::atanh(0.8), 0}, {1, 1, 2}), true);
  const auto there = of_ball_below(edge * 0.0 + Tensor<double>::from_values({0.5, 0}, {1, 1, 2}),
                                   edge.narrow(-1, 0, 1));
  EXPECT_LE(std::abs(there.sine.value().item()), 1e-7);
  sum(there.sine).backward();
  EXPECT_TRUE(std::isfinite(edge.grad().at({0, 0, 0})));
}

TEST(Maps, TheExponentialMapOfTheHalfSpaceIsTheExponentialStraightUp) {
  for (const double h : {-40.0, -1.0, 0.0, 1.0, 19.0, 30.0, 39.5, 40.0, 44.0}) {
    const auto found =
        exp_half_space(Variable<double>(Tensor<double>::from_values({0, 0, h}, {1, 3})));
    EXPECT_NEAR(found.height.value().item() / std::exp(h), 1, 1e-14) << h;
    const auto narrow =
        exp_half_space(Variable<float>(Tensor<float>::from_values({0, 0, float(h)}, {1, 3})));
    EXPECT_NEAR(double(narrow.height.value().item()) / std::exp(h), 1, 1e-5) << h;
  }
}

TEST(Maps, TheExponentialMapOfTheHalfSpaceIsTheLibrarys) {
  const geometry::HalfSpace<double> space(1.0);
  const auto v = Variable<double>(randn<double>({6, 3}, 5) * 2.0);
  const auto light = Variable<double>(Tensor<double>::from_values({0.7}, {1, 1}));
  const auto found = exp_half_space(v);
  const auto below = below_light(found, light);
  for (std::int64_t i = 0; i < 6; ++i) {
    geometry::Point<double> origin(3), along(3);
    origin[0] = origin[1] = 0;
    origin[2] = 1;
    for (int c = 0; c < 3; ++c) along[c] = v.value().at({i, c});
    const auto there = space.expmap(origin, along);
    const double height = found.height.value().at({i, 0});
    EXPECT_NEAR(height / there[2], 1, 1e-13) << i;
    for (int c = 0; c < 2; ++c)
      EXPECT_NEAR(found.horizontal.value().at({i, c}), there[c], 1e-13 * (1 + std::abs(there[c])));
    const double lower = std::min(height, 0.7);
    EXPECT_EQ(below.height.value().at({i, 0}), lower);
    EXPECT_NEAR(below.reach.value().at({i, 0}), std::sqrt((0.7 - lower) * (0.7 + lower)), 1e-14);
  }
  // gradients of what the light holds down are numbers
  const auto held = Variable<double>(v.value(), true);
  const auto points = below_light(exp_half_space(held), light);
  sum(points.reach + points.height).backward();
  for (const double g : held.grad().values()) EXPECT_TRUE(std::isfinite(g));
  // straight up and down; and no vector at all
  const auto vertical = exp_half_space(
      Variable<double>(Tensor<double>::from_values({0, 0, 3, 0, 0, -20, 0, 0, 0}, {3, 3}), true));
  EXPECT_NEAR(vertical.height.value().at({0, 0}) / std::exp(3), 1, 1e-14);
  EXPECT_NEAR(vertical.height.value().at({1, 0}) / std::exp(-20), 1, 1e-14);
  EXPECT_EQ(vertical.height.value().at({2, 0}), 1);
}

/// A zero vector and a small one: their lengths have no square in half.
template <class T>
void expect_maps_of_nothing() {
  const Variable<T> v(
      convert<T, 1>(Tensor<double>::from_values({0, 0, 1e-4, 0, 0.5, 0, 3, -4}, {4, 2})), true);
  const auto points = exp_origin(v);
  const auto x = convert<double, 1>(points.vector.value());
  const auto weight = convert<double, 1>(points.weight.value());
  const auto u = double(FloatTraits<T>::u);
  for (std::int64_t i = 0; i < 4; ++i) {
    const double length = std::hypot(double(v.value().at({i, 0})), double(v.value().at({i, 1})));
    const double slope = length == 0 ? 1 : std::tanh(length) / length;
    // what is added to the square of the length counts in half: 2^-14
    EXPECT_NEAR(x.at({i, 0}), slope * double(v.value().at({i, 0})), 16 * u) << i;
    EXPECT_NEAR(weight.at({i, 0}), std::pow(std::cosh(length), 2),
                32 * u * std::pow(std::cosh(length), 2))
        << i;
  }
  sum(points.vector).backward();
  for (const T g : v.grad().values()) EXPECT_TRUE(std::isfinite(double(g)));
  const auto direction = pseudopolar(v);  // (direction, radius)
  for (const T c : direction.vector.value().values()) EXPECT_TRUE(std::isfinite(double(c)));
}
TEST(Maps, OfVectorsWithoutLength) {
  expect_maps_of_nothing<half>();
  expect_maps_of_nothing<bfloat16>();
  expect_maps_of_nothing<float>();
}

}  // namespace
}  // namespace mct::attention
