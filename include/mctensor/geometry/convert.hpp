// The same point in another model of hyperbolic space.
//
// All conversions go through the spatial coordinates X of the hyperboloid. Every model converts to
// X and from X without cancellation: to a few u^N |X|, for all |X| that do not nearly overflow.
//
// Source: the maps of docs/geometry.md, note 3.
#pragma once

#include "mctensor/geometry/models/hemisphere.hpp"
#include "mctensor/geometry/models/klein.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/storage/ball_point.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

template <class W, int n>
MCT_HD inline Point<W, n> to_space(const BallFormulas<W>& m, const Point<W, n>& x) {
  return x * doubled(W(m.radius / m.gap(x) * m.radius));
}
template <class W, int n>
MCT_HD inline Point<W, n> to_space(const KleinFormulas<W>& m, const Point<W, n>& x) {
  return x * W(m.radius / root(m.gap(x)));
}
template <class W, int n>
MCT_HD inline auto to_space(const LorentzFormulas<W>&, const Point<W, n>& x) {
  return space_of(x);
}
/// All coordinates but the last.
template <class W, int n>
MCT_HD inline Point<W, dimension_plus<n, -1>> without_last(const Point<W, n>& x) {
  return generate<Point<W, dimension_plus<n, -1>>>(x.size() - 1, [&](int i) { return x[i]; });
}
template <class W, int n>
MCT_HD inline auto to_space(const HemisphereFormulas<W>& m, const Point<W, n>& x) {
  return without_last(x) * W(m.radius / m.height_at(x));
}
/// (x, h) -> K (x / h, ((h - 1)(h + 1) + |x|^2) / (2 h))
template <class W, int n>
MCT_HD inline Point<W, n> to_space(const HalfSpaceFormulas<W>& m, const Point<W, n>& x) {
  const W h = m.height_at(x);
  const W one = number<W>(1);
  const W size = norm_of(m.horizontal(x));
  Point<W, n> X = m.horizontal(x) * W(m.radius / h);
  const W up = (h - one) * ((h + one) / h) + size * (size / h);
  X[x.size() - 1] = halved(W(m.radius * up));
  return X;
}

/// The direction, in the spatial coordinates, in which the geodesic of omega ends on the boundary.
/// omega is a tangent vector of length 1 at the origin.
template <class V, class F, class W, int n>
MCT_HD inline Point<W, n> boundary_direction(const F&, const Point<W, n>& omega) {
  require_unit<V>(omega);
  return omega;
}
/// omega is (0, e); the time coordinate is not read.
template <class V, class W, int n>
MCT_HD inline auto boundary_direction(const LorentzFormulas<W>&, const Point<W, n>& omega) {
  const auto e = space_of(omega);
  require_unit<V>(e);
  return e;
}
/// omega is (e, 0).
template <class V, class W, int n>
MCT_HD inline auto boundary_direction(const HemisphereFormulas<W>&, const Point<W, n>& omega) {
  require_unit<V>(omega);
  const auto e = without_last(only_where(has_no_nan(omega), omega));
  require_unit<V>(e);
  return e;
}

template <class W, int n>
MCT_HD inline Point<W, n> from_space(const BallFormulas<W>& m, const Point<W, n>& X) {
  return kept_inside(m.radius, X * W(m.radius / (hypotenuse(m.radius, norm_of(X)) + m.radius)));
}
template <class W, int n>
MCT_HD inline Point<W, n> from_space(const KleinFormulas<W>& m, const Point<W, n>& X) {
  return kept_inside(m.radius, X * W(m.radius / hypotenuse(m.radius, norm_of(X))));
}
template <class W, int n>
MCT_HD inline auto from_space(const LorentzFormulas<W>& m, const Point<W, n>& X) {
  return m.lifted(X);
}
template <class W, int n>
MCT_HD inline auto from_space(const HemisphereFormulas<W>& m, const Point<W, n>& X) {
  const W scale = m.radius / hypotenuse(m.radius, norm_of(X));
  return generate<Point<W, dimension_plus<n, 1>>>(
      X.size() + 1, [&](int i) { return i == X.size() ? W(m.radius * scale) : W(X[i] * scale); });
}
/// h = 1 / (T - U) or (T + U) / (1 + |S|^2) for X = K (S, U), T = sqrt(1 + |X|^2 / K^2); x = h S.
template <class W, int n>
MCT_HD inline Point<W, n> from_space(const HalfSpaceFormulas<W>& m, const Point<W, n>& X) {
  using L = limb_t<W>;
  const W one = number<W>(1);
  const Point<W, n> unit = X / m.radius;
  const W up = m.height(unit);
  const W time = hypotenuse(one, norm_of(unit));
  const W wide = hypotenuse(one, norm_of(m.horizontal(unit)));
  const auto upward = lead(up) > L(scalar_t<L>(0));
  const W h = above_zero(blend(upward, W((time + up) / wide / wide), W(one / (time - up))));
  Point<W, n> x = m.horizontal(unit) * h;
  x[x.size() - 1] = h;
  return x;
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

namespace operation::inline MCT_ISA_NAMESPACE {

/// Conversion as an operation on points, tensors and variables.
template <template <class> class To>
struct convert {
  static constexpr const char* name = "convert";
  static constexpr const char* operands = "p";
  static constexpr OperationResult result = OperationResult::point;

  /// The formulas of To with the same radius.
  template <class F>
  MCT_HD static auto target(const F& from) {
    using W = std::remove_cvref_t<decltype(from.radius)>;
    return To<double>().formulas_at(std::array<W, 1>{from.radius});
  }
  template <class F>
  static constexpr int coordinates(const F& from, int n) {
    return n + decltype(target(from))::least_coordinates - F::least_coordinates;
  }
  template <class V, class F, class W, int n>
  requires requires(const F& from, const Point<W, n>& x) {
    detail::from_space(target(from), detail::to_space(from, x));
  }
  MCT_HD static auto on(const F& from, const Point<W, n>& x) {
    if constexpr (!std::is_same_v<F, decltype(target(from))>) {
      return detail::from_space(target(from), detail::to_space(from, x));
    } else if constexpr (std::is_same_v<F, detail::LorentzFormulas<W>>) {
      return projx::on<V>(from, x);
    } else {
      return detail::only_where(from.inside(x), x);
    }
  }
};

}  // namespace operation::inline MCT_ISA_NAMESPACE

inline namespace MCT_ISA_NAMESPACE {

/// The point x of a hyperbolic model as a point of the model To of the same curvature:
/// convert<HalfSpace>(PoincareBall<double>(K), x). The origins correspond to each other. The last
/// axis of the half-space, which leads upward, corresponds to the last axis of the ball. Lorentz
/// and Hemisphere have one coordinate more than the other models. Error: twice manifold_bound,
/// relative to the Euclidean length of the result (for a height: relative to the height), without a
/// condition number. A conversion to the same model changes nothing but the time of Lorentz, which
/// is computed anew. Points outside give NaN. Results lie in the model, see PoincareBall.
template <template <class> class To, class M, class X>
MCT_HD inline auto convert(const M& from, const X& x)
    -> decltype(operate<operation::convert<To>>(from, x)) {
  return operate<operation::convert<To>>(from, x);
}

/// A BallPoint in another model, with all digits, however far it is from the origin.
template <template <class> class To, class V, int n>
MCT_HD inline auto convert(const PoincareBall<V>& ball, const BallPoint<V, n>& a) {
  using W = work_t<V>;
  detail::require_coordinates(a.x, 1);
  const To<V> to(ball.radius());
  const W k = detail::to_work(ball.radius());
  const auto p = detail::work_polar(ball, a);
  const auto X = p.direction * detail::doubled(W(k * (k / p.gap) * p.size));
  return detail::rounded_point<V>(to.formulas(), detail::from_space(to.formulas(), X));
}

/// A point of any hyperbolic model as a BallPoint.
template <template <class> class From, class V, int n>
MCT_HD inline auto to_ball_point(const From<V>& from, const Point<V, n>& x) {
  using W = work_t<V>;
  const auto m = from.formulas();
  detail::require_coordinates(x, decltype(from.formulas())::least_coordinates);
  const auto Z = detail::to_space(m, detail::to_work(x)) / m.radius;
  const W time = detail::hypotenuse(detail::number<W>(1), detail::norm_of(Z));
  return detail::narrowed<V>(detail::ball_point_from(m.radius, Z, time));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
