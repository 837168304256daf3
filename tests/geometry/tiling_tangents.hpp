// Transport and logarithms of the tilings in as many digits as it takes.
#pragma once

#include <vector>

#include "validation/geometry/tiling_truth.hpp"

namespace mct::validation {

inline Truth3 difference(const Truth3& x, const Truth3& y) { return combined(1, x, -1, y); }

/// A tangent at x, transported parallel to y.
inline Truth3 transported(const Truth3& x, const Truth3& y, const Truth3& v) {
  const Truth factor = lorentz_product(y, v) / (1 - lorentz_product(x, y));
  return combined(1, v, factor, combined(1, x, 1, y));
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
