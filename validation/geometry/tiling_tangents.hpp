// Tangent vectors of the tilings in as many digits as it takes, and what they do along geodesics.
#pragma once

#include <vector>

#include "validation/geometry/tiling_truth.hpp"

namespace mct::validation {

/// The tangent of the hyperboloid that v by the u of x stands for.
template <class V>
Truth3 lifted(const geometry::LTilingPoint<V>& x, const std::array<V, 2>& v) {
  const Truth u0 = truth_of(x.u[0]);
  const Truth u1 = truth_of(x.u[1]);
  const Truth v0 = truth_of(v[0]);
  const Truth v1 = truth_of(v[1]);
  return moved(x.tile, Truth3{(u0 * v0 + u1 * v1) / sqrt(1 + u0 * u0 + u1 * u1), v0, v1});
}

inline Truth lorentz_product(const Truth3& x, const Truth3& y) {
  return x[1] * y[1] + x[2] * y[2] - x[0] * y[0];
}
/// Of a tangent; 0 where rounding of the sum leaves a negative square, NaN if it is NaN.
inline Truth lorentz_length(const Truth3& v) {
  const Truth square = lorentz_product(v, v);
  return square <= 0 ? Truth(0) : Truth(sqrt(square));
}
inline Truth3 combined(const Truth& a, const Truth3& x, const Truth& b, const Truth3& y) {
  return {a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]};
}
inline Truth3 difference(const Truth3& x, const Truth3& y) { return combined(1, x, -1, y); }

/// A tangent at x, transported parallel to y.
inline Truth3 transported(const Truth3& x, const Truth3& y, const Truth3& v) {
  const Truth factor = lorentz_product(y, v) / (1 - lorentz_product(x, y));
  return combined(1, v, factor, combined(1, x, 1, y));
}
/// The end of the geodesic from x with velocity v.
inline Truth3 followed(const Truth3& x, const Truth3& v) {
  const Truth s = lorentz_length(v);
  if (s == 0) return x;
  return combined(cosh(s), x, sinh(s) / s, v);
}
/// The tangent at x that leads to y.
inline Truth3 way(const Truth3& x, const Truth3& y) {
  const Truth d = true_distance(x, y);
  if (d == 0) return {0, 0, 0};
  return combined(d / sinh(d), y, -d / tanh(d), x);
}

/// A vector in the orthonormal frame of the half-space at x, transported parallel to y: the
/// rotation by twice the angle with tangent |horizontal difference| / (sum of heights), from up
/// sideways.
inline std::vector<Truth> transported(const std::vector<Truth>& x, const std::vector<Truth>& y,
                                      const std::vector<Truth>& v) {
  const std::size_t up = x.size() - 1;
  Truth across = 0;
  for (std::size_t i = 0; i < up; ++i) across += (y[i] - x[i]) * (y[i] - x[i]);
  across = sqrt(across);
  if (across == 0) return v;
  const Truth angle = 2 * atan(Truth(across / (x[up] + y[up])));
  Truth sideways = 0;
  for (std::size_t i = 0; i < up; ++i) sideways += v[i] * (y[i] - x[i]) / across;
  const Truth turned = cos(angle) * sideways + sin(angle) * v[up];
  std::vector<Truth> r = v;
  for (std::size_t i = 0; i < up; ++i) r[i] += (turned - sideways) * (y[i] - x[i]) / across;
  r[up] = cos(angle) * v[up] - sin(angle) * sideways;
  return r;
}

/// The end of the geodesic from x with this velocity in the frame at x: from the definition.
inline std::vector<Truth> followed(const std::vector<Truth>& x, const std::vector<Truth>& v) {
  const std::size_t up = x.size() - 1;
  Truth square = 0;
  for (const Truth& c : v) square += c * c;
  if (square == 0) return x;
  const Truth s = sqrt(square);
  std::vector<Truth> r = x;
  for (std::size_t i = 0; i < up; ++i) r[i] += x[up] * v[i] / (s / tanh(s) - v[up]);
  r[up] = x[up] / (cosh(s) - sinh(s) / s * v[up]);
  return r;
}
/// The vector in the frame at x that leads to y: with cosh d = 1 + |x - y|^2 / (2 x_n y_n), minus
/// d / sinh d times x_n times the derivative of cosh d by x.
inline std::vector<Truth> way(const std::vector<Truth>& x, const std::vector<Truth>& y) {
  const std::size_t up = x.size() - 1;
  const Truth d = true_distance(x, y);
  std::vector<Truth> r(x.size(), 0);
  if (d == 0) return r;
  const Truth scale = -d / sinh(d);
  for (std::size_t i = 0; i < up; ++i) r[i] = scale * (x[i] - y[i]) / y[up];
  r[up] = scale * ((x[up] - y[up]) / y[up] - (cosh(d) - 1));
  return r;
}
inline std::vector<Truth> combined(const Truth& a, const std::vector<Truth>& x, const Truth& b,
                                   const std::vector<Truth>& y) {
  std::vector<Truth> r;
  for (std::size_t i = 0; i < x.size(); ++i) r.push_back(a * x[i] + b * y[i]);
  return r;
}
/// The length of a tangent of radius 1.
inline Truth tangent_length(const Truth3& v) { return lorentz_length(v); }
inline Truth tangent_length(const std::vector<Truth>& v) {
  Truth square = 0;
  for (const Truth& c : v) square += c * c;
  return sqrt(square);
}

}  // namespace mct::validation
