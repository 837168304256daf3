// Hyperbolic Laplacian features (HyLa): ridge regression on them learns a function of a hierarchy.
// The leaves of a binary tree lie in the Poincaré disk; each has the sum of its ancestors' random
// numbers. Every other one is learned, the rest is asked for; random Fourier features beside it.
#include <cmath>
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

using mct::Tensor;
constexpr int depth = 8;
constexpr std::int64_t leaves = 1 << depth;

/// The mean squared error at the odd leaves of a linear function learned at the even ones.
double test_error(const Tensor<double>& features, const Tensor<double>& values) {
  const mct::Variable<double> known(features.slice(0, 0, leaves, 2));
  const mct::Variable<double> weights(mct::zeros<double>({features.size(1)}), true);
  mct::optim::Adam<double> adam({weights}, {.lr = 0.05, .weight_decay = 1e-5});
  for (int step = 0; step < 1000; ++step) {
    mct::nn::mse_loss(matmul(known, weights), values.slice(0, 0, leaves, 2)).backward();
    adam.step();
    adam.zero_grad();
  }
  const auto guess = matmul(features.slice(0, 1, leaves, 2), weights.value());
  return mct::mean(mct::square(guess - values.slice(0, 1, leaves, 2))).item();
}

}  // namespace

int main() {
  const auto numbers = mct::randn<double>({2 * leaves}, 1);  // of node k, whose parent is k / 2
  Tensor<double> points({leaves, 2});
  Tensor<double> values({leaves});
  for (std::int64_t i = 0; i < leaves; ++i) {
    const double angle = 2 * M_PI * (double(i) + 0.5) / leaves;
    const double size = std::tanh(0.2 * depth);  // 0.4 depth from the origin
    points.set({i, 0}, size * std::cos(angle));
    points.set({i, 1}, size * std::sin(angle));
    for (std::int64_t node = leaves + i; node > 1; node /= 2)
      values.data()[i] += node >= leaves ? 0 : numbers.data()[node];
  }
  const mct::geometry::PoincareBall<double> ball(1);
  const auto waves = mct::attention::random_waves<double>(400, 2, 1.0, 2);
  const auto plane = mct::attention::fourier_waves<double>(400, 2, 1.0, 2);
  const double variance = mct::mean(mct::square(values - mct::mean(values))).item();
  const double hyla = test_error(mct::attention::hyla_features(ball, points, waves), values);
  const double fourier = test_error(mct::attention::fourier_features(points, plane), values);
  std::printf(
      "error at leaves that were not learned, over their variance: HyLa %.3f, Fourier %.3f\n",
      hyla / variance, fourier / variance);
  return hyla < 0.25 * variance && hyla < fourier ? 0 : 1;
}
