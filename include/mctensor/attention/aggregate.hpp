// Means of points in hyperbolic space, with the weights of any attention.
//
// Each function makes columns from the points, lets attention compute the weighted mean of the
// columns, and projects the mean to the model. The argument `attend` is the attention: a function
// that maps values (.., S, e) to weighted means (.., L, e). So every score can be used:
//     einstein_midpoint(v, [&](const auto& w) { return dot_product_attention(q, k, w); })
// A query without keys gets NaN, because it has no mean.
//
// Error: no bound is stated as a number. The error consists of the error of the weighted mean and
// the errors of the few operations of the projection, with N components. At the distance d from the
// origin the error grows by a factor of up to cosh^2 d, because small differences of large columns
// are computed there. Domain: points of the model with u^N cosh^2 d well below 1 (d to 7 in float,
// 17 in double). Farther out the result is finite, but may lie nearer to the origin than the mean.
// geometry::weighted_midpoint is accurate there.
#pragma once

#include <cmath>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/gyro/gyrovectors.hpp"

namespace mct::attention {

namespace aggregate_detail {

/// u^N.
template <class T, int N>
T unit() {
  return T(std::ldexp(1.0, -FloatTraits<T>::p * N));
}

/// 1 - |v|^2 for points inside the unit ball. Rounding never makes it 0.
template <class T, int N, int M>
Variable<T, N, M> gap(const Variable<T, N, M>& v) {
  return maximum(T(1) - sum(square(v), {-1}, true), unit<T, N>());
}
/// A lower limit for the computed time^2 - |space|^2. The exact value is at least 1; the limit is
/// the rounding error 2 u^N time^2, but at most 1.
template <class T, int N, int M>
Tensor<T> least_mass(const Variable<T, N, M>& time) {
  const auto first = time.value().fc();
  return minimum(first * T(2 * unit<T, N>()) * first, T(1));
}

/// The weighted sum of w v, divided by the weighted sum of w. The weights are those of attend, and
/// each value v has its own factor w (.., S, 1).
template <class T, int N, int M, class Attend>
Variable<T, N, M> weighted_mean(const Variable<T, N, M>& v, const Variable<T, N, M>& w,
                                const Attend& attend) {
  const auto sums = attend(cat<T, N, M>({v, w}, -1));
  const std::int64_t e = sums.size(-1) - 1;
  return sums.narrow(-1, 0, e) / sums.narrow(-1, e, 1);
}

}  // namespace aggregate_detail

/// The Einstein midpoint of points v of the Klein model, |v| < 1: the sum of p gamma v, divided by
/// the sum of p gamma. Here p are the weights of attention, and gamma = 1 / sqrt(1 - |v|^2).
/// Source: Gulcehre et al. 2019, eq. 3.
template <class T, int N, int M, class Attend>
Variable<T, N, M> einstein_midpoint(const Variable<T, N, M>& v, const Attend& attend) {
  const auto gamma = rsqrt(aggregate_detail::gap(v));
  return aggregate_detail::weighted_mean(v * gamma, gamma, attend);
}

/// The gyromidpoint of points v of the unit ball: x / (1 + sqrt(1 - |x|^2)), the point at half the
/// distance of x from the origin. x is the sum of p lambda v divided by the sum of p (lambda - 1).
/// Here p are the weights of attention, and lambda = 2 / (1 - |v|^2). Source: Ungar 2010; Shimizu
/// et al. 2021, theorem 2.
template <class T, int N, int M, class Attend>
Variable<T, N, M> gyromidpoint(const Variable<T, N, M>& v, const Attend& attend) {
  using namespace aggregate_detail;
  const auto lambda = T(2) / gap(v);
  const auto sums = attend(cat<T, N, M>({v * lambda, lambda - T(1)}, -1));
  const std::int64_t e = sums.size(-1) - 1;
  const auto time = sums.narrow(-1, e, 1);
  const auto mean = sums.narrow(-1, 0, e) / time;
  const auto least = least_mass(time) / time.value().fc() / time.value().fc();
  return mean / (sqrt(maximum(T(1) - sum(square(mean), {-1}, true), least)) + T(1));
}

/// The centroid of points v of the unit hyperboloid, whose first coordinate is sqrt(1 + |rest|^2):
/// the sum of p v with the weights p of attention, scaled to the hyperboloid. Source: Law et al.
/// 2019, theorem 3.3.
template <class T, int N, int M, class Attend>
Variable<T, N, M> lorentz_centroid(const Variable<T, N, M>& v, const Attend& attend) {
  const auto mean = attend(v);
  const auto first = mean.narrow(-1, 0, 1);
  const auto rest = mean.narrow(-1, 1, mean.size(-1) - 1);
  const auto mass = square(first) - sum(square(rest), {-1}, true);
  return mean * rsqrt(maximum(mass, aggregate_detail::least_mass(first)));
}

/// w_1 (x) v_1 (+) w_2 (x) v_2 (+) .., added from the first to the last, for points v (.., S, n) of
/// a PoincareBall with weights w (.., L, S). The result has the shape (.., L, n). The order
/// matters, because Möbius addition is neither commutative nor associative; the midpoints of the
/// other functions do not depend on the order. If all points are equal to p, the result is (sum of
/// w) (x) p. This function needs all weights in memory, and S additions one after the other. Use it
/// for comparisons only. Throws ShapeError unless shapes fit and S >= 1. Source: Ganea et al. 2018,
/// section 2.
template <class M, class T>
Variable<T> mobius_weighted_sum(const M& ball, const Variable<T>& v, const Variable<T>& w) {
  if (v.dim() < 2 || w.dim() < 2 || v.size(-2) != w.size(-1) || v.size(-2) == 0)
    throw ShapeError("mobius_weighted_sum: points of shape " + to_string(v.shape()) +
                     " and weights of shape " + to_string(w.shape()) +
                     ", expected (.., S, n) and (.., L, S) with S >= 1");
  Variable<T> total;
  for (std::int64_t j = 0; j < v.size(-2); ++j) {
    const auto term = ball.mobius_scalar_mul(w.select(-1, j), v.narrow(-2, j, 1));
    total = j == 0 ? term : ball.mobius_add(total, term);
  }
  return total;
}

}  // namespace mct::attention
