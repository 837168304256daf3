// The operations that all manifolds share, and common formulas of the models of hyperbolic space.
//
// Curvature is -1 / K^2 for the hyperbolic models and 1 / K^2 for the sphere, where K is
// `radius()`. Tangent vectors are given in coordinates. If a coordinate is NaN or a point lies
// outside its model, a resulting number is NaN, and a resulting point has a coordinate that is NaN.
// All other resulting points lie in the model: if rounding would put a point on the boundary or
// beyond, the point is put just before the boundary.
//
// Error: manifold_bound (error_bounds.hpp), relative to the quantity that docs/geometry.md names
// for each operation; origins are exact. Source: the formulas of docs/geometry.md; each model names
// its own.
#pragma once

#include <array>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/common_formulas.hpp"
#include "mctensor/geometry/geodesic.hpp"
#include "mctensor/geometry/operate.hpp"
#include "mctensor/geometry/random_points.hpp"

namespace mct::geometry {

/// True for radii of curvature that a manifold may have: 2^-150 to 2^150, because formulas use the
/// fourth power.
constexpr bool is_radius(double k) { return k >= 0x1p-150 && k <= 0x1p150; }

}  // namespace mct::geometry

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// Throws DomainError unless is_radius(k). Lanes of a batch are not checked here, because their
/// radii were checked before.
template <class V>
MCT_HD constexpr void require_radius([[maybe_unused]] const V& k) {
#ifndef __CUDA_ARCH__
  if constexpr (is_component_v<limb_t<V>>) {
    const double head(lead(k));
    if (!is_radius(head))
      throw DomainError("radius " + number_text(head) +
                        " of a manifold is not a number from 2^-150 to 2^150");
  }
#endif
}

/// K x / |x|; the origin for the zero vector, which has no direction.
template <class Formulas, class W, int n>
MCT_HD inline Point<W, n> radial_projection(const Formulas& m, const Point<W, n>& x) {
  using L = limb_t<W>;
  const auto [length, e] = polar(x);
  const auto zero = lead(length) == L(scalar_t<L>(0));
  const Point<W, n> origin = m.origin_like(x);
  return generate<Point<W, n>>(
      x.size(), [&, &unit = e](int i) { return blend(zero, origin[i], W(unit[i] * m.radius)); });
}

/// The part of u that is orthogonal to x, for every length of x.
template <class W, int n>
MCT_HD inline Point<W, n> part_across(const Point<W, n>& x, const Point<W, n>& u) {
  return u - x * W(long_dot(x, u) / squared_norm(x));
}

/// True if u is tangent to the sphere of radius K at x: |x.u| is at most `tolerance` K |u|.
template <class W, int n>
MCT_HD inline bool is_tangent_to_sphere(const W& radius, const Point<W, n>& x, const Point<W, n>& u,
                                        double tolerance) {
  const W off = long_dot(x, u);
  return magnitude(lead(off)) <= tolerance * lead(W(radius * norm_of(u)));
}

/// The geodesic from x to y of a conformal model. s is its length over K. half_sinh_square is q =
/// sinh^2(s / 2), or NaN where squares overflow or lose limbs. The logarithm is s / (unit sqrt(q +
/// q^2)) times `toward`.
template <class W, int n>
struct Way {
  W half_sinh_square;
  Point<W, n> toward;
  W unit;
};

/// (A concept, because nvcc 13.0 evaluates a requires-expression with a member function's
/// parameters to false.)
template <class Model, class P>
concept HasWay = requires(const Model& m, const P& x) {
  m.way(x, x);
};

/// Formulas that follow from members of a model. The model must have these members:
/// - length: the length of a tangent vector over K;
/// - half_sinh: sinh of half the distance over K;
/// - half_sinh_square: its square, or NaN where squares are not safe;
/// - advance: the point at a given reach;
/// - toward: a vector along the geodesic from x to y, whose coordinates do not overflow;
/// - between: see geodesic.hpp;
/// - inside: false for points outside the model (needed if every vector is tangent).
template <class Model, class W>
struct HyperbolicFormulas : CommonFormulas<Model, W> {
  static constexpr int curvature_sign = -1;
  using CommonFormulas<Model, W>::radius;

  /// The distance over K.
  template <int n>
  MCT_HD W arc(const Point<W, n>& x, const Point<W, n>& y) const {
    if constexpr (is_traced_v<W>) {
      return scaled_arc(x, y);
    } else {
      const W q = model().half_sinh_square(x, y);
      return where_ordinary(
          q, [&] { return arc_of_square(q).length; },
          [&] { return scaled_arc(Point<W, n>(x), Point<W, n>(y)); });
    }
  }
  template <int n>
  MCT_HD W dist(const Point<W, n>& x, const Point<W, n>& y) const {
    return radius * model().arc(x, y);
  }
  template <int n>
  MCT_HD MCT_NOINLINE W scaled_arc(const Point<W, n>& x, const Point<W, n>& y) const {
    return doubled(asinh_of(model().half_sinh(x, y)));
  }
  template <int n>
  MCT_HD W norm(const Point<W, n>& x, const Point<W, n>& u) const {
    return radius * model().length(x, u);
  }
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    return model().advance(x, u, reach_of(model().length(x, u)));
  }
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return model().advance(x, u, algebraic_reach_of(model().length(x, u)));
  }
  template <int n>
  MCT_HD Point<W, n> logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    if constexpr (!is_traced_v<W> && HasWay<Model, Point<W, n>>) {
      const auto way = model().way(x, y);
      const W& q = way.half_sinh_square;
      const auto quick = [&] {
        const Arc<W> s = arc_of_square(q);
        return way.toward * W(s.length / (way.unit * s.half_sinh));
      };
      return where_ordinary(q, quick,
                            [&] { return scaled_logmap(Point<W, n>(x), Point<W, n>(y)); });
    } else {
      return scaled_logmap(x, y);
    }
  }
  template <int n>
  MCT_HD MCT_NOINLINE Point<W, n> scaled_logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    const W s = model().arc(x, y);
    const Point<W, n> way = model().toward(x, y);
    // scaled, because a large length loses limbs of a quotient, and a tiny one has lost its own
    const Point<W, n> v = times(way, unit_scale(way));
    const W length = model().length(x, v);
    using L = limb_t<W>;
    const auto same = lead(length) == L(scalar_t<L>(0));
    return v * W(s / blend(same, number<W>(1), length));
  }
  /// dist_gradient of a model that has a `way`: -lambda times the unit vector toward y.
  template <int n>
  MCT_HD Point<W, n> conformal_gradient(const Point<W, n>& x, const Point<W, n>& y) const {
    const W lambda = model().lambda_x(x);
    const auto slow = [&] {
      return only_where(model().inside(y), directed(model().toward(x, y), W(-lambda)));
    };
    if constexpr (is_traced_v<W>) {
      return slow();
    } else {
      const auto way = model().way(x, y);
      const W& q = way.half_sinh_square;
      const auto quick = [&] {
        return way.toward * W(lambda * (-lambda / (radius * way.unit * root(W(q + q * q)))));
      };
      return where_ordinary(q, quick, slow);
    }
  }
  template <int n>
  MCT_HD Point<W, n> geodesic(const W& t, const Point<W, n>& x, const Point<W, n>& y) const {
    return geodesic_point(model(), t, x, y);
  }
  /// K log q with q = (T - X.omega) / K for the coordinates (T, X) of the hyperboloid. It is
  /// computed as log1p of q - 1 or, for q < 1, of 1 / q - 1. T - X.omega is computed without
  /// cancellation. Next to the origin q - 1 is small and has its own form, which would cancel far
  /// from the origin.
  template <class V, int n>
  MCT_HD W busemann(const Point<W, n>& x, const Point<W, n>& omega) const {
    using L = limb_t<W>;
    const auto e = boundary_direction<V>(model(), omega);
    const W one = number<W>(1);
    const auto X = to_space(model(), x) / radius;
    const W size = norm_of(X);
    const W time = hypotenuse(one, size);
    const W along = long_dot(X, e);
    const auto toward = lead(along) > L(scalar_t<L>(0));
    const W aside = hypotenuse(one, area_of(X, pivoted_wedge(X, e)));
    const W q = blend(toward, W(aside * (aside / (time + along))), W(time - along));
    const auto near = lead(size) < L(scalar_t<L>(1));
    const W excess = blend(near, W(size * (size / (time + one)) - along), W(q - one));
    const auto inside = lead(excess) < L(scalar_t<L>(0));
    const W value = radius * log1p_of(W(blend(inside, -excess, excess) / blend(inside, q, one)));
    return blend(inside, -value, value);
  }
  /// The distance d with sinh(d / K) = sinh(s) c. Here s K is the distance of x from p, and c is
  /// the cosine of the angle between logmap(p, x) and a.
  template <int n>
  MCT_HD W dist2plane(const Point<W, n>& x, const Point<W, n>& p, const Point<W, n>& a) const {
    using L = limb_t<W>;
    const Point<W, n> v = model().logmap(p, x);
    const W length = model().norm(p, v);
    const auto same = lead(length) == L(scalar_t<L>(0));
    const Point<W, n> e = v / blend(same, number<W>(1), length);
    const W sh = model().half_sinh(p, x);
    const W sine = doubled(W(sh * hypotenuse(number<W>(1), sh)));
    const W reach = model().inner(p, e, a) / model().norm(p, a) * sine;
    const auto behind = lead(reach) < L(scalar_t<L>(0));
    const W distance = radius * asinh_of(W(blend(behind, -reach, reach)));
    return blend(behind, -distance, distance);
  }
  template <int n>
  MCT_HD W normal_log_prob(const Point<W, n>& x, const Point<W, n>& mean,
                           const W& deviation) const {
    const W s = model().arc(mean, x);
    return normal_log_density(Model::dimension(coordinates_in(x)), W(radius * s), deviation,
                              log_sinhc_of(s));
  }
  /// If coordinates are free, every vector is tangent. Surfaces have their own function.
  template <int n>
  MCT_HD Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& u) const {
    return only_where(model().inside(x), u);
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double) const {
    const W size = norm_of(u);
    return model().check_point(x, 0) && lead(size) - lead(size) == 0;
  }

 protected:
  MCT_HD constexpr const Model& model() const { return static_cast<const Model&>(*this); }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// Methods of a manifold that are not in the list of operations. Self has formulas() and
/// require(points...), which throws ShapeError for points with a wrong number of coordinates.
template <class Self, class V>
class PointMethods {
  using Work = work_t<V>;

 public:
  /// True if x lies on the manifold. For a surface a relative error of x of `units` u^N is allowed.
  template <int n>
  MCT_HD bool check_point(const Point<V, n>& x, double units = 16) const {
    self().require(x);
    return self().formulas().check_point(detail::to_work(x), units * detail::unit_roundoff<V>());
  }
  /// True if u is tangent at x. For a surface an error of u of `units` u^N, relative to the
  /// vectors' lengths, is allowed.
  template <int n>
  MCT_HD bool check_vector(const Point<V, n>& x, const Point<V, n>& u, double units = 16) const {
    self().require(x, u);
    return self().formulas().check_vector(detail::to_work(x), detail::to_work(u),
                                          units * detail::unit_roundoff<V>());
  }
  /// The origin, with n coordinates.
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Point<V, n> origin() const {
    return origin_like(Point<V, n>());
  }
  MCT_ALWAYS_INLINE Point<V> origin(int n) const { return origin_like(Point<V>(n)); }

 private:
  MCT_HD constexpr const Self& self() const { return static_cast<const Self&>(*this); }
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Point<V, n> origin_like(const Point<V, n>& like) const {
    self().require(like);
    return detail::from_work<V>(self().formulas().origin_like(detail::to_work(like)));
  }
};

/// A model: the operations of operations.hpp on points of a value type V. Formulas<work_t<V>>
/// computes them; the header of each model states formulas, domains and bounds. x and y are points,
/// u, v and g vectors with the same number of coordinates, at least one (Lorentz, Hemisphere: two).
/// Sizes that differ or are too small throw ShapeError; fixed sizes are checked at compile time.
template <template <class> class Formulas, class V>
class Manifold : public Operations<Manifold<Formulas, V>>,
                 public PointMethods<Manifold<Formulas, V>, V>,
                 public RandomPoints<Manifold<Formulas, V>, V> {
 public:
  using Value = V;
  using Work = work_t<V>;
  static constexpr int radii = 1;

  MCT_HD MCT_ALWAYS_INLINE constexpr Manifold() : radius_(scalar_t<V>(1)) {}
  /// Throws DomainError unless K is from 2^-150 to 2^150 (1.4e45). On a GPU there is no check.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit Manifold(const V& k) : radius_(k) {
    detail::require_radius(k);
  }

  /// K > 0.
  MCT_HD MCT_ALWAYS_INLINE constexpr const V& radius() const { return radius_; }

  /// The formulas in the work type (formulas), or in another number type with a radius of that type
  /// (formulas_at).
  MCT_HD MCT_ALWAYS_INLINE Formulas<Work> formulas() const {
    return formulas_at(std::array<Work, 1>{detail::to_work(radius_)});
  }
  template <class W>
  MCT_HD MCT_ALWAYS_INLINE Formulas<W> formulas_at(const std::array<W, 1>& k) const {
    Formulas<W> formulas;
    formulas.radius = k[0];
    return formulas;
  }
  std::array<V, 1> all_radii() const { return {radius_}; }

  template <int n, class... Others>
  MCT_HD MCT_ALWAYS_INLINE static constexpr void require(const Point<V, n>& x,
                                                         const Others&... others) {
    static_assert(n == dynamic || n >= Formulas<Work>::least_coordinates, "too few coordinates");
    detail::require_coordinates(x, Formulas<Work>::least_coordinates);
    (detail::require_same_size(x, others), ...);
  }

 private:
  V radius_;
};

inline namespace MCT_ISA_NAMESPACE {

/// The same manifold with other radii. A product keeps its weights and sizes.
template <class M>
M with_radii(const M& like, const std::array<typename M::Value, M::radii>& k) {
  if constexpr (requires { like.with_radii(k); }) {
    return like.with_radii(k);
  } else {
    return M(k[0]);
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
