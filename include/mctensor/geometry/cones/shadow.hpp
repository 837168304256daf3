// What all cones have in common: everything follows from a few numbers of a pair of points.
#pragma once

#include <cmath>

#include "mctensor/geometry/cones/light.hpp"
#include "mctensor/math/inverse_trig.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// Self, which also has the formulas of its manifold, says
/// - caster(u): the point whose cone u's is;
/// - opening(u), direction(u, v): multiples of the cosine and the sine of the half-aperture and of
///   the angle at u between the axis and v;
/// - excess(u, v): a number with the sign of the distance from v to the boundary;
/// - lift(u, v): a number with the sign of the altitude;
/// - beyond(u, v), rise(u, v): that distance and the altitude over K.
template <class Self, class W>
struct ShadowFormulas {
  template <int n>
  MCT_HD W half_aperture(const Point<W, n>& u) const {
    return angle_of(self().opening(self().caster(u)));
  }
  template <int n>
  MCT_HD W cone_angle(const Point<W, n>& u, const Point<W, n>& v) const {
    return angle_of(self().direction(self().caster(u), self().caster(v)));
  }
  /// max(0, cone_angle - half_aperture), the difference as the angle of a quotient.
  template <int n>
  MCT_HD W angle_energy(const Point<W, n>& u, const Point<W, n>& v) const {
    using L = limb_t<W>;
    const auto a = self().caster(u);
    const auto b = self().caster(v);
    const Opening<W> half = self().opening(a);
    const Opening<W> whole = self().direction(a, b);
    const W across = whole.sine * half.cosine - whole.cosine * half.sine;
    const W along = whole.cosine * half.cosine + whole.sine * half.sine;
    const auto inside = lead(across) <= L(scalar_t<L>(0));
    return blend(inside, number<W>(0), angle_of({along, across}));
  }
  template <int n>
  MCT_HD W boundary_distance(const Point<W, n>& u, const Point<W, n>& v) const {
    return self().radius * self().beyond(self().caster(u), self().caster(v));
  }
  template <int n>
  MCT_HD W altitude(const Point<W, n>& u, const Point<W, n>& v) const {
    return self().radius * self().rise(self().caster(u), self().caster(v));
  }
  template <int n>
  MCT_HD W cone_distance(const Point<W, n>& u, const Point<W, n>& v, const W& gamma) const {
    using L = limb_t<W>;
    const L zero(scalar_t<L>(0));
    const auto a = self().caster(u);
    const auto b = self().caster(v);
    const auto above = lead(self().lift(a, b)) > zero;
    const W push = only_where(lead(gamma) >= zero, W(gamma / self().radius));
    W distance = number<W>(0);
    if (somewhere(above)) distance = apex_distance(a, b, push);
    if (somewhere(!above)) distance = blend(above, distance, self().beyond(a, b));
    return only_where(lead(push) == lead(push), W(self().radius * distance));
  }
  /// True where v lies in the cone of u.
  template <int n>
  MCT_HD auto contains(const Point<W, n>& u, const Point<W, n>& v) const {
    using L = limb_t<W>;
    return lead(self().excess(self().caster(u), self().caster(v))) <= L(scalar_t<L>(0));
  }
  /// That of u itself, but for antumbral cones.
  template <int n>
  MCT_HD static const Point<W, n>& caster(const Point<W, n>& u) {
    return u;
  }

 private:
  MCT_HD static W angle_of(const Opening<W>& o) {
    using std::atan2;
    return W(atan2(o.sine, o.cosine));
  }
  /// From v to the point at a distance `push` from u along the axis, both over K: with q and g,
  /// sinh^2 of half the sides from u, sinh^2 of half the third is q + g + 2 q g - sinh(dist)
  /// cos(angle) sinh(push) / 2. Where the apex is nearest the angle is wide, and nothing cancels.
  template <int n>
  MCT_HD W apex_distance(const Point<W, n>& u, const Point<W, n>& v, const W& push) const {
    using L = limb_t<W>;
    const W half = self().half_sinh(u, v);
    const Reach<W> reach = reach_of(push);
    const W g = halved(W(reach.sinh * reach.tanh_half));
    const W q = half * half;
    const W third = q + g + doubled(W(q * g)) - halved(W(sight(self(), u, v).along * reach.sinh));
    const auto none = lead(third) < L(scalar_t<L>(0));  // where it is not asked for
    return doubled(asinh_of(root(W(blend(none, number<W>(0), third)))));
  }
  MCT_HD constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
