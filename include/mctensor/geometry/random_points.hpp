// Random points: wrapped normal points, and points that are uniform within a distance of the
// origin.
//
// A seed and an index give the same point on every machine, whatever was drawn before: random
// numbers come from counters, not from a state. Random numbers are drawn in double; the exponential
// map takes them to the manifold.
//
// Error: numbers have the digits of a double; the map to the manifold has the bound of expmap0.
// Domain: every seed and index. Source: Salmon et al. 2011 (counters).
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/domain.hpp"
#include "mctensor/tensor/philox.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// A number in (0, 1] from 64 random bits, whose logarithm is finite and not positive.
inline double positive_uniform(std::uint32_t high, std::uint32_t low) {
  return (double(high) + (double(low) + 0.5) * 0x1p-32) * 0x1p-32;
}

/// The standard normal numbers with the indices 2 pair and 2 pair + 1 of a seed, in double.
inline void normal_numbers(std::uint64_t seed, std::uint64_t stream, std::uint32_t pair,
                           double (&out)[2]) {
  const auto words =
      philox4x32({pair, 0x6d616e66u, std::uint32_t(stream), std::uint32_t(stream >> 32)},
                 {std::uint32_t(seed), std::uint32_t(seed >> 32)});
  const double a = positive_uniform(words[0], words[1]);
  const double b = double(words[2]) * 0x1p-32 + double(words[3]) * 0x1p-64;
  const double r = std::sqrt(-2 * std::log(a));
  out[0] = r * std::cos(2 * M_PI * b);
  out[1] = r * std::sin(2 * M_PI * b);
}

/// log(size) and its derivative, where size is sinh r, r or sin r for negative, zero or positive
/// curvature. The area of a sphere of radius r is proportional to size^(dimension of the sphere).
inline double log_sphere_size(int sign, double r) {
  if (sign < 0 && r > 700) return r - M_LN2;  // sinh overflows
  return std::log(sign < 0 ? std::sinh(r) : sign > 0 ? std::sin(r) : r);
}
inline double sphere_growth(int sign, double r) {
  return 1 / (sign < 0 ? std::tanh(r) : sign > 0 ? std::tan(r) : r);
}

/// The distance from the origin of a random point that is uniform by volume among the points nearer
/// than `largest`. Both distances are in units of K; on the sphere `largest` counts as pi at most.
/// Each `part` of a product draws different numbers. The density is size^(dimension - 1). Its
/// logarithm is concave, so the density lies below an exponential that touches it where the density
/// is largest. A number is drawn from the exponential and accepted with the probability density /
/// exponential. Where curvature is not positive, at least 3 of 4 numbers are accepted.
inline double uniform_length(int sign, int dimension, double largest, std::uint64_t seed,
                             std::uint64_t index, std::uint32_t part) {
  if (!(largest > 0) || (sign <= 0 && !std::isfinite(largest)))
    throw DomainError("random_uniform: the largest distance is " + number_text(largest) +
                      " radii, expected a finite number above 0");
  // within such a distance every space is flat, and the derivative may overflow
  if (largest < 1e-150) return largest * uniform_length(0, dimension, 1, seed, index, part);
  if (sign > 0) largest = std::fmin(largest, M_PI);
  const int power = dimension - 1;
  const double touching = sign > 0 ? std::fmin(largest, M_PI / 2) : largest;
  const double top = log_sphere_size(sign, touching);
  const double rate = sign > 0 && largest >= M_PI / 2 ? 0 : power * sphere_growth(sign, touching);
  for (std::uint32_t trial = 0;; ++trial) {
    const auto words =
        philox4x32({trial, 0x756e6966u + part, std::uint32_t(index), std::uint32_t(index >> 32)},
                   {std::uint32_t(seed), std::uint32_t(seed >> 32)});
    const double a = positive_uniform(words[0], words[1]);
    const double b = positive_uniform(words[2], words[3]);
    const double r =
        rate > 0 ? largest + std::log(a + (1 - a) * std::exp(-rate * largest)) / rate : a * largest;
    if (!(r > 0)) continue;
    const double below = power * (log_sphere_size(sign, r) - top) - rate * (r - touching);
    if (std::log(b) <= below) return r;
  }
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The random points of a manifold Self, which has formulas() and require(points...).
template <class Self, class V>
class RandomPoints {
  using Work = work_t<V>;

 public:
  /// A "wrapped normal" point: expmap0 of a vector whose orthonormal coordinates are normal numbers
  /// of the given standard deviation. normal_log_prob is its density. Throws DomainError for a
  /// deviation that is negative or not finite, and where coordinates overflow (Lorentz beyond 705 K
  /// in double).
  template <int n>
  Point<V, n> random_normal(std::uint64_t seed, std::uint64_t index = 0,
                            double deviation = 1) const {
    return normal_like(Point<V, n>(), seed, index, deviation);
  }
  Point<V> random_normal(int n, std::uint64_t seed, std::uint64_t index = 0,
                         double deviation = 1) const {
    return normal_like(Point<V>(n), seed, index, deviation);
  }
  /// Uniform by volume among the points nearer to the origin than `distance`. On the sphere, a
  /// distance of pi K or more admits all points. Parts of a product are drawn independently. Throws
  /// DomainError for a distance that is not positive or (except on the sphere) not finite, and
  /// where coordinates overflow.
  template <int n>
  Point<V, n> random_uniform(std::uint64_t seed, std::uint64_t index, double distance) const {
    return uniform_like(Point<V, n>(), seed, index, distance);
  }
  Point<V> random_uniform(int n, std::uint64_t seed, std::uint64_t index, double distance) const {
    return uniform_like(Point<V>(n), seed, index, distance);
  }

 private:
  MCT_HD constexpr const Self& self() const { return static_cast<const Self&>(*this); }

  /// Normal numbers as orthonormal coordinates at the origin.
  template <class Formulas, int n>
  static Point<Work, n> normal_vector(const Formulas& f, const Point<Work, n>& like,
                                      std::uint64_t seed, std::uint64_t index, double deviation) {
    double pair[2] = {};
    Point<Work, n> u = like;
    for (int i = 0; i < u.size(); ++i) {
      if (i % 2 == 0) detail::normal_numbers(seed, index, std::uint32_t(i / 2), pair);
      u[i] = Work(pair[i % 2] * deviation);
    }
    return f.orthonormal_at_origin(f.proju(f.origin_like(u), u));
  }
  /// The end of the vector u at the origin. Throws DomainError where coordinates overflow, or where
  /// the end was moved nearer because they would.
  template <class Formulas, int n>
  static Point<V, n> end_of(const char* name, const Formulas& f, const Point<Work, n>& u) {
    const auto z = f.expmap(f.origin_like(u), u);
    const auto x = detail::rounded_point<V>(f, z);
    bool held = true;
    for (int i = 0; i < x.size(); ++i) held = held && x[i] - x[i] == detail::number<V>(0);
    if constexpr (requires { f.template is_last<V>(z); }) held = held && !f.template is_last<V>(z);
    if (!held)
      throw DomainError(std::string(name) +
                        ": a random point is so far from the origin that its coordinates overflow");
    return x;
  }
  template <int n>
  Point<V, n> normal_like(const Point<V, n>& like, std::uint64_t seed, std::uint64_t index,
                          double deviation) const {
    self().require(like);
    if (!(deviation >= 0) || !std::isfinite(deviation))
      throw DomainError("random_normal: the deviation " + number_text(deviation) +
                        " is not a finite number of at least 0");
    const auto f = self().formulas();
    return end_of("random_normal", f,
                  normal_vector(f, detail::to_work(like), seed, index, deviation));
  }
  template <int n>
  Point<V, n> uniform_like(const Point<V, n>& like, std::uint64_t seed, std::uint64_t index,
                           double distance) const {
    self().require(like);
    const auto f = self().formulas();
    const auto direction = normal_vector(f, detail::to_work(like), seed, index, 1);
    return end_of("random_uniform", f, f.uniform_vector(direction, seed, index, distance));
  }
};

}  // namespace mct::geometry
