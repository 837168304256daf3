// Points of the tilings in as many digits as it takes: what their errors are measured against.
#pragma once

#include <array>
#include <boost/multiprecision/mpfr.hpp>
#include <cstddef>
#include <vector>

#include "mctensor/expansion/expansion.hpp"
#include "mctensor/geometry/tiling/htiling_point.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"

namespace mct::validation {

/// A number of MPFR with the precision of this thread's TruthPrecision.
using Truth = boost::multiprecision::mpfr_float;

/// While it lives, numbers that are made have so many bits.
class TruthPrecision {
 public:
  explicit TruthPrecision(long bits) : old_(Truth::default_precision()) {
    Truth::default_precision(unsigned(double(bits) * 0.30103) + 2);
  }
  ~TruthPrecision() { Truth::default_precision(old_); }
  TruthPrecision(const TruthPrecision&) = delete;
  TruthPrecision& operator=(const TruthPrecision&) = delete;

 private:
  unsigned old_;
};

inline Truth truth_of(double x) { return Truth(x); }
inline Truth truth_of(float x) { return Truth(double(x)); }
template <class T, int N>
Truth truth_of(const Expansion<T, N>& x) {
  Truth sum(double(x.limb[N - 1]));
  for (int i = N - 2; i >= 0; --i) sum += Truth(double(x.limb[i]));
  return sum;
}
inline Truth truth_of(const geometry::Integer& x) { return Truth(x.to_string()); }

using Truth3 = std::array<Truth, 3>;

/// L Z L^-1 of a vector, Z the tile.
inline Truth3 moved(const geometry::LTile& tile, const Truth3& h) {
  const Truth root3 = sqrt(Truth(3));
  const Truth3 inner = {h[0] / root3, h[1], h[2]};
  Truth3 r;
  for (int i = 0; i < 3; ++i) {
    Truth sum = 0;
    for (int j = 0; j < 3; ++j) sum += truth_of(tile.entry(i, j)) * inner[std::size_t(j)];
    r[std::size_t(i)] = sum;
  }
  r[0] *= root3;
  return r;
}

/// The point L Z L^-1 h(u) of the hyperboloid.
template <class V>
Truth3 truth_of(const geometry::LTilingPoint<V>& x) {
  const Truth u = truth_of(x.u[0]);
  const Truth v = truth_of(x.u[1]);
  return moved(x.tile, {sqrt(1 + u * u + v * v), u, v});
}

/// acosh(1 + <x - y, x - y>_L / 2): needs twice the bits of the coordinates.
inline Truth true_distance(const Truth3& x, const Truth3& y) {
  const Truth a = x[0] - y[0];
  const Truth b = x[1] - y[1];
  const Truth c = x[2] - y[2];
  const Truth square = b * b + c * c - a * a;
  if (square <= 0) return 0;
  return 2 * asinh(sqrt(square) / 2);
}

/// The point 2^j (z + k) of the half-space.
template <class V, std::size_t n>
std::vector<Truth> truth_of(const geometry::HTilingPoint<V, n>& x) {
  std::vector<Truth> r;
  for (std::size_t i = 0; i < n; ++i) {
    Truth sum = truth_of(x.z[i]);
    if (i + 1 < n) sum += truth_of(x.k[i]);
    r.push_back(ldexp(sum, int(x.j)));
  }
  return r;
}

/// acosh(1 + |x - y|^2 / (2 x_n y_n)) in the half-space.
inline Truth true_distance(const std::vector<Truth>& x, const std::vector<Truth>& y) {
  Truth square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) square += (x[i] - y[i]) * (x[i] - y[i]);
  return 2 * asinh(sqrt(square / (x.back() * y.back())) / 2);
}

}  // namespace mct::validation
