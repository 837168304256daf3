// Maps from Euclidean vectors to points, which scores then compare. Vectors (.., n, d) become
// coordinates (.., n, d - 1) or (.., n, d), and further numbers (.., n, 1) of each point. A
// parameter broadcasts to these shapes, so each head may have its own.
//
// Error: no bound is stated as a number; each coordinate has the error of exp, sinh or tanh (1.5
// u^N) and of a product. Domain: every finite vector for which e^h does not overflow the component
// type. Source: each function names its own; docs/geometry.md describes the models.
#pragma once

#include <algorithm>
#include <limits>

#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::attention {

/// Points of the half-space: horizontal coordinates and height.
template <class T, int N = 1, int M = 1>
struct HalfSpaceVariable {
  Variable<T, N, M> horizontal, height;
};

/// Points of the half-space below a light, a horosphere at the height `light`; reach is
/// sqrt(light^2 - height^2), computed without cancellation.
template <class T, int N = 1, int M = 1>
struct BelowLightVariable {
  Variable<T, N, M> horizontal, height, reach;
};

/// Points of the ball outside a light around its centre. The direction has the length 1/2; cosine
/// and sine belong to delta / 2 (Entailment in scores/cones.hpp).
template <class T, int N = 1, int M = 1>
struct BelowBallVariable {
  Variable<T, N, M> direction, cosine, sine;
};

/// Points whose hyperbolic distance is 2 asinh(|x - y| sqrt(weight_x weight_y)) (scores.hpp).
template <class T, int N = 1, int M = 1>
struct DistanceVariable {
  Variable<T, N, M> vector, weight;
};

/// psi maps a vector (x, h) to the point (x e^h, e^h). Source: Tseng et al. 2023, eq. 10.
template <class T, int N, int M>
HalfSpaceVariable<T, N, M> psi(const Variable<T, N, M>& x) {
  const std::int64_t last = x.size(-1) - 1;
  const auto height = exp(x.narrow(-1, last, 1));
  return {x.narrow(-1, 0, last) * height, height};
}

/// xi maps a vector (x, h) to the point (x s, s) with s = light / (1 + e^-h). Source: Tseng et al.
/// 2023, eq. 11, in which the index of e^-h is missing.
template <class T, int N, int M>
BelowLightVariable<T, N, M> xi(const Variable<T, N, M>& x, const Variable<T, N, M>& light) {
  const std::int64_t last = x.size(-1) - 1;
  const auto h = x.narrow(-1, last, 1);
  const auto part = sigmoid(h);
  // light^2 - s^2 = light^2 (1 - part) (1 + part), and 1 - part = e^-softplus(h)
  const auto reach = exp(softplus(h) * T(-0.5)) * sqrt(part + T(1)) * light;
  const auto height = part * light;
  return {x.narrow(-1, 0, last) * height, height, reach};
}

/// Points of the half-space, such as psi's results, in the form for distances.
template <class T, int N, int M>
DistanceVariable<T, N, M> of_half_space(const HalfSpaceVariable<T, N, M>& x) {
  return {cat<T, N, M>({x.horizontal, x.height}, -1), T(0.5) / x.height};
}

/// Points of the unit ball, |x| < 1, in the form for distances.
template <class T, int N, int M>
DistanceVariable<T, N, M> of_ball(const Variable<T, N, M>& x) {
  return {x, T(1) / (T(1) - sum(square(x), {-1}, true))};
}

/// Points x (.., n, d + 1) of the hyperboloid, in the form for distances. The first coordinate is
/// sqrt(1 + |rest|^2).
template <class T, int N, int M>
DistanceVariable<T, N, M> of_lorentz(const Variable<T, N, M>& x) {
  const auto above = x.narrow(-1, 0, 1) + T(1);
  return {x.narrow(-1, 1, x.size(-1) - 1) / above, above * T(0.5)};
}

namespace detail {

/// |v| (.., 1), but smooth at 0: the root of |v|^2 + 1e-12, in half of |v|^2 plus the smallest
/// normal number.
template <class T, int N, int M>
Variable<T, N, M> smooth_length(const Variable<T, N, M>& v) {
  const T least(std::max(1e-12, double(std::numeric_limits<T>::min())));
  return sqrt(sum(square(v), {-1}, true) + least);
}

}  // namespace detail

/// The exponential map at the half-space's origin (0, 1). For a vector (x, h) of length n the
/// height is 1 / (cosh n - h sinh(n) / n). It is computed without cancellation as 1 / (e^-n + (1 -
/// h / n) sinh n). The horizontal coordinates are x sinh(n) / n times the height. Lengths may be up
/// to 44 in float and 354 in double. Source: Tseng et al. 2023, section 5.1; the formula follows
/// from the semicircle through both points.
template <class T, int N, int M>
HalfSpaceVariable<T, N, M> exp_half_space(const Variable<T, N, M>& v) {
  const std::int64_t last = v.size(-1) - 1;
  const auto x = v.narrow(-1, 0, last);
  const auto h = v.narrow(-1, last, 1);
  const T least(std::max(1e-30, double(std::numeric_limits<T>::min())));
  const auto across = sum(square(x), {-1}, true);
  const auto length = sqrt(across + square(h) + least);  // this has a slope at 0
  const auto sine = sinh(length) / length;
  const auto up = length + abs(h);
  // n - h is (n^2 - h^2) / (n + h) for an upward vector
  const auto rest = where(h.value() > T(0), across / up, up);
  const auto height = T(1) / (exp(-length) + rest * sine);
  return {x * sine * height, height};
}

/// Points of the half-space moved below a light: heights are at most the light's. Source: Tseng et
/// al. 2023, section 5.1.
template <class T, int N, int M>
BelowLightVariable<T, N, M> below_light(const HalfSpaceVariable<T, N, M>& x,
                                        const Variable<T, N, M>& light) {
  const auto height = minimum(x.height, light);
  const auto gap = light - height;
  // a tiny number is added, so that the root has a slope at 0
  const auto least = T(double(std::numeric_limits<T>::min()));
  return {x.horizontal, height, sqrt(gap * (light + height) + least)};
}

/// Points below a light of hyperbolic radius `light` around the ball's centre. A vector (x, h)
/// gives a point in the direction of x. Its angle delta is 1 / (1 + e^-h) times the angle of the
/// boundary, 2 atan(e^-light). Source: as xi, for the ball.
template <class T, int N, int M>
BelowBallVariable<T, N, M> below_ball(const Variable<T, N, M>& x, const Variable<T, N, M>& light) {
  const std::int64_t last = x.size(-1) - 1;
  const auto direction = x.narrow(-1, 0, last);
  const auto half = sigmoid(x.narrow(-1, last, 1)) * atan(exp(-light));
  return {direction * (T(0.5) / detail::smooth_length(direction)), cos(half), sin(half)};
}
/// The same form for points x of the ball that lie outside the light: 2 |x| / (1 + |x|^2) >=
/// tanh(light). Throws DomainError for a point in the light.
template <class T, int N, int M>
BelowBallVariable<T, N, M> of_ball_below(const Variable<T, N, M>& x,
                                         const Variable<T, N, M>& light) {
  // a tiny number is added, so that roots have slopes at the centre and at the light
  const T least = T(double(std::numeric_limits<T>::min()));
  const auto length = sqrt(sum(square(x), {-1}, true) + least);
  const auto ratio = tanh(light) * (square(length) + T(1)) / (length * T(2));  // cos delta
  if (any(ratio.value() > T(1)))
    throw DomainError(
        "attention: a point of the ball lies in the light; cones exist only for points below the "
        "light");
  const auto root = [&](const auto& y) { return sqrt(y * T(0.5) + least); };
  return {x * (T(0.5) / detail::smooth_length(x)), root(ratio + T(1)), root(T(1) - ratio)};
}

/// The exponential map at the ball's origin, tanh(|v|) v / |v|. The distance of the result from the
/// origin is 2 |v|. The square of cosh |v| must not overflow T: |v| <= 6 in half, and |v| <= 44 in
/// float and bfloat16.
template <class T, int N, int M>
DistanceVariable<T, N, M> exp_origin(const Variable<T, N, M>& v) {
  const auto length = detail::smooth_length(v);
  return {v * (tanh(length) / length), square(cosh(length))};
}

/// Pseudopolar coordinates (x, r), a direction x and a radius r, become the hyperboloid's point
/// (cosh r, sinh r x / |x|). Source: Gulcehre et al. 2019, section 4.
template <class T, int N, int M>
DistanceVariable<T, N, M> pseudopolar(const Variable<T, N, M>& x) {
  const std::int64_t last = x.size(-1) - 1;
  const auto direction = x.narrow(-1, 0, last);
  const auto half = x.narrow(-1, last, 1) * T(0.5);
  const auto length = detail::smooth_length(direction);
  return {direction * (tanh(half) / length), square(cosh(half))};
}

}  // namespace mct::attention
