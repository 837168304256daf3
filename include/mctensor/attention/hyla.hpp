// Hyperbolic Laplacian features (HyLa) of points, and random Fourier features of vectors. Their
// inner products approach a kernel that depends only on the distance.
//
// Let P = <omega, x>_H / K be the horocycle distance of a point x: its distance from the horosphere
// that goes through the origin and touches the boundary in omega. P is positive toward omega. Each
// feature
//
//   hyla_features(x)_j = e^((n - 1) P / 2) cos(lambda_j P + b_j) / sqrt(D)
//
// is an eigenfunction of the Laplace-Beltrami operator. If omega is uniform on the sphere and b in
// [0, 2 pi), the mean of the inner product of two points is hyla_kernel at their distance. Source:
// Yu 2024, section 2.3 and appendix A.2, with two corrections of Algorithm 1 (docs/errata.md): n is
// the dimension of the points, and the factor 1 / sqrt(D) is added.
//
// Error: no bound is stated as a number; features have the errors of P, exp and cos. Domain: finite
// points of the model and frequencies.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/math/numbers.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::attention {

/// D waves of n dimensions: unit vectors omega (D, n), frequencies lambda (D), phases (D).
template <class T, int N = 1>
struct Waves {
  Tensor<T, N> omega, lambda, phase;
};

namespace detail {

inline void require_count(const char* name, std::int64_t count, std::int64_t n) {
  if (count < 1 || n < 1)
    throw DomainError(std::string(name) + ": " + std::to_string(count) + " features of " +
                      std::to_string(n) + " dimensions, expected at least one of each");
}

/// The vectors (.., n) scaled to length 1.
template <class T, int N>
Tensor<T, N> unit_rows(const Tensor<T, N>& x) {
  return x / sqrt(sum(square(x), {-1}, true));
}

/// A seed for stream number `part`. Streams of one seed are independent.
inline std::uint64_t stream(std::uint64_t seed, std::uint64_t part) {
  return seed * 0x9E3779B97F4A7C15u + part;
}

}  // namespace detail

/// Waves of given frequencies (D), of any density. omega is uniform among unit vectors of n
/// coordinates, and phases are uniform in [0, 2 pi). Wave j depends only on frequency j, the seed
/// and j. Throws ShapeError unless the frequencies are a vector, and DomainError unless D and n are
/// positive.
template <class T, int N>
Waves<T, N> random_waves(const Tensor<T, N>& lambda, std::int64_t n, std::uint64_t seed) {
  if (lambda.dim() != 1)
    throw ShapeError("random_waves: frequencies of shape " + to_string(lambda.shape()) +
                     ", expected one dimension");
  const std::int64_t count = lambda.size(0);
  detail::require_count("random_waves", count, n);
  using Number = Expansion<T, N>;
  const auto turn = Number(T(2)) * mct::numbers::pi_v<Number>;
  return {detail::unit_rows(randn<T, N>({count, n}, detail::stream(seed, 0))), lambda,
          rand<T, N>({count}, detail::stream(seed, 1)) * turn};
}

/// Waves with normal frequencies of the given standard deviation. Also throws DomainError unless
/// the deviation is finite and not negative.
template <class T, int N = 1>
Waves<T, N> random_waves(std::int64_t count, std::int64_t n, double deviation, std::uint64_t seed) {
  detail::require_count("random_waves", count, n);
  if (!(deviation >= 0) || !std::isfinite(deviation))
    throw DomainError("random_waves: the standard deviation " + number_text(deviation) +
                      " is not a finite number of at least 0");
  return random_waves(randn<T, N>({count}, detail::stream(seed, 2)) * deviation, n, seed);
}

/// Frequencies (D) for points of three dimensions. Their kernel is the heat kernel at time t > 0,
/// divided by twice its value at distance 0: (d / sinh d) e^(-d^2 / (4 t)) / 2. The frequencies are
/// lengths of normal vectors of three coordinates. So their density is proportional to lambda^2
/// e^(-t lambda^2). Throws DomainError for a count below 1, and for a t that is not positive and
/// finite.
template <class T, int N = 1>
Tensor<T, N> heat_frequencies(std::int64_t count, double t, std::uint64_t seed) {
  detail::require_count("heat_frequencies", count, 3);
  if (!(t > 0) || !std::isfinite(t))
    throw DomainError("heat_frequencies: the time " + number_text(t) +
                      " is not a finite number above 0");
  const auto normal = randn<T, N>({count, 3}, detail::stream(seed, 3));
  return sqrt(sum(square(normal), {-1})) * (1 / std::sqrt(2 * t));
}

/// P (.., D) of every point x (.., n), a tensor or variable, and direction omega (D, n) from the
/// origin. The manifold is a PoincareBall or HalfSpace. Error: as busemann (docs/geometry.md),
/// without cancellation. Throws as busemann does.
template <class M, class X, class T, int N>
auto horocycle_distance(const M& manifold, const X& x, const Tensor<T, N>& omega) {
  using V = typename M::Value;
  using Tensors = Tensor<T, N>;
  return geometry::busemann(manifold, x.unsqueeze(-2), omega) /
         Tensors::scalar(typename Tensors::Value(-V(manifold.radius())));
}
namespace detail {

/// |x - K omega|^2 (.., D) of every point (.., n) and end K omega (D, n), without cancellation:
/// from the differences of coordinates.
template <class T, int N>
Tensor<T, N> squared_distances_to_ends(const Tensor<T, N>& x, const Tensor<T, N>& ends) {
  Tensor<T, N> sum;
  for (std::int64_t c = 0; c < ends.size(-1); ++c) {
    const auto term = square(x.narrow(-1, c, 1) - ends.select(-1, c));
    sum = c == 0 ? term : sum + term;
  }
  return sum;
}

/// sqrt(K^2 - |x|^2) of points (.., n): (.., 1), computed from the distance from the origin.
template <class V, class T, int N>
Tensor<T, N> root_of_gap(const geometry::PoincareBall<V>& ball, const Tensor<T, N>& x) {
  using Tensors = Tensor<T, N>;
  const auto radius = Tensors::scalar(typename Tensors::Value(ball.radius()));
  return radius / cosh(dist0(ball, x).unsqueeze(-1) / (radius * T(2)));
}

template <class T, int N>
void require_directions(const Tensor<T, N>& x, const Tensor<T, N>& omega) {
  if (x.dim() < 1 || omega.dim() != 2 || omega.size(-1) < 1 || x.size(-1) != omega.size(-1))
    throw ShapeError("horocycle_distance: points of shape " + to_string(x.shape()) +
                     " and directions of shape " + to_string(omega.shape()) +
                     ", expected (.., n) and (count, n)");
  const auto lengths = convert<double, 1>(sum(square(omega), {-1}));
  for (std::int64_t i = 0; i < lengths.size(0); ++i)
    if (!(std::fabs(lengths.data()[i] - 1) < 0.02))
      throw DomainError("horocycle_distance: direction " + std::to_string(i) +
                        " has the squared length " + number_text(lengths.data()[i]) +
                        ", expected 1");
}

}  // namespace detail

/// The horocycle distance on the ball, where K omega is the end of a direction: log(gap / |x - K
/// omega|^2). The gap K^2 - |x|^2 is computed from the distance from the origin. Absolute error:
/// some u^N (1 + |P| + n). The derivative has a closed form: -2 x / gap - 2 (x - K omega) / |x - K
/// omega|^2. Throws ShapeError unless x is (.., n) and omega (D, n), and DomainError for an omega
/// whose squared length differs from 1 by 0.02 or more.
template <class V, class T, int N>
Tensor<T, N> horocycle_distance(const geometry::PoincareBall<V>& ball, const Tensor<T, N>& x,
                                const Tensor<T, N>& omega) {
  using Tensors = Tensor<T, N>;
  using Number = typename Tensors::Value;
  detail::require_directions(x, omega);
  const auto radius = Tensors::scalar(Number(ball.radius()));
  const auto ends = omega * radius;
  return log(square(detail::root_of_gap(ball, x)) / detail::squared_distances_to_ends(x, ends));
}
template <class V, class T, int N, int G>
Variable<T, N, G> horocycle_distance(const geometry::PoincareBall<V>& ball,
                                     const Variable<T, N, G>& x, const Tensor<T, N>& omega) {
  using Tensors = Tensor<T, N>;
  auto value = horocycle_distance(ball, x.value(), omega);
  const auto radius = Tensors::scalar(typename Tensors::Value(ball.radius()));
  return autograd_detail::record(
      std::move(value),
      [ball, points = x.value(), omega, radius](const auto& to, const auto& g) {
        using namespace autograd_detail;
        const auto ends = omega * radius;
        const auto gap = square(detail::root_of_gap(ball, points));
        const auto slope = g / grad_value<G>(detail::squared_distances_to_ends(points, ends));
        const auto total = sum(g, {-1}, true);
        const auto along = points / gap;
        std::vector<Tensor<T, G>> columns;
        for (std::int64_t c = 0; c < ends.size(-1); ++c) {
          const auto aside = grad_value<G>(points.narrow(-1, c, 1) - ends.select(-1, c));
          columns.push_back(sum(slope * aside, {-1}, true) +
                            grad_value<G>(along.narrow(-1, c, 1)) * total);
        }
        to.give(0, cat(columns, -1) * T(-2));
      },
      x);
}

/// The features (.., D) of points x (.., n). x is a tensor, or a variable, which gets gradients.
/// Error: e^((n - 1) P / 2) times the error of (n / 2 + |lambda|) P, and some u^N. Throws
/// ShapeError if the waves have another dimension than the points.
template <class M, class X, class T, int N>
auto hyla_features(const M& manifold, const X& x, const Waves<T, N>& waves) {
  using Tensors = Tensor<T, N>;
  using Number = typename Tensors::Value;
  const std::int64_t n = waves.omega.size(-1);
  if (x.dim() < 1 || x.size(-1) != n)
    throw ShapeError("hyla_features: points of shape " + to_string(x.shape()) + " and waves of " +
                     std::to_string(n) + " dimensions; points must have as many coordinates");
  const auto p = horocycle_distance(manifold, x, waves.omega);
  const auto growth = Tensors::scalar(Number(T(double(n - 1) / 2)));
  const auto scale = rsqrt(Tensors::scalar(Number(T(double(waves.lambda.size(0))))));
  return exp(p * growth) * cos(p * waves.lambda + waves.phase) * scale;
}

/// Random Fourier features of vectors x (.., n): cos(lambda_j omega_j . x + b_j) / sqrt(D). Let
/// lambda be distributed as the length of a normal vector of deviation s. Then lambda omega is such
/// a vector, and the mean of inner products is e^(-s^2 |x - y|^2 / 2) / 2. Source: Rahimi, Recht
/// 2007.
template <class X, class T, int N>
auto fourier_features(const X& x, const Waves<T, N>& waves) {
  using Tensors = Tensor<T, N>;
  using Number = typename Tensors::Value;
  const auto scale = rsqrt(Tensors::scalar(Number(T(double(waves.lambda.size(0))))));
  const auto directions = waves.omega * waves.lambda.unsqueeze(-1);
  return cos(matmul(x, directions.t()) + waves.phase) * scale;
}

/// Waves for fourier_features of the Gaussian kernel: lambda omega is a normal vector of n
/// coordinates of the given deviation. Throws as random_waves.
template <class T, int N = 1>
Waves<T, N> fourier_waves(std::int64_t count, std::int64_t n, double deviation,
                          std::uint64_t seed) {
  auto waves = random_waves<T, N>(count, n, deviation, seed);
  const auto lengths = sqrt(sum(square(randn<T, N>({count, n}, detail::stream(seed, 3))), {-1}));
  waves.lambda = lengths * deviation;
  return waves;
}

}  // namespace mct::attention
