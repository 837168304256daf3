// The L-tiling model of the hyperbolic plane: distances, gradients, geodesics.
#pragma once

#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/operate.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"
#include "mctensor/geometry/tiling/wider.hpp"

namespace mct::geometry {

/// A point (Z, u) and a unit tangent at this point. The tangent is a tangent of the hyperboloid at
/// h(u).
template <class V>
struct LTilingRay {
  LTilingPoint<V> at;
  std::array<V, 3> direction{};
};

// This type calculates. So it is in the namespace of an instruction set, as functions are, and
// compiled interfaces do not contain it.
inline namespace MCT_ISA_NAMESPACE {

/// The hyperbolic plane of curvature -1/radius^2, tiled by the group of LTile. The errors of
/// results depend on the distances between points, never on their distance from the origin. No
/// distance overflows.
///
/// Gradients and tangents at (Z, u) are with respect to u: two numbers. A tangent v has the length
/// radius sqrt(|v|^2 - (u.v)^2 / (1 + |u|^2)). V is double, float or an expansion of these; u^N is
/// its unit roundoff. Source: Yu 2024, section 3.2 and appendix B.1, with errata.
template <class V>
class LTiling : public TransportedMoves<LTiling<V>> {
 public:
  using Point = LTilingPoint<V>;
  using Tangent = std::array<V, 2>;
  using Ray = LTilingRay<V>;

  /// Throws DomainError unless the radius is positive and finite.
  explicit LTiling(const V& radius = V(1)) : radius_(radius) {
    using namespace tiling_detail;
    if (!(radius > V(0)) || !finite(radius))
      throw DomainError("the radius of an L-tiling is " + number_text(double(lead(radius))) +
                        ", expected a finite number above 0");
  }

  const V& radius() const { return radius_; }
  Point origin() const { return {}; }

  /// The point of the hyperboloid of radius 1 whose last two coordinates are u. Algorithm 2 finds
  /// its tile. Throws DomainError if |u|^2 is not finite.
  Point from_hyperboloid(const std::array<V, 2>& u) const {
    check_liftable(u, "a point of the hyperboloid");
    Point x{LTile(), u};
    reduce(x);
    return x;
  }
  /// The point at this distance from the origin in this direction. The direction need not be a unit
  /// vector. Throws DomainError for a direction that is 0 or not finite, and as advance does.
  Point from_polar(const V& distance, const std::array<V, 2>& direction) const;
  /// The point b of the disk |b| < radius, as a point of PoincareBall. b counts as exact. Error <=
  /// 4 u^N + 64 u^M / (1 - |b|^2 / radius^2). The point is computed in tiling_detail::wider_t,
  /// which has M components: twice as many as V, but at most four. If V has four components, the
  /// error is a few units in the last place of b itself. Throws DomainError outside the disk.
  Point from_ball(const std::array<V, 2>& b) const {
    using namespace tiling_detail;
    using W = wider_t<V>;
    const auto place = widened(b);
    const W k = widened(radius_);
    const W complement = detail::gap_of(k, geometry::Point<W, 2>(place[0], place[1]));
    if (!(complement > W(0)))
      throw DomainError("the point " + text_of(b) + " is outside the disk of radius " +
                        number_text(double(lead(radius_))));
    const W factor = W(2) * k / complement;
    const auto x = LTiling<W>().from_hyperboloid({place[0] * factor, place[1] * factor});
    Point r{x.tile, {narrowed<V>(x.u[0]), narrowed<V>(x.u[1])}};
    reduce(r);
    return r;
  }

  /// The coordinates in the disk |b| < radius. Error <= 4 u^N radius; with four components 512 u^4.
  /// Points that rounding would put on the circle or outside are moved inside, as in PoincareBall.
  std::array<V, 2> to_ball(const Point& x) const {
    using namespace tiling_detail;
    using W = wider_t<V>;
    const auto q = LTiling<W>::transformed(scaled<W>(x.tile), lift(widened(x.u)));
    const W scale = widened(radius_) / (q.p[0] + times_power(W(1), -q.exponent));
    const auto b = detail::kept_inside(
        radius_, geometry::Point<V, 2>(narrowed<V>(q.p[1] * scale), narrowed<V>(q.p[2] * scale)));
    return {b[0], b[1]};
  }

  /// The distance of x and y. d is the distance at radius 1. Error <= (2 d + 64) u^N radius; for
  /// expansions (10 d + 64) u^N radius.
  V dist(const Point& x, const Point& y) const { return radius_ * pair(x, y).distance; }
  /// The distance to the origin; error as dist.
  V dist0(const Point& x) const { return dist(origin(), x); }

  /// The Euclidean gradient of dist(x, y) by the coordinates u of x; zero where x = y. Error <= 32
  /// u^N radius / tanh(d) in each component.
  Tangent dist_gradient(const Point& x, const Point& y) const {
    const Pair k = pair(x, y);
    if (k.sinh <= V(0)) return {V(0), V(0)};
    return {radius_ * k.slope[0] / k.sinh, radius_ * k.slope[1] / k.sinh};
  }

  /// The Riemannian gradient that belongs to a Euclidean one: (I + u u') g / radius^2.
  Tangent egrad2rgrad(const Point& x, const Tangent& g) const {
    const V along = tiling_detail::dot(x.u, g);
    const V k = V(1) / (radius_ * radius_);
    return {k * (g[0] + x.u[0] * along), k * (g[1] + x.u[1] * along)};
  }
  V inner(const Point& x, const Tangent& v, const Tangent& w) const {
    using namespace tiling_detail;
    const V bend = dot(x.u, v) * dot(x.u, w) / (V(1) + dot(x.u, x.u));
    return radius_ * radius_ * (dot(v, w) - bend);
  }
  V norm(const Point& x, const Tangent& v) const { return radius_ * unit_norm(x.u, v); }

  /// The end of the geodesic from x with velocity v. Throws DomainError if v is not finite or
  /// longer than 2^20 radius.
  Point expmap(const Point& x, const Tangent& v) const {
    check_finite(v, "a tangent");
    const V length = unit_norm(x.u, v);
    if (!(length > V(0))) return x;
    Ray ray{x, {}};
    ray.direction = unit_tangent(x.u, v);
    return advance(ray, radius_ * length).at;
  }

  /// Moves a ray along its geodesic by a distance >= 0, with its direction. The way is cut into
  /// pieces of length 1 at most. Algorithm 2 is called after each piece, so that no number grows.
  /// Each piece turns the direction by a few u^N. Throws DomainError for a negative distance or
  /// NaN, and beyond 2^20 radius.
  Ray advance(const Ray& ray, const V& distance) const;
  /// The ray, turned by the angle that has this cosine and sine.
  static Ray turned(const Ray& ray, const V& cosine, const V& sine) {
    const Lorentz3<V> p = lift(ray.at.u);
    const Lorentz3<V>& w = ray.direction;
    // The tangent at right angles to w: the vector product of p and w in the model's bilinear form.
    const Lorentz3<V> across = {p[2] * w[1] - p[1] * w[2], p[2] * w[0] - p[0] * w[2],
                                p[0] * w[1] - p[1] * w[0]};
    Ray r = ray;
    for (std::size_t i = 0; i < 3; ++i) r.direction[i] = cosine * w[i] + sine * across[i];
    return r;
  }

  /// The tangent at x with expmap(x, v) = y: -d times the Riemannian gradient of the distance.
  Tangent logmap(const Point& x, const Point& y) const {
    const Pair k = pair(x, y);
    if (k.sinh <= V(0)) return {V(0), V(0)};
    const Tangent g = {-k.slope[0], -k.slope[1]};
    const V along = tiling_detail::dot(x.u, g);
    const V scale = k.distance / k.sinh;
    return {scale * (g[0] + x.u[0] * along), scale * (g[1] + x.u[1] * along)};
  }

  /// Transports a tangent from x to y along the geodesic. The result is a tangent in the
  /// coordinates of y's tile. Error <= 1024 u^N times its length, at any distance; the bound
  /// follows from the sizes of the terms. The error is largest for tiles near each other. In 200000
  /// pairs the largest errors were 117 u and, in two doubles, 177 u^2.
  ///
  /// Let T be the isometry from y's tile to x's, q = T h(u_y), and w = (u.v / p_0, v) the tangent
  /// at p = h(u_x). The transported tangent is T^-1 (w + <q, w>_L / (1 + cosh d) (p + q)). T^-1 w
  /// and T^-1 p are computed separately, so that the small whole numbers of near tiles act on small
  /// vectors. For far points another method is used: the components along and across the geodesic
  /// stay the same. The gradient of the distance at y gives the directions at y, because every tile
  /// of the group has the same orientation.
  Tangent ptransp(const Point& x, const Point& y, const Tangent& v) const;

  /// One step of Riemannian gradient descent (Algorithm 3) with the Euclidean gradient g.
  Point rsgd_step(const Point& x, const Tangent& g, const V& rate) const {
    const Tangent r = egrad2rgrad(x, g);
    return expmap(x, {-rate * r[0], -rate * r[1]});
  }
  /// One step u <- u - rate g (Algorithm 10). Algorithm 2 brings the point back into the domain.
  /// Throws DomainError if |u|^2 is not finite.
  Point sgd_step(const Point& x, const Tangent& g, const V& rate) const {
    Point y{x.tile, {x.u[0] - rate * g[0], x.u[1] - rate * g[1]}};
    check_liftable(y.u, "a step of gradient descent");
    reduce(y);
    return y;
  }

 private:
  template <class>
  friend class LTiling;

  /// A point of the hyperboloid times 2^-exponent.
  struct Scaled3 {
    Lorentz3<V> p;
    std::int64_t exponent;
  };
  /// The common part of distance and gradient: sinh d, and the product of sinh d with the gradient
  /// by the u of x. Both are multiplied by the same power of two.
  struct Pair {
    V distance;
    V sinh;
    Tangent slope;
  };

  static std::string text_of(const std::array<V, 2>& x) {
    return "(" + number_text(double(tiling_detail::lead(x[0]))) + ", " +
           number_text(double(tiling_detail::lead(x[1]))) + ")";
  }
  static void check_finite(const std::array<V, 2>& x, const char* what) {
    if (!tiling_detail::finite(x[0]) || !tiling_detail::finite(x[1]))
      throw DomainError(std::string(what) + " is not finite: " + text_of(x));
  }
  static void check_liftable(const std::array<V, 2>& u, const char* what) {
    if (!tiling_detail::finite(lift(u)[0]))
      throw DomainError(std::string(what) + " is not finite, or its square is not: " + text_of(u));
  }

  /// y in the coordinates of a tile.
  static Scaled3 image(const LTile& tile, const Point& y) {
    V p[3];
    std::int64_t exponent;
    if (leading_image(tile, y.tile, y.u, p, exponent)) return {{p[0], p[1], p[2]}, exponent};
    return transformed(scaled_relative<V>(tile, y.tile), lift(y.u));
  }
  /// L Z L^-1 x.
  static Scaled3 transformed(const ScaledTile<V>& z, const Lorentz3<V>& x) {
    const V& root3 = tiling_detail::root_three<V>();
    const V across = x[0] / root3;
    return {{z.entry[0][0] * x[0] + root3 * (z.entry[0][1] * x[1] + z.entry[0][2] * x[2]),
             z.entry[1][0] * across + z.entry[1][1] * x[1] + z.entry[1][2] * x[2],
             z.entry[2][0] * across + z.entry[2][1] * x[1] + z.entry[2][2] * x[2]},
            z.exponent};
  }

  /// The inverse of L Z L^-1, which is its transpose with the signs of the form.
  static Lorentz3<V> transformed_back(const ScaledTile<V>& z, const Lorentz3<V>& x) {
    const V& root3 = tiling_detail::root_three<V>();
    const V across = x[0] * root3;
    return {z.entry[0][0] * x[0] - (z.entry[1][0] * x[1] + z.entry[2][0] * x[2]) / root3,
            z.entry[1][1] * x[1] + z.entry[2][1] * x[2] - z.entry[0][1] * across,
            z.entry[1][2] * x[1] + z.entry[2][2] * x[2] - z.entry[0][2] * across};
  }

  static Pair pair(const Point& x, const Point& y);
  static Pair near_pair(const Lorentz3<V>& p, const Lorentz3<V>& q);
  /// True where near_pair is used. The first coordinate is at most 3.15 cosh d, so cosh d > 2.5
  /// where this function returns false.
  static bool is_near(const Scaled3& q) { return q.exponent == 0 && q.p[0] < V(8); }

  /// The length of v at radius 1. Its square |v|^2 - (u.v)^2 / (1 + |u|^2) is computed as (|v|^2 +
  /// (u x v)^2) / (1 + |u|^2), which does not cancel.
  static V unit_norm(const std::array<V, 2>& u, const Tangent& v) {
    using namespace tiling_detail;
    // v is scaled by a power of two, so that squares neither overflow nor underflow
    const V largest = fabs(v[0]) < fabs(v[1]) ? fabs(v[1]) : fabs(v[0]);
    if (v[0] == V(0) && v[1] == V(0)) return V(0) * (u[0] + u[1]);  // NaN if the point has one
    const int level = level_of(largest);
    return times_power(norm_near_one(u, times_two_to(-level, v)), level);
  }
  static V norm_near_one(const std::array<V, 2>& u, const Tangent& v) {
    using namespace tiling_detail;
    const V cross = u[0] * v[1] - u[1] * v[0];
    return sqrt((dot(v, v) + cross * cross) / (V(1) + dot(u, u)));
  }
  static Tangent times_two_to(std::int64_t exponent, const Tangent& v) {
    return {tiling_detail::times_power(v[0], exponent), tiling_detail::times_power(v[1], exponent)};
  }
  /// The tangent (u.v / h_0, v) of the hyperboloid, divided by its length.
  static Lorentz3<V> unit_tangent(const std::array<V, 2>& u, const Tangent& v) {
    using namespace tiling_detail;
    const int level = level_of(fabs(v[0]) < fabs(v[1]) ? fabs(v[1]) : fabs(v[0]));
    Tangent w = times_two_to(-level, v);
    const V length = norm_near_one(u, w);
    w = {w[0] / length, w[1] / length};
    return {dot(u, w) / lift(u)[0], w[0], w[1]};
  }
  static Ray advance_piece(const Ray& ray, const V& c, const V& s);

  V radius_;
};

template <class V>
LTilingPoint<V> LTiling<V>::from_polar(const V& distance, const std::array<V, 2>& direction) const {
  check_finite(direction, "a direction");
  Ray ray;
  if (!(unit_norm({V(0), V(0)}, direction) > V(0)))
    throw DomainError("a direction has length 0; it must be a vector other than 0");
  ray.direction = unit_tangent({V(0), V(0)}, direction);
  return advance(ray, distance).at;
}

template <class V>
auto LTiling<V>::near_pair(const Lorentz3<V>& p, const Lorentz3<V>& q) -> Pair {
  using namespace tiling_detail;
  // Everything follows from the difference w. 2 cosh d - 2 = <w, w>_L keeps its digits near zero.
  const Tangent w = {q[1] - p[1], q[2] - p[2]};
  const V w0 = (w[0] * (q[1] + p[1]) + w[1] * (q[2] + p[2])) / (q[0] + p[0]);
  const V square = dot(w, w) - w0 * w0;
  if (square <= V(0)) return {V(0), V(0), {V(0), V(0)}};  // NaN goes on
  const V root = sqrt(square);
  const V quarter = square / V(4);
  return {V(2) * asinh(root / V(2)),
          root * sqrt(V(1) + quarter),
          {p[1] / p[0] * w0 - w[0], p[2] / p[0] * w0 - w[1]}};
}

template <class V>
auto LTiling<V>::pair(const Point& x, const Point& y) -> Pair {
  using namespace tiling_detail;
  const Lorentz3<V> p = lift(x.u);
  const Scaled3 q = image(x.tile, y);
  if (is_near(q)) return near_pair(p, q.p);
  const V z = lorentz_dot(p, q.p);
  const V one = times_power(V(1), -q.exponent);
  const V sinh = sqrt((z - one) * (z + one));
  return {scaled_log(z + sinh, q.exponent),
          sinh,
          {p[1] / p[0] * q.p[0] - q.p[1], p[2] / p[0] * q.p[0] - q.p[2]}};
}

template <class V>
auto LTiling<V>::ptransp(const Point& x, const Point& y, const Tangent& v) const -> Tangent {
  using namespace tiling_detail;
  const Lorentz3<V> p = lift(x.u);
  const Lorentz3<V> w = {dot(x.u, v) / p[0], v[0], v[1]};
  const ScaledTile<V> relative = scaled_relative<V>(x.tile, y.tile);
  const Scaled3 q = transformed(relative, lift(y.u));
  if (is_near(q)) {
    const V along = -lorentz_dot(q.p, w) / (V(1) + lorentz_dot(p, q.p));
    const Lorentz3<V> at_y = transformed_back(relative, w);
    const Lorentz3<V> from = transformed_back(relative, p);
    return {at_y[1] + along * (from[1] + y.u[0]), at_y[2] + along * (from[2] + y.u[1])};
  }
  // Unit vectors along the geodesic: at x toward y, at y away from x.
  const LTiling unit;
  const Tangent ahead = unit.egrad2rgrad(x, unit.dist_gradient(x, y));
  const Tangent onward = unit.egrad2rgrad(y, unit.dist_gradient(y, x));
  const Ray at_x{x, unit_tangent(x.u, {-ahead[0], -ahead[1]})};
  const Ray at_y{y, unit_tangent(y.u, onward)};
  const auto across_x = turned(at_x, V(0), V(1)).direction;
  const auto across_y = turned(at_y, V(0), V(1)).direction;
  const V along = -lorentz_dot(at_x.direction, w);
  const V across = -lorentz_dot(across_x, w);
  return {along * at_y.direction[1] + across * across_y[1],
          along * at_y.direction[2] + across * across_y[2]};
}

template <class V>
auto LTiling<V>::advance_piece(const Ray& ray, const V& c, const V& s) -> Ray {
  const Lorentz3<V> p = lift(ray.at.u);
  const Lorentz3<V>& w = ray.direction;
  Ray r{{ray.at.tile, {c * p[1] + s * w[1], c * p[2] + s * w[2]}},
        {s * p[0] + c * w[0], s * p[1] + c * w[1], s * p[2] + c * w[2]}};
  reduce(r.at, [&r](Generator g) { r.direction = act(g, r.direction); });
  r.direction = unit_tangent(r.at.u, {r.direction[1], r.direction[2]});
  return r;
}

template <class V>
auto LTiling<V>::advance(const Ray& ray, const V& distance) const -> Ray {
  using namespace tiling_detail;
  const V length = distance / radius_;
  const std::int64_t pieces = pieces_of(double(lead(length)), 1, 0x1p20);
  if (pieces == 0) return ray;
  const V piece = length / V(pieces);
  const V c = cosh(piece);
  const V s = sinh(piece);
  // The tiles of a few pieces are multiplied with each other first, because 64 bits hold their
  // product.
  constexpr std::int64_t together = 24;
  Ray r = ray;
  for (std::int64_t i = 0; i < pieces; i += together) {
    const LTile start = r.at.tile;
    r.at.tile = LTile();
    for (std::int64_t j = i; j < std::min(i + together, pieces); ++j) r = advance_piece(r, c, s);
    r.at.tile = start * r.at.tile;
  }
  return r;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
