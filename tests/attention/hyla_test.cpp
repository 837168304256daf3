// HyLa: the kernel against its hypergeometric series, features against the kernel, gradients.
#include "mctensor/attention/hyla.hpp"

#include <boost/multiprecision/mpfr.hpp>

#include "mctensor/attention/hyla_kernel.hpp"
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

using attention::hyla_features;
using attention::hyla_gaussian_kernel;
using attention::hyla_kernel;
using attention::random_waves;
using Big = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<60>,
                                          boost::multiprecision::et_off>;

/// 2F1(a, conj a; n/2; -sinh(d/2)^2) / 2, a = (n - 1)/2 + i lambda, by the series of (1 - z)^-a
/// 2F1(a, 1/2 + i lambda; n/2; tanh(d/2)^2).
double series(int n, double d, double lambda) {
  const Big c = cosh(Big(d) / 2);
  const Big w = 1 - 1 / (c * c);
  const Big l(lambda);
  Big re = 1;
  Big im = 0;
  Big sum_re = 1;
  Big sum_im = 0;
  for (int k = 0; k < 6000; ++k) {
    const Big a = Big(n - 1) / 2 + k;
    const Big b = Big(1) / 2 + k;
    const Big fr = a * b - l * l;
    const Big fi = (a + b) * l;
    const Big scale = w / ((Big(n) / 2 + k) * (k + 1));
    const Big next = (re * fr - im * fi) * scale;
    im = (re * fi + im * fr) * scale;
    re = next;
    sum_re += re;
    sum_im += im;
    if (k > 50 && abs(re) + abs(im) < Big("1e-30")) break;
  }
  const Big turn = -2 * l * log(c);
  return double((sum_re * cos(turn) - sum_im * sin(turn)) * pow(c, 1 - n) / 2);
}

TEST(HylaKernel, IsTheHypergeometricFunction) {
  for (const int n : {2, 3, 4, 7, 16})
    for (const double lambda : {0.0, 0.3, 2.0, 10.0})
      for (const double d : {1e-6, 0.1, 1.0, 4.0})
        EXPECT_NEAR(hyla_kernel(n, d, lambda), series(n, d, lambda), 1e-13 * hyla_kernel(n, d, 0.0))
            << n << " " << lambda << " " << d;
}

TEST(HylaKernel, FarAndSpecialValues) {
  for (const double d : {0.5, 5.0, 20.0}) {
    const double flat = 1 / (2 * std::sinh(d));
    EXPECT_NEAR(hyla_kernel(3, d, 5.0), std::sin(5 * d) / 5 * flat, 1e-13 * d * flat);
    EXPECT_NEAR(hyla_gaussian_kernel(3, d, 0.7),
                std::sqrt(M_PI / 2) / 0.7 * std::erf(0.7 * d / std::sqrt(2)) * flat,
                1e-13 * d * flat);
    double a = 1;  // n = 2, lambda = 0: an elliptic integral, by its mean
    double g = 1 / std::cosh(d / 2);
    const double height = g;
    for (int i = 0; i < 8; ++i) {
      const double mean = (a + g) / 2;
      g = std::sqrt(a * g);
      a = mean;
    }
    EXPECT_NEAR(hyla_kernel(2, d, 0.0), height / (2 * a), 1e-13 * height / a);
  }
  EXPECT_EQ(hyla_kernel(5, 0, 3.0), 0.5);
  for (const int n : {2, 3, 4, 5})
    for (const double d : {1e-9, 1e-100, 1e-200, 1e-310, 0x1p-1074})
      EXPECT_NEAR(hyla_kernel(n, d, 3.0), 0.5, 1e-13) << n << " " << d;
  EXPECT_NEAR(hyla_kernel(3, 1e-300, 1e300), std::sin(1) / 2, 1e-13);
  EXPECT_THROW(hyla_kernel(1, 1, 1.0), DomainError);
  EXPECT_THROW(hyla_kernel(3, -1, 1.0), DomainError);
  EXPECT_THROW(hyla_kernel(3, 301, 1.0), DomainError);
  EXPECT_THROW(hyla_kernel(3, 1, HUGE_VAL), DomainError);
  EXPECT_THROW(hyla_kernel(3, 1, 1.01e6), DomainError);  // would take long
  EXPECT_NEAR(hyla_kernel(3, 1, 1e6), std::sin(1e6) / 1e6 / (2 * std::sinh(1)), 1e-13);
}

/// The mean over waves of features' products, less the kernel, in standard errors.
template <class M>
double standard_errors(const M& space, const attention::Waves<double>& waves,
                       const Tensor<double>& x, const Tensor<double>& y, double kernel) {
  const double count = double(waves.lambda.size(0));
  const auto products = hyla_features(space, x, waves) * hyla_features(space, y, waves) * count;
  const double average = mean(products).item();
  const double spread = std::sqrt(mean(square(products - average)).item() / count);
  return std::fabs(average - kernel) / spread;
}

Tensor<double> row(const std::vector<double>& x) { return Tensor<double>::from_values(x); }

TEST(Hyla, ProductsApproachTheKernelOfTheDistance) {
  const geometry::PoincareBall<double> ball(1.5);
  const auto x = row({0.3, -0.2, 0.5});
  const auto y = row({-0.4, 0.6, 0.1});
  const auto waves = random_waves<double>(20000, 3, 0.8, 1);
  const double d = dist(ball, x, y).item() / 1.5;
  EXPECT_LT(standard_errors(ball, waves, x, y, hyla_gaussian_kernel(3, d, 0.8)), 4);
  const auto moved = row({0.9, 0.3, -0.7});  // an isometry changes features, not the kernel
  EXPECT_LT(standard_errors(ball, waves, mobius_add(ball, moved, x), mobius_add(ball, moved, y),
                            hyla_gaussian_kernel(3, d, 0.8)),
            4);
  const geometry::HalfSpace<double> half(2);
  const auto up = row({0.5, 1.5});
  const auto down = row({-0.2, 2.5});
  const auto plane = random_waves(full<double>({20000}, 1.7), 2, 5);
  EXPECT_LT(
      standard_errors(half, plane, up, down, hyla_kernel(2, dist(half, up, down).item() / 2, 1.7)),
      4);
  const auto heat = random_waves(attention::heat_frequencies<double>(20000, 0.9, 3), 3, 4);
  EXPECT_LT(standard_errors(ball, heat, x, y, d / std::sinh(d) * std::exp(-d * d / 3.6) / 2), 4);
}

TEST(Hyla, WavesAreEigenfunctions) {
  // of the half-plane's Laplacian y^2 (f_xx + f_yy), with differences in f64x2
  const geometry::HalfSpace<f64x2> half(1);
  const auto waves = random_waves<double, 2>(5, 2, 2.0, 1);
  const auto at = [&](double x, double y) {
    return hyla_features(half, convert<double, 2>(row({x, y})), waves);
  };
  const double h = 0x1p-20;
  const auto centre = at(0.25, 1.5);
  const auto around = at(0.25 + h, 1.5) + at(0.25 - h, 1.5) + at(0.25, 1.5 + h) + at(0.25, 1.5 - h);
  const auto laplacian = (around - centre * 4.0) * (2.25 / (h * h));
  const auto expected = -(square(waves.lambda) + 0.25) * centre;
  EXPECT_LT(double(max(abs(laplacian - expected)).item()), 1e-9);
}

TEST(Hyla, FourierFeaturesApproachTheGaussian) {
  const auto waves = attention::fourier_waves<double>(40000, 3, 0.8, 7);
  const auto x = row({0.3, -0.2, 0.5}).unsqueeze(0);
  const auto y = row({-0.4, 0.6, 1.1}).unsqueeze(0);
  const double got =
      sum(attention::fourier_features(x, waves) * attention::fourier_features(y, waves)).item();
  EXPECT_NEAR(got, std::exp(-0.32 * sum(square(x - y)).item()) / 2, 4 * 0.5 / 200);
}

TEST(Hyla, Gradients) {
  const geometry::PoincareBall<f64x2> ball(f64x2(1.25));
  const auto waves = random_waves<double, 2>(4, 3, 1.5, 2);
  const auto features = [&](const V2& x) { return hyla_features(ball, x, waves); };
  EXPECT_TRUE(gradients_agree(features, input({3, 3}, 1, -0.5, 0.5)));
  const geometry::HalfSpace<f64x2> half(f64x2(1));
  EXPECT_TRUE(gradients_agree([&](const V2& x) { return hyla_features(half, x, waves); },
                              input({2, 3}, 1, 0.5, 1)));
}

/// -2 x / gap - 2 (x - omega) / |x - omega|^2 of one wave, next to the boundary.
template <class T>
void expect_gradient_far_out(const std::vector<T>& coordinates, double tolerance) {
  const std::int64_t n = std::int64_t(coordinates.size());
  Tensor<T> x({1, n}), omega({1, n});
  f64x4 gap(1), away(0);
  for (std::int64_t i = 0; i < n; ++i) {
    x.set({0, i}, coordinates[std::size_t(i)]);
    omega.set({0, i}, T(i == 0 ? 1 : 0));
    const f64x4 c{double(coordinates[std::size_t(i)])};
    const f64x4 d = c - f64x4(i == 0 ? 1 : 0);
    gap = gap - c * c;
    away = away + d * d;
  }
  ASSERT_GT(double(gap), 0);
  const Variable<T> point(x, true);
  sum(attention::horocycle_distance(geometry::PoincareBall<T>(T(1)), point, omega)).backward();
  for (std::int64_t i = 0; i < n; ++i) {
    const double c(coordinates[std::size_t(i)]);
    const f64x4 expected = f64x4(-2) * (f64x4(c) / gap + (f64x4(c) - f64x4(i == 0 ? 1 : 0)) / away);
    EXPECT_NEAR(double(point.grad().at({0, i})) / double(expected), 1, tolerance) << i;
  }
}
TEST(Hyla, GradientsNextToTheBoundary) {
  expect_gradient_far_out<float>({0.0861997828F, -0.99627769F}, 2e-5);
  expect_gradient_far_out<double>({0x1.ffff9a7896c9fp-1, 0x1.426fd1c88a321p-9}, 1e-13);
  // three coordinates whose squares add up to 1 but for some 1e-17
  double last[3] = {0.6, 0.48, 0.64};
  f64x4 gap(-1);
  for (int step = 0; step < 40 && !(gap > f64x4(0)); ++step) {
    last[step % 3] = std::nextafter(last[step % 3], 0.0);
    gap = f64x4(1);
    for (const double c : last) gap = gap - f64x4(c) * f64x4(c);
  }
  expect_gradient_far_out<double>({last[0], last[1], last[2]}, 1e-13);
}

TEST(Hyla, Refuses) {
  EXPECT_THROW(random_waves<double>(0, 3, 1, 1), DomainError);
  EXPECT_THROW(random_waves<double>(3, 3, -1, 1), DomainError);
  EXPECT_THROW(random_waves(zeros<double>({2, 2}), 3, 1), ShapeError);
  EXPECT_THROW(attention::heat_frequencies<double>(3, 0, 1), DomainError);
  const auto waves = random_waves<double>(3, 3, 1, 1);
  EXPECT_THROW(hyla_features(geometry::PoincareBall<double>(1), row({0, 0}), waves), ShapeError);
}

}  // namespace
}  // namespace mct::test
