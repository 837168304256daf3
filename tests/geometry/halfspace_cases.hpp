// Random points and vectors of the half-space for the tests.
#pragma once

#include <cmath>
#include <random>

#include "validation/geometry/halfspace_truth.hpp"

namespace mct::validation {

/// Directions and lengths from one seed.
class HalfSpaceCases {
 public:
  explicit HalfSpaceCases(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  /// A vector of this length; `flat` times its last component before it is normalized.
  ExactPoint vector(std::size_t n, double length, double flat = 1) {
    ExactPoint v;
    for (std::size_t i = 0; i < n; ++i) v.emplace_back(normal_(engine_));
    v.back() = v.back() * Big(flat);
    const Big scale = Big(length) / exact_length(v, n);
    for (Big& c : v) c = c * scale;
    return v;
  }
  /// A point at this distance from the origin.
  ExactPoint point(std::size_t n, double distance) {
    ExactPoint origin(n);
    origin.back() = Big(1.0);
    return distance == 0 ? origin : exact_step(origin, vector(n, distance));
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

/// |x - exact| / |exact|, 0 if both are 0.
inline double relative_error(const Big& x, const Big& exact) {
  if (mpfr_zero_p(exact.get())) return mpfr_zero_p(x.get()) ? 0 : INFINITY;
  return std::fabs(double((x - exact) / exact));
}

}  // namespace mct::validation
