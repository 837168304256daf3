// Linear attention against attention by the kernel that its features approach.
#include "mctensor/attention/linear_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "tests/message_of.hpp"

namespace mct::attention::linear_attention_cases {
namespace {

using Var = Variable<double>;
const geometry::PoincareBall<double> ball(1.0);

Var number(double x) { return Var(Tensor<double>::from_values({x}, {1, 1, 1}), true); }
/// Points of the ball within a hyperbolic distance of the origin.
Var points(const Shape& shape, double radius, std::uint64_t seed) {
  const auto x = randn<double>(shape, seed);
  const auto length = sqrt(sum(square(x), {-1}, true));
  Shape lengths = shape;
  lengths.back() = 1;
  return Var(x / length * tanh(rand<double>(lengths, seed + 1) * (radius / 2)), true);
}

/// The largest difference to the mean of v by explicit weights.
template <class Kernel>
double worst_difference(const Var& result, const Var& q, const Var& k, const Var& v, bool causal,
                        const Kernel& kernel) {
  const auto d = dist(ball, q.value().unsqueeze(2), k.value().unsqueeze(1));
  double worst = 0;
  for (std::int64_t i = 0; i < q.size(1); ++i) {
    double total = 0, mean = 0;
    for (std::int64_t j = 0; j < (causal ? i + 1 : k.size(1)); ++j) {
      const double w = kernel(d.at({0, i, j}));
      total += w;
      mean += w * v.value().at({0, j, 0});
    }
    const double difference = std::abs(result.value().at({0, i, 0}) - mean / total);
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

/// Of two dimensions and mu = 0, up to a factor: sech(d / 2) K(tanh(d / 2)), the Legendre function
/// of degree -1/2 at cosh d.
double plane_kernel(double d) { return std::comp_ellint_1(std::tanh(d / 2)) / std::cosh(d / 2); }

TEST(LinearAttention, EvenDirectionsGiveTheKernelOfThePlane) {
  const auto q = points({1, 20, 2}, 3, 1), k = points({1, 25, 2}, 3, 3);
  const auto v = Var(randn<double>({1, 25, 1}, 5));
  const auto error = [&](std::int64_t directions) {
    return worst_difference(
        linear_distance_attention(ball, q, k, v, horocycle_directions<double>(directions, 2, 0),
                                  number(0)),
        q, k, v, false, plane_kernel);
  };
  EXPECT_LE(error(256), 1e-12);
  EXPECT_LE(error(64), 1e-4);
  EXPECT_GE(error(4), 1e-3);  // the test can see an error
}

/// Of n dimensions, up to a factor: the mean over directions, by the angle at one of the points.
double kernel_of(int n, double mu, double d) {
  constexpr int steps = 2000;  // Simpson's rule
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double angle = M_PI * i / steps;
    const double height = std::cosh(d) - std::sinh(d) * std::cos(angle);
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::pow(height, -(0.5 * (n - 1) + mu)) * std::pow(std::sin(angle), n - 2);
  }
  return sum;
}

TEST(LinearAttention, DirectionsOnASpiralApproachTheKernelOfSpace) {
  const auto q = points({1, 12, 3}, 2, 1), k = points({1, 15, 3}, 2, 3);
  const auto v = Var(randn<double>({1, 15, 1}, 5));
  for (const double mu : {-0.5, 0.0, 0.3, 0.8}) {
    const auto kernel = [&](double d) { return kernel_of(3, mu, d); };
    const auto error = [&](std::int64_t directions) {
      return worst_difference(
          linear_distance_attention(ball, q, k, v, horocycle_directions<double>(directions, 3),
                                    number(mu)),
          q, k, v, false, kernel);
    };
    EXPECT_LE(error(4000), 1e-3) << mu;
    EXPECT_GE(error(20), 1e-3) << mu;
  }
}

TEST(LinearAttention, RandomDirectionsApproachTheKernelOfSpace) {
  const auto q = points({1, 12, 5}, 1, 1), k = points({1, 15, 5}, 1, 3);
  const auto v = Var(randn<double>({1, 15, 1}, 5));
  for (const double mu : {0.3, 1.5}) {
    const auto kernel = [&](double d) { return kernel_of(5, mu, d); };
    const auto error = [&](std::int64_t directions) {
      return worst_difference(
          linear_distance_attention(ball, q, k, v, horocycle_directions<double>(directions, 5, 7),
                                    number(mu)),
          q, k, v, false, kernel);
    };
    EXPECT_LE(error(10'000), 0.03) << mu;
    EXPECT_LE(error(10'000), 0.5 * error(100)) << mu;
  }
}

TEST(LinearAttention, CausalIsThatOfThePlacesBefore) {
  const auto q = points({1, 150, 2}, 2, 1), k = points({1, 150, 2}, 2, 3);
  const auto v = Var(randn<double>({1, 150, 1}, 5));
  EXPECT_LE(
      worst_difference(linear_distance_attention(
                           ball, q, k, v, horocycle_directions<double>(128, 2, 0), number(0), true),
                       q, k, v, true, plane_kernel),
      1e-9);
}

TEST(LinearAttention, IsThatOfTheHalfSpaceToo) {
  // the same points by an isometry: the kernel, if not the features, is that of the distance
  const auto q = points({1, 8, 2}, 2, 1), k = points({1, 9, 2}, 2, 3);
  const auto v = Var(randn<double>({1, 9, 1}, 5));
  const geometry::HalfSpace<double> half_space(1.0);
  const auto moved = [&](const Var& x) {
    return Var(geometry::convert<geometry::HalfSpace>(ball, x.value()));
  };
  const auto omega = horocycle_directions<double>(256, 2);
  const auto here = linear_distance_attention(ball, q, k, v, omega, number(0.2));
  const auto there =
      linear_distance_attention(half_space, moved(q), moved(k), v, omega, number(0.2));
  EXPECT_LE(max(abs(here.value() - there.value())).item(), 1e-10);
}

TEST(LinearAttention, EndsOfItsParameter) {
  const auto q = points({1, 6, 3}, 3, 1), k = points({1, 7, 3}, 3, 3);
  const auto v = Var(randn<double>({1, 7, 2}, 5));
  const auto omega = horocycle_directions<double>(50, 3, 2);
  // mu = rho: one weight for all keys, whatever the directions
  const auto even = linear_distance_attention(ball, q, k, v, omega, number(1)).value();
  EXPECT_LE(max(abs(even - mean(v.value(), {-2}, true))).item(), 1e-14);
  // one key
  const auto one =
      linear_distance_attention(ball, q, k.narrow(1, 2, 1), v.narrow(1, 2, 1), omega, number(0.3));
  EXPECT_LE(max(abs(one.value() - v.value().narrow(1, 2, 1))).item(), 1e-15);
  EXPECT_NE(testing::message_of<DomainError>([&] {
              linear_distance_attention(ball, q, k, v, omega, number(1.01));
            }).find("|mu| is 1.01, at most (n - 1) / 2 = 1 is allowed"),
            std::string::npos);
  EXPECT_THROW(linear_distance_attention(ball, q, k, v, omega, number(NAN)), DomainError);
  // no query
  const auto none = linear_distance_attention(ball, q.narrow(1, 0, 0), k, v, omega, number(0.3));
  EXPECT_EQ(none.shape(), (Shape{1, 0, 2}));
}

TEST(LinearAttention, FarOut) {
  // pairs of a query and a key in one place, whose features gather in few directions
  const std::int64_t count = 8;
  const auto circle = [](double distance) {
    Tensor<double> x({1, count, 2});
    for (std::int64_t i = 0; i < count; ++i) {
      x.set({0, i, 0}, std::tanh(distance / 2) * std::cos(0.7 * double(i)));
      x.set({0, i, 1}, std::tanh(distance / 2) * std::sin(0.7 * double(i)));
    }
    return x;
  };
  const Var v(randn<double>({1, count, 1}, 5));
  const auto omega = horocycle_directions<double>(4096, 2);
  const Var near(circle(6));
  EXPECT_LE(worst_difference(linear_distance_attention(ball, near, near, v, omega, number(0)), near,
                             near, v, false, plane_kernel),
            1e-6);
  // too far for these directions: still means of the values
  const auto x = circle(35);
  const Var q(x);
  for (const double mu : {0.0, 0.2, -0.4}) {
    const auto out = linear_distance_attention(ball, q, q, v, omega, number(mu)).value();
    EXPECT_LE(max(out).item(), max(v.value()).item() + 1e-14);
    EXPECT_GE(min(out).item(), min(v.value()).item() - 1e-14);
  }
  auto broken = x.clone();
  broken.set({0, 3, 1}, std::nan(""));
  const auto nans = linear_distance_attention(ball, Var(broken), q, v,
                                              horocycle_directions<double>(64, 2), number(0));
  for (std::int64_t i = 0; i < count; ++i)
    EXPECT_EQ(std::isnan(nans.value().at({0, i, 0})), i == 3);
}

TEST(LinearAttention, HasGradients) {
  const auto omega = horocycle_directions<double>(9, 3, 1);
  for (const bool causal : {false, true}) {
    const std::vector<Var> inputs = {points({1, 5, 3}, 2, 1), points({1, 5, 3}, 2, 3),
                                     Var(randn<double>({1, 5, 2}, 5), true), number(0.4)};
    GradcheckOptions options;
    options.step = 0x1p-11;
    options.tolerance = 1e-8;
    options.floor = 1e-2;
    const auto report = gradcheck(
        [&](const auto& x) {
          return linear_distance_attention(ball, x[0], x[1], x[2], omega, x[3], causal);
        },
        inputs, options);
    EXPECT_TRUE(report) << report.message();
  }
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              linear_distance_attention(ball, points({1, 4, 3}, 1, 1), points({1, 5, 3}, 1, 1),
                                        points({1, 5, 3}, 1, 1), omega, number(0), true);
            }).find("a causal mask needs as many queries as keys"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::attention::linear_attention_cases
