// Half-space points and their distances in MPFR, and back to the representations.
#pragma once

#include <vector>

#include "mctensor/geometry/storage/halfspace/representations.hpp"
#include "validation/core/big.hpp"

namespace mct::validation {

/// A point of the half-space of radius 1; the height is the last coordinate.
using ExactPoint = std::vector<Big>;

inline Big exact_length(const ExactPoint& x, std::size_t count) {
  Big sum;
  for (std::size_t i = 0; i < count; ++i) sum = sum + x[i] * x[i];
  return sqrt(sum);
}

/// 2 asinh(|p - q| / (2 sqrt(p_n q_n))).
inline Big exact_distance(const ExactPoint& p, const ExactPoint& q) {
  Big sum;
  for (std::size_t i = 0; i < p.size(); ++i) sum = sum + (p[i] - q[i]) * (p[i] - q[i]);
  return Big(2) * asinh(sqrt(sum) / (Big(2) * sqrt(p.back() * q.back())));
}

/// The exponential map of a frame vector: half a turn on the circle, from its definition.
inline ExactPoint exact_step(const ExactPoint& p, const ExactPoint& frame) {
  const Big s = exact_length(frame, frame.size());
  if (mpfr_zero_p(s.get())) return p;
  const Big& up = frame.back();
  const Big& h = p.back();
  ExactPoint r = p;
  for (std::size_t i = 0; i + 1 < p.size(); ++i) r[i] = p[i] + h * frame[i] / (s / tanh(s) - up);
  r.back() = h / (cosh(s) - sinh(s) / s * up);
  return r;
}

/// The exact point that a stored point represents.
template <class T, int M, class Height, class X, class H, int n>
ExactPoint exact_point(const geometry::HalfSpaceRepresentation<T, M, Height>&,
                       const geometry::HalfSpacePoint<X, H, n>& p) {
  ExactPoint r;
  for (const X& x : p.x) r.emplace_back(x);
  const Big height(p.height);
  r.push_back(std::is_same_v<Height, geometry::LogHeight<T>> ? exp(height) : height);
  return r;
}

/// The nearest stored point, coordinate by coordinate.
template <int n, class T, int M, class Height>
auto stored(const geometry::HalfSpaceRepresentation<T, M, Height>&, const ExactPoint& p) {
  typename geometry::HalfSpaceRepresentation<T, M, Height>::template Point<n> r{};
  for (std::size_t i = 0; i + 1 < std::size_t(n); ++i) p[i].split(r.x[i].limb);
  if constexpr (std::is_same_v<Height, geometry::LogHeight<T>>) {
    log(p.back()).split(r.height.limb);
  } else if constexpr (std::is_same_v<Height, geometry::PlainHeight<T>>) {
    r.height = p.back().rounded<T>();
  } else {
    p.back().split(r.height.limb);
  }
  return r;
}

}  // namespace mct::validation
