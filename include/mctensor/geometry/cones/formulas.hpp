// The formulas of umbral, penumbral and antumbral cones; cones.hpp explains them.
#pragma once

#include <cmath>

#include "mctensor/geometry/cones/light.hpp"
#include "mctensor/math/inverse_trig.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

// The base of all cones. All results follow from a few numbers of a pair of points.

/// Self, which also has the formulas of its manifold, supplies
/// - caster(u): the point whose penumbral cone is the cone of u;
/// - opening(u), direction(u, v): multiples of the cosine and the sine of the half-aperture and of
///   the angle at u between the axis and v;
/// - excess(u, v): a number with the sign of the distance from v to the boundary;
/// - lift(u, v): a number with the sign of the altitude;
/// - beyond(u, v), rise(u, v): the distance from v to the boundary, and the altitude, over K.
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
  /// max(0, cone_angle - half_aperture). The difference is computed as the angle of a quotient.
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
    if (often(above)) distance = apex_distance(a, b, push);
    if (often(!above)) distance = blend(above, distance, self().beyond(a, b));
    return only_where(lead(push) == lead(push), W(self().radius * distance));
  }
  /// True if v lies in the cone of u.
  template <int n>
  MCT_HD auto contains(const Point<W, n>& u, const Point<W, n>& v) const {
    using L = limb_t<W>;
    return lead(self().excess(self().caster(u), self().caster(v))) <= L(scalar_t<L>(0));
  }
  /// The point u itself. Antumbral cones return another point.
  template <int n>
  MCT_HD static const Point<W, n>& caster(const Point<W, n>& u) {
    return u;
  }

 private:
  MCT_HD static W angle_of(const Opening<W>& o) {
    using std::atan2;
    return W(atan2(o.sine, o.cosine));
  }
  /// The distance from v to the point on the axis that is `push` away from u. Both lengths are over
  /// K. In the triangle of the three points, let q and g be sinh^2 of half of the two sides that
  /// meet at u. Then sinh^2 of half the third side is q + g + 2 q g - sinh(dist) cos(angle)
  /// sinh(push) / 2. If the apex is the nearest point of the cone, the angle is wide, and nothing
  /// cancels.
  template <int n>
  MCT_HD W apex_distance(const Point<W, n>& u, const Point<W, n>& v, const W& push) const {
    using L = limb_t<W>;
    const W half = self().half_sinh(u, v);
    const Reach<W> reach = reach_of(push);
    const W g = halved(W(reach.sinh * reach.tanh_half));
    const W q = half * half;
    const W third = q + g + doubled(W(q * g)) - halved(W(sight(self(), u, v).along * reach.sinh));
    const auto none = lead(third) < L(scalar_t<L>(0));  // the result is not used there
    return doubled(asinh_of(root(W(blend(none, number<W>(0), third)))));
  }
  MCT_HD constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};

/// projx moves points that lie in the light out of it. This is their relative distance from the
/// light afterwards.
template <class V, class W>
MCT_HD inline double light_margin(int n) {
  return 16 * (unit_roundoff<V>() + n * unit_roundoff<W>());
}
/// u, moved out of the light: not within `light` of the origin, or not above the height `light`.
template <class W, int n>
MCT_HD inline Point<W, n> out_of_light(const BallFormulas<W>& m, const Point<W, n>& u,
                                       const W& light, double margin) {
  using L = limb_t<W>;
  const W least = m.radius * tanh_of(W(halved(W(light / m.radius)))) * W(number<W>(1 + margin));
  const auto [size, e] = polar(u);
  const auto lit = lead(size) < lead(least);
  const auto central = lead(size) == L(scalar_t<L>(0));
  Point<W, n> direction = e;
  W& last = direction[u.size() - 1];
  last = blend(central, number<W>(1), last);
  return kept_inside(m.radius, blend(lit, direction * least, u));
}
template <class W, int n>
MCT_HD inline Point<W, n> out_of_light(const HalfSpaceFormulas<W>& m, Point<W, n> u, const W& light,
                                       double margin) {
  const W largest = light * number<W>(1 - margin);
  W& height = u[u.size() - 1];
  height = blend(lead(m.height_at(u)) > lead(largest), largest, height);
  return u;
}

/// Umbral cones of balls of radius `size` under a point of light: v belongs to the cone of u if the
/// ball of v lies in the shadow of the ball of u. The boundary is equidistant from the ray of light
/// that touches u's ball. The distance of v from this ray is asinh t. With T = tanh r, w = sqrt(1 +
/// t^2) and t + sinh r = `excess`,
///   sinh(asinh t + r) = excess / w (T + |t| / cosh r) / (T + |t| / w)   for t < 0.
template <class Model, class W>
struct UmbralFormulas : Model, ShadowFormulas<UmbralFormulas<Model, W>, W> {
  W size;
  Reach<W> ball;  // for the radius size / K

  template <int n>
  MCT_HD Opening<W> opening(const Point<W, n>& u) const {
    const Edge<W> edge = umbral_edge(model(), u, ball);
    return {edge.cosine, edge.sine * edge.stretch};
  }
  template <int n>
  MCT_HD Opening<W> direction(const Point<W, n>& u, const Point<W, n>& v) const {
    const Edge<W> edge = umbral_edge(model(), u, ball);
    const Straight<W> s = straight(model(), u, v);
    const auto has_cone = lead(edge.cosine) == lead(edge.cosine);
    return {only_where(has_cone, s.run), s.across * edge.stretch};
  }
  template <int n>
  MCT_HD W excess(const Point<W, n>& u, const Point<W, n>& v) const {
    const Edge<W> edge = umbral_edge(model(), u, ball);
    const Straight<W> s = straight(model(), u, v);
    return s.across * edge.cosine - s.run * edge.sine;
  }
  template <int n>
  MCT_HD W beyond(const Point<W, n>& u, const Point<W, n>& v) const {
    using L = limb_t<W>;
    const L zero(scalar_t<L>(0));
    const Edge<W> edge = umbral_edge(model(), u, ball);
    const Straight<W> s = straight(model(), u, v);
    const W over = s.across * edge.cosine - s.run * edge.sine;
    const W t = s.across * edge.cosine - s.reach * edge.sine;
    const auto lit = lead(t) >= zero && lead(over) > zero;
    const W depth = blend(lead(t) < zero, -t, number<W>(0));
    const W wide = hypotenuse(number<W>(1), depth);
    const W tangent = ball.sinh / ball.cosh;
    const W near = over / wide * ((tangent + depth / ball.cosh) / (tangent + depth / wide));
    const W outside = blend(lit, t, number<W>(0));
    return blend(lit, W(asinh_of(outside) + size / this->radius), signed_asinh(near));
  }
  template <int n>
  MCT_HD W lift(const Point<W, n>& u, const Point<W, n>& v) const {
    return umbral_lift(model(), u, v, ball);
  }
  template <int n>
  MCT_HD W rise(const Point<W, n>& u, const Point<W, n>& v) const {
    return umbral_rise(model(), u, v, ball);
  }
  /// Moves a point of the ball out of the hole around the light.
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    const Point<W, n> point = Model::template projx<V>(x);
    if constexpr (requires { model().gap(x); }) {
      return out_of_light(model(), point, size, light_margin<V, W>(coordinates_in(x)));
    } else {
      return point;
    }
  }

 private:
  MCT_HD constexpr const Model& model() const { return *this; }
};

/// The cosine and sine of half the angle at which the light is seen from u. NaN if u lies in the
/// light. In the ball the light has the radius `light`; in the half-space it lies above the height
/// `light`.
template <class W, int n>
MCT_HD inline Opening<W> light_opening(const BallFormulas<W>& m, const Point<W, n>& u,
                                       const W& light) {
  return ball_opening(m, u, reach_of(W(light / m.radius)));
}
template <class W, int n>
MCT_HD inline Opening<W> light_opening(const HalfSpaceFormulas<W>& m, const Point<W, n>& u,
                                       const W& light) {
  const W h = m.height_at(u);
  return {root(W((light - h) / light)) * root(W((light + h) / light)), h / light};
}

/// Penumbral cones. Their boundaries are geodesics through u. Let a be the angle at u between v and
/// the boundary. Then sinh of the distance from v to the boundary is sinh(dist(u, v)) sin a.
template <class Self, class Model, class W>
struct PenumbralBase : Model, ShadowFormulas<Self, W> {
  W light;

  template <int n>
  MCT_HD Opening<W> opening(const Point<W, n>& u) const {
    return light_opening(model(), u, light);
  }
  template <int n>
  MCT_HD Opening<W> direction(const Point<W, n>& u, const Point<W, n>& v) const {
    const Opening<W> edge = opening(u);
    const Sight<W> s = sight(model(), u, v);
    const auto has_cone = lead(edge.cosine) == lead(edge.cosine);
    return {only_where(has_cone, s.along), s.across};
  }
  template <int n>
  MCT_HD W excess(const Point<W, n>& u, const Point<W, n>& v) const {
    const Opening<W> edge = opening(u);
    const Sight<W> s = sight(model(), u, v);
    return s.across * edge.cosine - s.along * edge.sine;
  }
  template <int n>
  MCT_HD W beyond(const Point<W, n>& u, const Point<W, n>& v) const {
    return signed_asinh(excess(u, v));
  }
  template <int n>
  MCT_HD W lift(const Point<W, n>& u, const Point<W, n>& v) const {
    const Opening<W> edge = opening(u);
    const Sight<W> s = sight(model(), u, v);
    return -(s.along * edge.cosine + s.across * edge.sine);
  }
  template <int n>
  MCT_HD W rise(const Point<W, n>& u, const Point<W, n>& v) const {
    return signed_asinh(W(lift(u, v) / hypotenuse(number<W>(1), excess(u, v))));
  }

 protected:
  MCT_HD constexpr const Model& model() const { return *this; }
};

template <class Model, class W>
struct PenumbralFormulas : PenumbralBase<PenumbralFormulas<Model, W>, Model, W> {
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    const Point<W, n> point = Model::template projx<V>(x);
    return out_of_light(this->model(), point, this->light, light_margin<V, W>(coordinates_in(x)));
  }
};

/// The point below u in which the rays cross that touch the light and u's ball on opposite sides.
/// In the ball its distance s from u satisfies tanh s = sinh r sinh d / (sinh R - sinh r cosh d).
/// Here d is the distance of u from the origin, r the radius of u's ball and R the radius of the
/// light, all over K. NaN if the rays do not cross.
template <class W, int n>
MCT_HD inline Point<W, n> crossing(const BallFormulas<W>& m, const Point<W, n>& u, const W& light,
                                   const W& size) {
  const W one = number<W>(1);
  const W k = m.radius;
  const W large = reach_of(W(light / k)).sinh;
  const W small = reach_of(W(size / k)).sinh;
  const auto [length, e] = polar(u);
  const W x = length / k;
  const W gap = inner_gap(m, u) / (k * k);
  const W a = doubled(W(small * x)) / gap;
  const W b = large - small * ((number<W>(2) - gap) / gap);
  const W rest = large - small * ((one + x) * ((one + x) / gap));  // b - a
  const W half = a / (b + root(rest) * root(W(b + a)));
  return kept_inside(k, e * W(k * ((x + half) / (one + x * half))));
}
/// In the half-space the point has the height sqrt(u_n (u_n - 2 H sinh r)).
template <class W, int n>
MCT_HD inline Point<W, n> crossing(const HalfSpaceFormulas<W>& m, Point<W, n> u, const W& light,
                                   const W& size) {
  const W h = m.height_at(u);
  const W small = reach_of(W(size / m.radius)).sinh;
  u[u.size() - 1] = root(h) * root(W(h - doubled(W(light * small))));
  return u;
}

/// Antumbral cones of balls. The cone of u is the penumbral cone of another point, the surrogate of
/// u.
template <class Model, class W>
struct AntumbralFormulas : PenumbralBase<AntumbralFormulas<Model, W>, Model, W> {
  W size;

  template <int n>
  MCT_HD Point<W, n> surrogate(const Point<W, n>& u) const {
    return crossing(this->model(), u, this->light, size);
  }
  template <int n>
  MCT_HD Point<W, n> caster(const Point<W, n>& u) const {
    return surrogate(u);
  }
  /// Deleted: for these cones a point may be too near to the light or too far from it.
  template <class V, int n>
  Point<W, n> projx(const Point<W, n>& x) const = delete;
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
