// Random points: how they are distributed, that their density is the one stated, what is refused.
#include "mctensor/geometry/random_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/models/product.hpp"
#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

/// The largest difference between the shares of numbers in [0, 1] below each and the number itself:
/// 1.95 / sqrt(count) is passed once in a thousand seeds.
double off_uniform(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  double worst = 0;
  const double count(double(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    worst = std::max({worst, x[i] - double(i) / count, double(i + 1) / count - x[i]});
  return worst;
}

/// The volume nearer than r, by Simpson's rule.
double volume(int sign, int power, double r) {
  const int steps = 100;
  const double h = r / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double f = std::pow(std::exp(geometry::detail::log_sphere_size(sign, i * h)), power);
    sum += f * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum * h / 3;
}

template <class M>
void expect_uniform(const M& m, int size, int sign, double distance) {
  const int count = 2000;
  const int power = decltype(m.formulas())::dimension(size) - 1;
  const double largest = distance / m.radius();
  const double all = volume(sign, power, sign > 0 ? std::fmin(largest, M_PI) : largest);
  std::vector<double> shares;
  for (int i = 0; i < count; ++i) {
    const auto x = m.random_uniform(size, 7, std::uint64_t(i), distance);
    EXPECT_TRUE(m.check_point(x, 64)) << size << " " << distance << " " << m.dist0(x);
    const double r = m.dist0(x) / m.radius();
    EXPECT_LE(r, largest * (1 + 1e-9));
    shares.push_back(volume(sign, power, r) / all);
  }
  EXPECT_LE(off_uniform(shares), 1.95 / std::sqrt(count)) << size << " " << distance;
}
/// A seed gives the same numbers in every version: experiments are repeated by them.
TEST(RandomNormal, IsPinned) {
  const auto x = Euclidean<double>(1).random_normal(4, 7, 3);
  const double pinned[] = {0.96717119508157678, -1.53224556615953, 0.65923685866930792,
                           -0.37953280455969318};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], pinned[i], 4e-15) << i;
}

TEST(RandomUniform, IsUniformByVolume) {
  for (const int n : {1, 2, 5}) {
    for (const double r : {0.01, 1.0, 5.0}) {
      expect_uniform(PoincareBall<double>(1.5), n, -1, r);
      expect_uniform(Lorentz<double>(0.5), n + 1, -1, r);
      expect_uniform(Euclidean<double>(), n, 0, r);
    }
    for (const double r : {0.01, 1.0, 4.0, double(INFINITY)})
      expect_uniform(Sphere<double>(1.5), n + 1, 1, r);
  }
}
/// The border of half a sphere is its largest circle, where the density is largest, too.
TEST(RandomUniform, IsUniformOnHalfASphere) {
  const Sphere<double> sphere(2);
  for (const int size : {2, 3, 6}) expect_uniform(sphere, size, 1, 2 * (M_PI / 2));
}
TEST(RandomUniform, DirectionsAreUniform) {
  const HalfSpace<double> m(1.5);
  std::vector<double> angles;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const auto u = m.logmap0(m.random_uniform(2, 3, i, 2.0));
    angles.push_back(std::atan2(u[1], u[0]) / (2 * M_PI) + 0.5);
  }
  EXPECT_LE(off_uniform(angles), 1.95 / std::sqrt(4000));
}
TEST(RandomUniform, PartsOfProductsAreIndependent) {
  const Product space(ProductPart{PoincareBall<double>(1), 2}, ProductPart{Euclidean<double>(), 2});
  double product = 0, first = 0, second = 0;
  const int count = 4000;
  for (int i = 0; i < count; ++i) {
    const auto parts = space.split(space.random_uniform(4, 3, std::uint64_t(i), 1.0));
    const double a = space.part<0>().dist0(parts[0]), b = norm(parts[1]);
    EXPECT_LE(a, 1 + 1e-12);
    EXPECT_LE(b, 1 + 1e-12);
    product += a * b / count;
    first += a / count;
    second += b / count;
  }
  // deviations of a and b are a quarter
  EXPECT_NEAR(product, first * second, 4 * 0.0625 / std::sqrt(count));
}
TEST(RandomUniform, TensorsAndRefusals) {
  const PoincareBall<float> ball(1.5f);
  const auto x = random_uniform(ball, {3, 2, 4}, 11, 2.0);
  EXPECT_EQ(x.at({1, 1, 2}), ball.random_uniform(4, 11, 3, 2.0)[2]);
  for (const double bad : {0.0, -1.0, double(NAN), double(INFINITY)})
    EXPECT_THROW(ball.random_uniform(2, 1, 0, bad), DomainError);
  EXPECT_NE(testing::message_of<DomainError>([&] {
              ball.random_uniform(2, 1, 0, -3.0);
            }).find("distance is -2"),
            std::string::npos);
  EXPECT_THROW(Lorentz<double>(1).random_uniform(1, 1, 0, 1.0), ShapeError);
  EXPECT_THROW(Sphere<double>(1).random_uniform(3, 1, 0, NAN), DomainError);
  for (const double bad : {-1.0, double(NAN), double(INFINITY)})
    EXPECT_THROW(ball.random_normal(2, 1, 0, bad), DomainError);
}

/// Where a sphere is larger than a double, and where its logarithm has a larger slope.
TEST(RandomUniform, FarOutAndNextToTheOrigin) {
  const HalfSpace<double> half_space(1);
  for (const double distance : {700.0, 711.0, 740.0})
    for (std::uint64_t i = 0; i < 20; ++i) {
      const double d = half_space.dist0(half_space.random_uniform(2, 1, i, distance));
      EXPECT_LE(d, distance * (1 + 1e-12)) << i;
      EXPECT_GE(d, distance - 40) << i;
    }
  // in the plane half of the distances are above the root of a half
  const PoincareBall<double> ball(1);
  int far = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto x = ball.random_uniform(2, 1, i, 1e-306);
    const double length = std::hypot(x[0], x[1]);
    EXPECT_LE(length, 0.51e-306);
    far += length > std::sqrt(0.5) / 2 * 1e-306 ? 1 : 0;
  }
  EXPECT_NEAR(far, 500, 80);
  EXPECT_THROW(Lorentz<double>(1).random_uniform(3, 1, 0, 800.0), DomainError);
  EXPECT_THROW(Lorentz<double>(1).random_normal(3, 1, 0, 1e6), DomainError);
  EXPECT_THROW(Lorentz<half>(half(1.0F)).random_uniform(3, 1, 0, 20.0), DomainError);
  EXPECT_LT(Lorentz<double>(1).dist0(Lorentz<double>(1).random_uniform(3, 1, 0, 700.0)), 700);
  const Product with_a_plane(ProductPart{Euclidean<double>(1), 1},
                             ProductPart{Lorentz<double>(1), 3});
  EXPECT_THROW(with_a_plane.random_normal(4, 1, 0, 1e6), DomainError);
}

/// In the plane of curvature -1/K^2 the density of the polar angle and the distance d is that of a
/// normal vector, so that by volume it is over K sinh(d / K) / d: in f64x4, for several mean
/// points.
template <template <class> class M>
void expect_density(int size) {
  using Q = f64x4;
  const M<double> m(1.3);
  const M<Q> wide(Q(1.3));
  const auto exact = [](const Point<double>& x) {
    return geometry::detail::generate<Point<Q>>(x.size(), [&](int i) { return Q(x[i]); });
  };
  const int dimension = decltype(m.formulas())::dimension(size);
  for (std::uint64_t i = 0; i < 30; ++i) {
    const double deviation = i % 3 == 0 ? 0.1 : i % 3 == 1 ? 1 : 30;
    const auto mean = m.random_normal(size, 1, i, 0.5);
    const auto x = i == 0 ? mean : m.random_normal(size, 2, i, i % 2 == 0 ? 1e-4 : 3);
    const Q d = wide.dist(exact(mean), exact(x));
    const Q z = d / Q(deviation);
    const Q s = d / Q(1.3);
    Q truth = -(z * z) / Q(2);
    const Q two_pi = Q(2) * acos(Q(-1));
    truth = truth - Q(dimension) * (log(Q(deviation)) + log(two_pi) / Q(2));
    if (double(s) > 0 && !std::is_same_v<M<double>, Euclidean<double>>)
      truth = truth - Q(dimension - 1) * log(sinh(s) / s);
    const double scale =
        double(z * z) + dimension * (2 + std::fabs(std::log(deviation))) + dimension * double(s);
    EXPECT_LE(std::fabs(double(Q(m.normal_log_prob(x, mean, deviation)) - truth)),
              manifold_bound<double>(size) * 0x1p-53 * scale)
        << i;
  }
}
TEST(NormalLogProb, AgainstItsDefinition) {
  expect_density<PoincareBall>(3);
  expect_density<HalfSpace>(1);
  expect_density<HalfSpace>(4);
  expect_density<Lorentz>(4);
  expect_density<Klein>(2);
  expect_density<Hemisphere>(3);
  expect_density<Euclidean>(3);
}

/// The integral of the density over the plane is 1: over rings around the mean.
TEST(NormalLogProb, IntegratesToOne) {
  const PoincareBall<double> ball(1.5);
  const Point<double, 2> mean(0.4, -0.7);
  const auto u = ball.logmap(mean, Point<double, 2>(0.1, 0.1));
  const auto e = u / ball.norm(mean, u);
  double sum = 0;
  const double h = 1e-3;
  for (double r = h / 2; r < 8; r += h) {
    const double log_prob = ball.normal_log_prob(ball.expmap(mean, e * r), mean, 0.8);
    sum += std::exp(log_prob) * 2 * M_PI * 1.5 * std::sinh(r / 1.5) * h;
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}
TEST(NormalLogProb, OfProducts) {
  const Product space(ProductPart{PoincareBall<double>(1.5), 2, 2.0},
                      ProductPart{Euclidean<double>(), 1, 0.5});
  const auto x = space.random_normal(3, 1), mean = space.random_normal(3, 2);
  const auto a = space.split(x), b = space.split(mean);
  const double expected = space.part<0>().normal_log_prob(a[0], b[0], 0.7 / 2) - 2 * std::log(2.0) +
                          space.part<1>().normal_log_prob(a[1], b[1], 0.7 / 0.5) - std::log(0.5);
  EXPECT_NEAR(space.normal_log_prob(x, mean, 0.7), expected, 1e-14);
  EXPECT_TRUE(std::isnan(space.normal_log_prob(x, mean, -1.0)));
}
TEST(NormalLogProb, OfTensorsAndVariables) {
  const Lorentz<f64x2> m(f64x2(1.3));
  using X = Variable<double, 2, 2>;
  const auto a = random_normal(m, {3, 3}, 1), b = random_normal(m, {3}, 2);
  const X x(a.clone(), true), mean(b.clone(), true);
  const X deviation(Tensor<double, 2>::scalar(f64x2(0.7)), true);
  const X radius(Tensor<double, 2>::scalar(f64x2(1.3)), true);
  EXPECT_EQ(normal_log_prob(m, x, mean, deviation).value().values(),
            m.normal_log_prob(a, b, 0.7).values());
  const auto report = gradcheck(
      [&](const auto& in) {
        return Learnable<Lorentz<f64x2>, 2>(in[3]).normal_log_prob(in[0], in[1], in[2]);
      },
      std::vector<X>{x, mean, deviation, radius});
  EXPECT_TRUE(report) << report.message();
  // at the mean itself the density is flat
  const Variable<double> y(Tensor<double>::from_values({0.1, 0.2}), true);
  PoincareBall<double>(1).normal_log_prob(y, y.value(), 0.5).backward();
  for (const double g : y.grad().values()) EXPECT_NEAR(g, 0, 1e-15);
}

/// The end and what was moved, as the two steps give them, on everything that moves.
TEST(TransportedMoves, AreTheTwoSteps) {
  const PoincareBall<double> ball(1.5);
  const auto x = random_normal(ball, {3, 2}, 1), u = random_normal(Euclidean<double>(), {3, 2}, 2);
  const auto [y, v] = ball.expmap_transp(x, u, u);
  EXPECT_EQ(y.values(), ball.expmap(x, u).values());
  EXPECT_EQ(v.values(), ball.ptransp(x, y, u).values());
  const Variable<double> w(u, true);
  const auto [z, moved] = retr_transp(ball, x, w, w);
  EXPECT_EQ(z.value().values(), ball.retr(x, u).values());
  sum(moved).backward();
  EXPECT_TRUE(w.has_grad());
  const XmcHalfSpace<double, 2> plane;
  const auto p = plane.origin<2>();
  const std::array<double, 2> step{0.5, -0.25};
  const auto [q, turned] = plane.expmap_transp(p, step, step);
  EXPECT_EQ(turned, plane.ptransp(p, q, step));
}

}  // namespace
}  // namespace mct::geometry_test
