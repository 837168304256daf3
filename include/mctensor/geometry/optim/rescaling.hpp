// What happens to points and tangent vectors when the radius of curvature changes.
#pragma once

#include <type_traits>

#include "mctensor/geometry/euclidean.hpp"
#include "mctensor/geometry/half_space.hpp"
#include "mctensor/geometry/manifold.hpp"

namespace mct::geometry {

/// How points follow a change of the radius from K1 to K2.
enum class Rescaling {
  /// Every distance is multiplied by K2 / K1: the same figure in another size. Tangent vectors grow
  /// with it.
  rescale_distances,
  /// Every point keeps its direction and its distance from the origin; distances between points
  /// change with the curvature. Tangent vectors keep their length and their angle with the way to
  /// the origin.
  keep_distances
};

inline namespace MCT_ISA_NAMESPACE {
namespace rescaling_detail {

/// Models whose coordinates have the radius as their unit; in the half-space and in Euclidean space
/// they have none.
template <class M>
inline constexpr bool has_unit = true;
template <class V>
inline constexpr bool has_unit<HalfSpace<V>> = false;
template <class V>
inline constexpr bool has_unit<Euclidean<V>> = false;

/// A tangent vector at the origin of `from` as one of the same length at the origin of `to`.
template <class M, class P>
P at_other_origin(const M& from, const M& to, const P& u) {
  const auto length = to.norm(to.origin(u.size()), u);
  using V = typename M::Value;
  if (length == V(scalar_t<V>(0))) return u;
  return u * V(from.norm(from.origin(u.size()), u) / length);
}

}  // namespace rescaling_detail

/// The point x of `from` on the same model of another radius. Scaling has the error of one product;
/// keeping distances that of logmap0 and expmap0: next to the boundary of a ball a relative error
/// of the gap, not of the distance. Source: errata of Geometric Foundations; K2 tanh((K1 / K2)
/// artanh(|x| / K1)) x / |x| in the ball.
template <class M, class P>
P rescaled_point(const M& from, const M& to, Rescaling rescaling, const P& x) {
  using V = typename M::Value;
  if (rescaling == Rescaling::rescale_distances) {
    if constexpr (rescaling_detail::has_unit<M>) {
      return to.projx(x * V(to.radius / from.radius));
    } else {
      return x;
    }
  }
  return to.expmap0(rescaling_detail::at_other_origin(from, to, from.logmap0(x)));
}

/// The tangent vector u at x as one at y = rescaled_point(x).
template <class M, class P>
P rescaled_vector(const M& from, const M& to, Rescaling rescaling, const P& x, const P& y,
                  const P& u) {
  using V = typename M::Value;
  if (rescaling == Rescaling::rescale_distances) {
    if constexpr (rescaling_detail::has_unit<M>) {
      return to.proju(y, u * V(to.radius / from.radius));
    } else {
      return u;
    }
  }
  const P at_origin = from.ptransp(x, from.origin(x.size()), u);
  return to.ptransp0(y, rescaling_detail::at_other_origin(from, to, at_origin));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
