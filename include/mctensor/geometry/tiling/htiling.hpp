// The H-tiling model of hyperbolic space in any dimension: distances, gradients, geodesics.
#pragma once

#include <algorithm>
#include <cmath>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/operate.hpp"
#include "mctensor/geometry/tiling/htiling_point.hpp"

namespace mct::geometry {

/// A point and a direction at this point. The direction is a vector of Euclidean length 1.
template <class V, std::size_t n>
struct HTilingRay {
  HTilingPoint<V, n> at;
  std::array<V, n> direction{};
};

// This type calculates. So it is in the namespace of an instruction set, as functions are, and
// compiled interfaces do not contain it.
inline namespace MCT_ISA_NAMESPACE {

/// The half-space of dimension n and curvature -1/radius^2, cut into cubes 2^j (S + k), which are
/// all isometric to S = [0, 1)^(n-1) x [1, 2). The cubes do not come from a group, but exist in
/// every dimension. Errors depend on the distances between points, never on their distance from the
/// origin.
///
/// Gradients and tangents at (j, k, z) are with respect to z: n numbers, in which the metric is
/// radius^2 |dz|^2 / z_n^2 for every j (docs/errata.md). V is double, float or an expansion of
/// these; u^N is its unit roundoff. Source: Yu 2024, section 3.2.3 and appendix B.1, with errata.
template <class V, std::size_t n>
class HTiling : public TransportedMoves<HTiling<V, n>> {
 public:
  using Point = HTilingPoint<V, n>;
  using Tangent = std::array<V, n>;
  using Ray = HTilingRay<V, n>;

  /// Throws DomainError unless the radius is positive and finite.
  explicit HTiling(const V& radius = V(1)) : radius_(radius) {
    using namespace tiling_detail;
    if (!(radius > V(0)) || !finite(radius))
      throw DomainError("the radius of an H-tiling is " + number_text(double(lead(radius))) +
                        ", expected a finite number above 0");
  }

  const V& radius() const { return radius_; }
  /// The point (0, ..., 0, 1).
  Point origin() const { return {}; }

  /// The point of the half-space with these coordinates; error u^N in each. Throws DomainError for
  /// a height that is not positive and for coordinates that are not finite.
  Point from_half_space(const std::array<V, n>& x) const {
    Point r;
    r.z = x;
    reduce(r);
    return r;
  }
  /// The coordinates in the half-space. Error 2 u^N. Beyond the range of V they are zero or
  /// infinite.
  std::array<V, n> to_half_space(const Point& x) const {
    using namespace tiling_detail;
    std::array<V, n> r;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      // The sum is scaled to size 1 first. Else its parts could be infinities of opposite signs.
      const std::int64_t bits = x.k[i].bit_length();
      r[i] = times_power(x.k[i].template scaled<V>(bits) + times_power(x.z[i], -bits), x.j + bits);
    }
    r[n - 1] = times_power(x.z[n - 1], x.j);
    return r;
  }

  /// The distance of x and y. d is the distance at radius 1. Error <= (2 d + 4 n + 16) u^N radius;
  /// for expansions (10 d + 4 n + 16) u^N radius.
  V dist(const Point& x, const Point& y) const {
    return radius_ * (x.j <= y.j ? pair(x, y) : pair(y, x)).distance();
  }
  /// The distance to (0, ..., 0, 1).
  V dist0(const Point& x) const { return dist(origin(), x); }

  /// The Euclidean gradient of dist(x, y) by the z of x; zero where x = y. Error <= (2 n + 16) u^N
  /// radius / tanh(d) in each component.
  Tangent dist_gradient(const Point& x, const Point& y) const {
    Tangent g;
    g.fill(V(0));
    const bool lower = x.j <= y.j;
    const Pair p = lower ? pair(x, y) : pair(y, x);
    if (p.x <= V(0)) return g;
    const V root = p.root();
    // the derivative by z of the lower point is D / 2^(j2 - j1), by z of the upper point it is -D,
    // both over z_1n z_2n sinh d
    const V factor = (lower ? V(1) : V(-1)) * radius_ *
                     tiling_detail::times_power(V(1), lower ? -p.scale : p.apart - p.scale) /
                     (x.z[n - 1] * y.z[n - 1] * root);
    for (std::size_t i = 0; i < n; ++i) g[i] = factor * p.difference[i];
    g[n - 1] = g[n - 1] - radius_ * (p.x / root) / x.z[n - 1];
    return g;
  }

  /// The Riemannian gradient that belongs to a Euclidean gradient g: (z_n / radius)^2 g.
  Tangent egrad2rgrad(const Point& x, const Tangent& g) const {
    const V scale = height_of(x) / radius_;
    return times(g, scale * scale);
  }
  V inner(const Point& x, const Tangent& v, const Tangent& w) const {
    const V scale = radius_ / height_of(x);
    return scale * scale * tiling_detail::dot(v, w);
  }
  V norm(const Point& x, const Tangent& v) const {
    return radius_ * polar(v).length / height_of(x);
  }

  /// The end of the geodesic from x with velocity v. Throws DomainError if v is not finite or
  /// longer than 2^22 radius.
  Point expmap(const Point& x, const Tangent& v) const {
    const Polar p = polar(v);
    if (p.length == V(0)) return x;
    return advance({x, p.direction}, radius_ * p.length / x.z[n - 1]).at;
  }

  /// Moves a ray along its geodesic by a distance >= 0, with its direction. The way is cut into
  /// pieces of length 32 at most. reduce is called after each piece, so that no number grows. Each
  /// piece turns the direction by a few u^N. Throws DomainError for a negative distance or NaN, and
  /// beyond 2^22 radius.
  Ray advance(const Ray& ray, const V& distance) const;
  /// The ray, turned by the angle that has this cosine and sine; in two dimensions only.
  static Ray turned(const Ray& ray, const V& cosine, const V& sine) requires(n == 2) {
    const Tangent& w = ray.direction;
    return {ray.at, {cosine * w[0] - sine * w[1], sine * w[0] + cosine * w[1]}};
  }

  /// The tangent at x with expmap(x, v) = y.
  Tangent logmap(const Point& x, const Point& y) const {
    const V d = dist(x, y);
    return times(egrad2rgrad(x, dist_gradient(x, y)), -d);
  }

  /// Transports a tangent from x to y along the geodesic. The result is a tangent with respect to
  /// the z of y. Error <= (2 n + 32) u^N times its length, at any distance.
  ///
  /// The coordinates in the orthonormal frame of the half-space are v / z_n. Neither the shift k
  /// nor the power 2^j of a cube changes them. In this frame the transport is a rotation. Its angle
  /// is twice the arc tangent of (the horizontal distance) / (the sum of the heights). It turns the
  /// upward direction toward the other point.
  Tangent ptransp(const Point& x, const Point& y, const Tangent& v) const;

  /// One step of Riemannian gradient descent with the Euclidean gradient g.
  Point rsgd_step(const Point& x, const Tangent& g, const V& rate) const {
    return expmap(x, times(egrad2rgrad(x, g), -rate));
  }

 private:
  /// The height within the cube; NaN if any coordinate is NaN.
  static V height_of(const Point& x) {
    V height = x.z[n - 1];
    for (const V& c : x.z)
      if (!(c == c)) height = c;
    return height;
  }
  /// The common part of distance and gradient. Let D be the difference of the points in units of
  /// 2^j1, where j1 is the smaller level. Then difference = D 2^-scale, and cosh d = 1 + 2^power x.
  struct Pair {
    Tangent difference;
    V x;
    std::int64_t scale;  // no component of difference exceeds 4
    std::int64_t apart;  // j2 - j1
    std::int64_t power;  // 2 scale - apart

    V distance() const {
      using namespace tiling_detail;
      return power <= 32 ? acosh1p(times_power(x, power)) : acosh1p_scaled(x, power);
    }
    /// sinh(d) / 2^power.
    V root() const {
      using namespace tiling_detail;
      return sqrt(x * (x + times_power(V(1), 1 - power)));
    }
  };

  static Tangent times(Tangent v, const V& factor) {
    for (V& c : v) c = c * factor;
    return v;
  }
  /// A vector as its Euclidean length and a unit vector. If the vector is not finite, the length is
  /// infinite or NaN.
  struct Polar {
    Tangent direction;
    V length;
  };
  static Polar polar(const Tangent& v) {
    using namespace tiling_detail;
    V largest(0);
    for (const V& c : v) {
      if (!finite(c)) return {v, fabs(c)};
      if (largest < fabs(c)) largest = fabs(c);
    }
    if (!(largest > V(0))) return {v, V(0)};
    // v is scaled by a power of two, so that squares neither overflow nor underflow
    const int level = level_of(largest);
    Tangent w = v;
    for (V& c : w) c = times_power(c, -level);
    const V length = sqrt(dot(w, w));
    for (V& c : w) c = c / length;
    return {w, times_power(length, level)};
  }
  static Pair pair(const Point& low, const Point& high);
  static void advance_piece(Ray& ray, const V& sine, const V& decay);

  V radius_;
};

/// k1 - 2^apart k2, returned as value 2^exponent. Small numbers are subtracted exactly, and so are
/// big numbers whose leading digits cancel. No shift is larger than the precision needs.
template <class V>
void level_difference(const Integer& k1, const Integer& k2, std::int64_t apart, V& value,
                      std::int64_t& exponent) {
  using namespace tiling_detail;
  constexpr std::int64_t precision = limbs_of<V> * FloatTraits<limb_t<V>>::p + 32;
  const auto take = [&](const Integer& whole, std::int64_t shift) {
    const std::int64_t bits = whole.bit_length();
    value = whole.template scaled<V>(bits);
    exponent = bits + shift;
  };
  if (k2.sign() == 0) return take(k1, 0);
  // then k1 is below 2^-precision of k2 2^apart
  if (apart > k1.bit_length() + precision) return take(-k2, apart);
  const bool small = k1.is_small() && k2.bit_length() + apart < 63;
  if (small || !leading_difference(k1, k2, apart, value, exponent)) take(k1 - k2.shifted(apart), 0);
}

template <class V, std::size_t n>
auto HTiling<V, n>::pair(const Point& low, const Point& high) -> Pair {
  using namespace tiling_detail;
  Pair p;
  p.apart = high.j - low.j;
  p.scale = p.apart + 1;
  std::array<V, n - 1> whole;
  std::array<std::int64_t, n - 1> exponent;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    level_difference(low.k[i], high.k[i], p.apart, whole[i], exponent[i]);
    p.scale = std::max(p.scale, exponent[i]);
  }
  p.power = 2 * p.scale - p.apart;
  for (std::size_t i = 0; i < n; ++i) {
    const V rest = times_power(low.z[i], -p.scale) - times_power(high.z[i], p.apart - p.scale);
    // Whole numbers and fractions are brought to the same unit before they are added: near points
    // differ by their fractions only.
    p.difference[i] = i + 1 < n ? times_power(whole[i], exponent[i] - p.scale) + rest : rest;
  }
  p.x = dot(p.difference, p.difference) / (V(2) * low.z[n - 1] * high.z[n - 1]);
  return p;
}

template <class V, std::size_t n>
auto HTiling<V, n>::ptransp(const Point& x, const Point& y, const Tangent& v) const -> Tangent {
  using namespace tiling_detail;
  const bool lower = x.j <= y.j;
  const Pair p = lower ? pair(x, y) : pair(y, x);
  // the way from x to y, with heights and differences in one unit
  Tangent way = times(p.difference, lower ? V(-1) : V(1));
  const Point& low = lower ? x : y;
  const Point& high = lower ? y : x;
  way[n - 1] = times_power(low.z[n - 1], -p.scale) + times_power(high.z[n - 1], p.apart - p.scale);
  const V far = polar(way).length;
  way = times(way, V(1) / far);
  const V& cosine = way[n - 1];
  const Tangent w = times(v, V(1) / x.z[n - 1]);
  V along(0);
  V square(0);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    along = along + way[i] * w[i];
    square = square + way[i] * way[i];
  }
  const V& up = w[n - 1];
  const V turn = V(2) * (cosine * up - along);
  Tangent r;
  for (std::size_t i = 0; i + 1 < n; ++i) r[i] = w[i] + turn * way[i];
  r[n - 1] = up - V(2) * (square * up + cosine * along);
  return times(r, y.z[n - 1]);
}

template <class V, std::size_t n>
void HTiling<V, n>::advance_piece(Ray& ray, const V& sine, const V& decay) {
  Point& x = ray.at;
  Tangent& w = ray.direction;
  const V up = w[n - 1];
  // cosh s - up sinh s = e^-s + (1 - up) sinh s; here 1 - up does not cancel
  V across(0);
  for (std::size_t i = 0; i + 1 < n; ++i) across = across + w[i] * w[i];
  const V rest = (up > V(0) ? across / (V(1) + up) : V(1) - up) * sine;
  const V denominator = decay + rest;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    w[i] = w[i] / denominator;
    x.z[i] = x.z[i] + x.z[n - 1] * w[i] * sine;
  }
  x.z[n - 1] = x.z[n - 1] / denominator;
  w[n - 1] = (up * decay - rest) / denominator;
  w = polar(w).direction;
  reduce(x);
}

template <class V, std::size_t n>
auto HTiling<V, n>::advance(const Ray& ray, const V& distance) const -> Ray {
  using namespace tiling_detail;
  constexpr double longest_piece = 32;
  const V length = distance / radius_;
  const std::int64_t pieces = pieces_of(double(lead(length)), longest_piece, 0x1p22);
  Ray r = ray;
  if (pieces == 0) return r;
  const V piece = length / V(pieces);
  const V sine = sinh(piece);
  const V decay = exp(-piece);
  for (std::int64_t i = 0; i < pieces; ++i) advance_piece(r, sine, decay);
  return r;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
