// Fréchet mean and its derivative, midpoints, products of manifolds.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_cases.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::validation;

using namespace mct::geometry;

template <template <class> class M, class V>
struct MeanProblem {
  using C = Cases<M, V>;
  static constexpr int n = C::n;
  using P = typename C::P;

  explicit MeanProblem(double farthest, int count = 5) : cases(1.5, 3) {
    for (int i = 0; i < count; ++i) {
      points.push_back(cases.point(cases.uniform(0, farthest)));
      weights.push_back(V(Limb<V>(cases.uniform(0.1, 2))));
    }
  }
  /// The sum of w_i log_m(x_i), which is 0 at the mean, as its length over sum w_i dist_i u^N.
  double gradient(const P& m) const {
    const ManifoldOracle oracle(ModelInfo<M>::model, Big(cases.manifold.radius()));
    const BigVector at = validation::big_vector(m);
    BigVector sum(at.size());
    Big scale;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const BigVector x = validation::big_vector(points[i]);
      sum = sum + oracle.logmap(at, x) * Big(weights[i]);
      scale = scale + Big(weights[i]) * oracle.dist(at, x);
    }
    return double(oracle.norm_at(at, sum) / (scale * unit<V>()));
  }

  C cases;
  std::vector<P> points;
  std::vector<V> weights;
};

template <template <class> class M, class V>
void expect_mean(double farthest) {
  const MeanProblem<M, V> problem(farthest);
  const auto m = frechet_mean(problem.cases.manifold, problem.points, problem.weights);
  EXPECT_TRUE(problem.cases.manifold.check_point(m, 64));
  // H is at least 1, at most about the largest distance: that much may stand before the rounding of
  // m
  EXPECT_LE(problem.gradient(m), 10 * manifold_bound<V>(problem.n) * (1 + farthest));
  // a mean of copies is the point
  const std::vector<typename MeanProblem<M, V>::P> copies(3, problem.points[0]);
  const auto same = frechet_mean(problem.cases.manifold, copies, {V(1), V(2), V(1)});
  EXPECT_LE(double(problem.cases.manifold.dist(same, copies[0])),
            100 * 4 * double(unit<V>()) * std::exp(farthest));
}

template <class V>
void expect_means() {
  expect_mean<PoincareBall, V>(3);
  expect_mean<HalfSpace, V>(6);
  expect_mean<Lorentz, V>(3);
  expect_mean<Klein, V>(2);
  expect_mean<Hemisphere, V>(3);
  expect_mean<Euclidean, V>(3);
  expect_mean<Sphere, V>(0.7);
}

TEST(FrechetMean, HasNoGradient) {
  expect_means<double>();
  expect_means<float>();
  expect_means<f64x2>();
}

/// Whose points are off the sphere by far more than the rounding that the mean is computed with.
TEST(FrechetMean, OfNarrowTypesOnTheSphere) {
  expect_mean<Sphere, half>(0.7);
  expect_mean<Sphere, bfloat16>(0.7);
  expect_mean<Sphere, f32x2>(0.7);
  expect_mean<Sphere, bf16x2>(0.7);
}

/// Far out, where the half-space still has coordinates: all over the place, and a cluster.
template <class V>
void expect_means_far_out(double farthest) {
  expect_mean<HalfSpace, V>(farthest);
  expect_mean<Hemisphere, V>(farthest);
  MeanProblem<HalfSpace, V> problem(farthest);
  auto& x = problem.points;
  x[0] = problem.cases.point(farthest);
  for (std::size_t i = 1; i < x.size(); ++i)
    x[i] = problem.cases.manifold.expmap(x[0], problem.cases.tangent(x[0], 1e-6 * double(i)));
  const auto m = frechet_mean(problem.cases.manifold, x, problem.weights);
  // the mean's own rounding is what counts beside distances so short
  EXPECT_LE(problem.gradient(m), 10 * manifold_bound<V>(problem.n) * 1e6);
}

TEST(FrechetMean, FarFromTheOrigin) {
  for (const double farthest : {340.0, 500.0}) {
    expect_means_far_out<double>(farthest);
    expect_means_far_out<f64x2>(farthest);
  }
  expect_means_far_out<double>(680);
  expect_means_far_out<float>(60);
}

/// The derivative of a linear function of the mean against differences in two doubles.
template <template <class> class M>
void expect_derivative(double farthest) {
  using V = f64x2;
  MeanProblem<M, V> problem(farthest, 4);
  const auto& manifold = problem.cases.manifold;
  const auto mean = frechet_mean(manifold, problem.points, problem.weights);
  const auto g = problem.cases.tangent(mean, 1);
  const auto gradients = frechet_mean_gradients(manifold, problem.points, problem.weights, mean, g);
  // f(m) = <g, log_mean(m)>, whose gradient at the mean is g
  const auto value = [&](const auto& points, const auto& weights) {
    return manifold.inner(mean, g, manifold.logmap(mean, frechet_mean(manifold, points, weights)));
  };
  const V h = V(0x1p-30);
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    const auto e = problem.cases.tangent(problem.points[i], 1);
    auto up = problem.points;
    auto down = problem.points;
    up[i] = manifold.expmap(problem.points[i], e * h);
    down[i] = manifold.expmap(problem.points[i], -(e * h));
    const V slope = (value(up, problem.weights) - value(down, problem.weights)) / (h + h);
    const V expected = manifold.inner(problem.points[i], gradients.points[i], e);
    EXPECT_NEAR(double(slope - expected), 0, 1e-15) << i;

    auto heavier = problem.weights;
    auto lighter = problem.weights;
    heavier[i] = heavier[i] + h;
    lighter[i] = lighter[i] - h;
    const V rate = (value(problem.points, heavier) - value(problem.points, lighter)) / (h + h);
    EXPECT_NEAR(double(rate - gradients.weights[i]), 0, 1e-15) << i;
  }
}

TEST(FrechetMean, Derivative) {
  expect_derivative<PoincareBall>(2);
  expect_derivative<HalfSpace>(2);
  expect_derivative<Lorentz>(2);
  expect_derivative<Klein>(1.5);
  expect_derivative<Hemisphere>(2);
  expect_derivative<Euclidean>(2);
  expect_derivative<Sphere>(0.7);
}

/// Points at one angle around a pole: their mean is the pole, though H is small and far from it not
/// positive.
template <class V>
void expect_pole(double degrees, int count, int seed) {
  Cases<Sphere, V> cases(1.5, unsigned(seed));
  const auto& sphere = cases.manifold;
  using P = typename Cases<Sphere, V>::P;
  const P pole = cases.point(cases.uniform(0, 3));
  // orthonormal vectors at the pole
  P a = sphere.logmap(pole, cases.point(1));
  a = a / norm(a);
  P b = cases.tangent(pole, 1);
  b = sphere.proju(pole, b - a * dot(a, b));
  b = b / norm(b);
  std::vector<P> points;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count;
    const P e = a * V(Limb<V>(std::cos(angle))) + b * V(Limb<V>(std::sin(angle)));
    points.push_back(sphere.expmap(pole, e * V(Limb<V>(1.5 * degrees * M_PI / 180))));
  }
  const P m = frechet_mean(sphere, points, std::vector<V>(points.size(), V(1)));
  EXPECT_LE(double(sphere.dist(m, pole)), 1e4 * double(unit<double>())) << degrees << ' ' << count;
}

TEST(FrechetMean, OfRingsOnTheSphere) {
  for (const double degrees : {10.0, 60.0, 65.0, 70.0, 75.0, 80.0, 85.0}) {
    for (const int count : {2, 3, 4, 7}) {
      for (int seed = 1; seed < 6; ++seed) {
        expect_pole<double>(degrees, count, seed);
        expect_pole<f64x2>(degrees, count, seed);
      }
    }
  }
}

/// Points anywhere in a hemisphere, with weights: a stationary point, and no point nearby or among
/// the given ones is better.
TEST(FrechetMean, IsAMinimumOnTheSphere) {
  for (unsigned seed = 1; seed < 40; ++seed) {
    Cases<Sphere, double> cases(1.5, seed);
    const auto& sphere = cases.manifold;
    std::vector<Point<double, 4>> points;
    std::vector<double> weights;
    const auto pole = sphere.origin<4>();
    for (int i = 0; i < 6; ++i) {
      auto u = cases.tangent(pole, 1);
      u = u / norm(u);
      points.push_back(sphere.expmap(pole, u * (1.5 * cases.uniform(1.0, 1.5))));
      weights.push_back(cases.uniform(0.1, 3));
    }
    const auto objective = [&](const Point<double, 4>& m) {
      double sum = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double d = sphere.dist(m, points[i]);
        sum += weights[i] * d * d;
      }
      return sum;
    };
    const auto m = frechet_mean(sphere, points, weights);
    const double least = objective(m) * (1 - 1e-14);
    for (const auto& x : points) EXPECT_LE(least, objective(x)) << seed;
    EXPECT_LE(least, objective(pole)) << seed;
    for (int i = 0; i < 10; ++i) {
      const auto u = cases.tangent(m, 1);
      EXPECT_LE(least, objective(sphere.expmap(m, u * 1e-3))) << seed;
      EXPECT_LE(least, objective(sphere.expmap(m, u * 0.3))) << seed;
    }
  }
}

TEST(FrechetMean, NanAndInfinity) {
  const double nan = std::nan("");
  const PoincareBall<double> ball;
  using P = Point<double, 2>;
  for (const auto& points :
       {std::vector{P(0.1, 0.2), P(nan, 0.0)}, std::vector{P(0.0, nan), P()}}) {
    const P m = frechet_mean(ball, points, {1.0, 1.0});
    EXPECT_TRUE(std::isnan(m[0]) && std::isnan(m[1]));
  }
  const P m = frechet_mean(ball, std::vector{P(0.1, 0.2), P()}, {1.0, nan});
  EXPECT_TRUE(std::isnan(m[0]) && std::isnan(m[1]));
  const Sphere<double> sphere;
  EXPECT_TRUE(
      std::isnan(frechet_mean(sphere, std::vector{P(1.0, 0.0), P(nan, 1.0)}, {1.0, 1.0})[0]));
}

template <template <class> class M, class V>
void expect_no_scale_of_weights() {
  const MeanProblem<M, V> problem(1, 3);
  const M<V>& manifold = problem.cases.manifold;
  const auto gradients = [&](const std::vector<V>& w, double g) {
    const auto mean = frechet_mean(manifold, problem.points, w);
    return frechet_mean_gradients(manifold, problem.points, w, mean, problem.points[0] * V(g));
  };
  const double by_weight = double(gradients({V(1), V(1), V(1)}, 1).weights[1]);
  const auto of_ones = frechet_mean(manifold, problem.points, {V(1), V(1), V(1)});
  const auto midpoint = weighted_midpoint(manifold, problem.points, {V(1), V(1), V(1)});
  const double u = 1e4 * double(unit<V>());
  for (const double w : {1.5e308, 1e300, 1e200, 1e-200, 1e-320, 0x1p-1074}) {
    const std::vector<V> weights{V(w), V(w), V(w)};
    EXPECT_LE(double(manifold.dist(frechet_mean(manifold, problem.points, weights), of_ones)), u);
    EXPECT_LE(double(manifold.dist(weighted_midpoint(manifold, problem.points, weights), midpoint)),
              u);
    if (w < 1e250 && w > 1e-250) {
      EXPECT_NEAR(double(gradients(weights, 1).weights[1]) * w / by_weight, 1, 1e-12) << w;
    }
  }
  for (const double g : {1e-200, 1e200})
    EXPECT_NEAR(double(gradients({V(1), V(1), V(1)}, g).weights[1]) / g / by_weight, 1, 1e-12) << g;
}

TEST(FrechetMean, FarExponentsAreEven) {
  using geometry::detail::far_exponent;
  EXPECT_EQ(far_exponent(0x1.8p151), 150);
  EXPECT_EQ(far_exponent(0x1.8p150), 0);
  EXPECT_EQ(far_exponent(0x1p1022), 1022);
  EXPECT_EQ(far_exponent(0x1p-151), -150);
  EXPECT_EQ(far_exponent(0x1p-150), 0);
  EXPECT_EQ(far_exponent(5e-324), -1074);
  for (const double x : {0.0, HUGE_VAL, std::nan("")}) EXPECT_EQ(far_exponent(x), 0);
}

TEST(FrechetMean, WeightsHaveNoScale) {
  expect_no_scale_of_weights<PoincareBall, double>();
  expect_no_scale_of_weights<HalfSpace, double>();
  expect_no_scale_of_weights<Euclidean, double>();
  expect_no_scale_of_weights<PoincareBall, f64x2>();
}

TEST(FrechetMean, RefusesWhatDoesNotFit) {
  const PoincareBall<double> ball;
  const std::vector<Point<double, 2>> none;
  const std::vector<Point<double, 2>> one{Point<double, 2>(0.1, 0.2)};
  EXPECT_THROW(frechet_mean(ball, none, {}), ShapeError);
  EXPECT_THROW(frechet_mean(ball, one, {1.0, 2.0}), ShapeError);
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              weighted_midpoint(ball, one, {1.0, 2.0});
            }),
            "weighted_midpoint: 1 points and 2 weights; there must be one weight for each point");
  const std::vector<Point<double>> mixed{Point<double>{0.1, 0.2}, Point<double>{0.1}};
  EXPECT_THROW(frechet_mean(ball, mixed, {1.0, 2.0}), ShapeError);
}

template <class V>
void expect_midpoints(double farthest) {
  MeanProblem<PoincareBall, V> problem(farthest, 7);
  const auto& ball = problem.cases.manifold;
  const Klein<V> klein(ball.radius());
  const Lorentz<V> lorentz(ball.radius());
  // the definition: sum w T X over its Lorentz length
  const ManifoldOracle oracle(Model::ball, Big(ball.radius()));
  BigVector X(3);
  Big time;
  std::vector<Point<V, 3>> in_klein;
  std::vector<Point<V, 4>> in_lorentz;
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    const BigVector x = oracle.to_space(validation::big_vector(problem.points[i]));
    X = X + x * Big(problem.weights[i]);
    time = time + oracle.time_of(x) * Big(problem.weights[i]);
    in_klein.push_back(convert<Klein>(ball, problem.points[i]));
    in_lorentz.push_back(convert<Lorentz>(ball, problem.points[i]));
  }
  const Big mass = sqrt(time * time - validation::dot(X, X));
  const BigVector exact = oracle.from_space(X * (oracle.radius() / mass));
  const Big bound = Big(7 + 4 * manifold_bound<V>(3)) * unit<V>() * validation::norm(exact);
  const auto gyro = weighted_midpoint(ball, problem.points, problem.weights);
  EXPECT_TRUE(validation::norm(validation::big_vector(gyro) - exact) <= bound);
  // the conversions have rounded the points before
  const auto einstein = weighted_midpoint(klein, in_klein, problem.weights);
  const auto centroid = weighted_midpoint(lorentz, in_lorentz, problem.weights);
  const double tolerance = double(unit<V>()) * 1e3 * std::exp(2 * farthest);
  EXPECT_LE(double(klein.dist(einstein, convert<Klein>(ball, gyro))), tolerance);
  EXPECT_LE(double(lorentz.dist(centroid, convert<Lorentz>(ball, gyro))), tolerance);
}

TEST(Midpoints, AreOnePointInThreeModels) {
  expect_midpoints<double>(3);
  expect_midpoints<double>(8);
  expect_midpoints<f64x2>(8);
  // two points: the middle of the geodesic
  const PoincareBall<double> ball(2);
  const Point<double, 2> x(0.3, -1.1), y(1.2, 0.9);
  const auto m = weighted_midpoint(ball, std::vector{x, y}, {1.0, 1.0});
  EXPECT_LE(norm(m - ball.geodesic(0.5, x, y)), 1e-15);
  // opposite points: the origin
  EXPECT_LE(norm(weighted_midpoint(ball, std::vector{x, -x}, {1.0, 1.0})), 1e-15);
}

/// The definition, K X / M or K X / (T + M), in 3072 bits.
template <class V, int n>
void expect_midpoint(const geometry::Point<V, n>& result, const std::vector<BigVector>& spaces,
                     const std::vector<V>& weights, const ManifoldOracle& oracle,
                     const std::string& what) {
  BigVector X(spaces[0].size());
  Big time;
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    X = X + spaces[i] * Big(weights[i]);
    time = time + oracle.time_of(spaces[i]) * Big(weights[i]);
  }
  const Big mass = sqrt(time * time - validation::dot(X, X));
  const BigVector exact = oracle.from_space(X * (oracle.radius() / mass));
  const Big error = validation::norm(validation::big_vector(result) - exact);
  const Big bound = Big(double(spaces.size()) + 4 * manifold_bound<V>(n)) * unit<V>();
  EXPECT_TRUE(error <= bound * validation::norm(exact)) << what;
}

/// A point and copies of it, displaced by a little or not at all.
template <class P>
std::vector<P> cluster(const P& x, double displacement) {
  using V = typename P::Value;
  std::vector<P> points(4, x);
  for (int i = 1; i < 4; ++i)
    points[std::size_t(i)][i - 1] = x[i - 1] * V(Limb<V>(1 + displacement * i));
  return points;
}

template <class V>
void expect_midpoints_of_clusters() {
  const std::vector<V> weights{V(1), V(0.5), V(2), V(0.125)};
  for (const double displacement : {0.0, 0x1p-50, -0x1p-40, -0x1p-20}) {
    for (const double r : {0.1, 2.0, 20.0, 30.0, 300.0, 340.0, 680.0, 699.0}) {
      const std::string what = number_text(r) + ", " + number_text(displacement);
      Cases<Lorentz, V> hyperboloid(1.5);
      const ManifoldOracle of_lorentz(Model::lorentz, Big(hyperboloid.manifold.radius()));
      const auto x = cluster(hyperboloid.point(r), displacement);
      std::vector<BigVector> spaces;
      spaces.reserve(x.size());
      for (const auto& p : x) spaces.push_back(of_lorentz.to_space(validation::big_vector(p)));
      expect_midpoint(weighted_midpoint(hyperboloid.manifold, x, weights), spaces, weights,
                      of_lorentz, "Lorentz at " + what);
      if (r > 30 || (r == 30 && displacement < 0)) continue;
      Cases<PoincareBall, V> balls(1.5);
      const ManifoldOracle of_ball(Model::ball, Big(balls.manifold.radius()));
      const auto y = cluster(balls.point(r), -std::fabs(displacement));
      spaces.clear();
      for (const auto& p : y) spaces.push_back(of_ball.to_space(validation::big_vector(p)));
      expect_midpoint(weighted_midpoint(balls.manifold, y, weights), spaces, weights, of_ball,
                      "ball at " + what);
    }
  }
}

TEST(Midpoints, OfClustersFarOut) {
  expect_midpoints_of_clusters<double>();
  expect_midpoints_of_clusters<f64x2>();
}

}  // namespace
}  // namespace mct::geometry_test
