// Points of the tilings in as many digits as it takes: what their errors are measured against.
#pragma once

#include <array>
#include <boost/multiprecision/mpfr.hpp>
#include <cstddef>
#include <vector>

#include "mctensor/expansion/expansion.hpp"
#include "mctensor/geometry/tiling/htiling_point.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"
#include "validation/core/big.hpp"

namespace mct::validation {

/// A number of MPFR with the precision of TruthPrecision.
using Truth = boost::multiprecision::mpfr_float;

/// While it lives, numbers that are made have so many bits: on every thread, so that on several
/// threads another number type F is to be taken (FarTruth).
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

/// Enough for two points, one at a distance of D <= 600 from the origin, the other s <= 2 D away.
///
/// The other one lies up to D + s from the origin: even a way to the origin and through it ends
/// there, less 2 log(1/u), as its direction is rounded. true_distance rounds coordinates of
/// e^(D + s), and squares of their differences sum up to e^s, or to s^2 where s is small. So
/// (2 D + s) / ln 2 bits cancel, 3463 at most, or 1731 + 2 log2(1/s). The other 633 are more than
/// twice the digits of four doubles. Of the H-tiling, k + z is exact: 2597 bits and those of z.
using FarTruth = MpfrNumber<4096>;

template <class F = Truth>
F truth_of(double x) {
  return F(x);
}
template <class F = Truth>
F truth_of(float x) {
  return F(double(x));
}
template <class F = Truth, class T, int N>
F truth_of(const Expansion<T, N>& x) {
  F sum(double(x.limb[N - 1]));
  for (int i = N - 2; i >= 0; --i) sum = sum + F(double(x.limb[i]));
  return sum;
}
template <class F = Truth>
F truth_of(const geometry::Integer& x) {
  F sum(0.0);
  const auto digits = x.digits();
  for (std::size_t i = digits.size(); i-- > 0;) sum = sum * F(0x1p32) + F(double(digits[i]));
  return x.sign() < 0 ? F(-sum) : sum;
}

using Truth3 = std::array<Truth, 3>;

/// L Z L^-1 of a vector, Z the tile.
template <class F>
std::array<F, 3> moved(const geometry::LTile& tile, const std::array<F, 3>& h) {
  const F root3 = sqrt(F(3.0));
  const std::array<F, 3> inner = {F(h[0] / root3), h[1], h[2]};
  std::array<F, 3> r;
  for (int i = 0; i < 3; ++i) {
    F sum(0.0);
    for (int j = 0; j < 3; ++j) sum = sum + truth_of<F>(tile.entry(i, j)) * inner[std::size_t(j)];
    r[std::size_t(i)] = sum;
  }
  r[0] = r[0] * root3;
  return r;
}

/// The point L Z L^-1 h(u) of the hyperboloid.
template <class F = Truth, class V>
std::array<F, 3> truth_of(const geometry::LTilingPoint<V>& x) {
  const F u = truth_of<F>(x.u[0]);
  const F v = truth_of<F>(x.u[1]);
  return moved(x.tile, std::array<F, 3>{sqrt(F(F(1.0) + u * u + v * v)), u, v});
}

/// acosh(1 + <x - y, x - y>_L / 2): needs twice the bits of the coordinates.
template <class F>
F true_distance(const std::array<F, 3>& x, const std::array<F, 3>& y) {
  const F a = x[0] - y[0];
  const F b = x[1] - y[1];
  const F c = x[2] - y[2];
  const F square = b * b + c * c - a * a;
  if (square <= F(0.0)) return F(0.0);
  return F(2.0) * asinh(F(sqrt(square) / F(2.0)));
}

/// The point 2^j (z + k) of the half-space.
template <class F = Truth, class V, std::size_t n>
std::vector<F> truth_of(const geometry::HTilingPoint<V, n>& x) {
  std::vector<F> r;
  for (std::size_t i = 0; i < n; ++i) {
    F sum = truth_of<F>(x.z[i]);
    if (i + 1 < n) sum = sum + truth_of<F>(x.k[i]);
    r.push_back(ldexp(sum, int(x.j)));
  }
  return r;
}

/// acosh(1 + |x - y|^2 / (2 x_n y_n)) in the half-space.
template <class F>
F true_distance(const std::vector<F>& x, const std::vector<F>& y) {
  F square(0.0);
  for (std::size_t i = 0; i < x.size(); ++i) square = square + (x[i] - y[i]) * (x[i] - y[i]);
  return F(2.0) * asinh(F(sqrt(F(square / (x.back() * y.back()))) / F(2.0)));
}

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

/// The end of the geodesic from x with velocity v.
inline Truth3 followed(const Truth3& x, const Truth3& v) {
  const Truth s = lorentz_length(v);
  if (s == 0) return x;
  return combined(cosh(s), x, sinh(s) / s, v);
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

}  // namespace mct::validation
