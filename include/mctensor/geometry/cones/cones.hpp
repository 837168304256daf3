// Systems of cones. Points stand for things. The cone of a point u holds every point v that is more
// special than u. The relation is transitive.
//
//   const UmbralCones cones(HalfSpace<double>(1), 0.1);
//   contains(cones, u, v);            // is v under u?
//   cones.boundary_distance(u, v);    // how far outside; negative inside
//   cones.cone_distance(u, v, 1e-4);  // the energy to train with
//
// Cones are shadows. The light shines from above in the half-space, and from the origin in the ball
// (or from anywhere, see seen_from). The axis of u's cone leads from u away from the light.
// - UmbralCones: points are the centres of balls of one radius, the light is a point. v belongs to
//   the cone of u if the ball of v lies in the shadow of the ball of u.
// - PenumbralCones: the light is a ball; in the half-space it is everything above a height (a
//   horoball). v belongs to the cone of u if the geodesic from v through u leads on into the light.
//   Penumbral cones in the ball are also called entailment cones.
// - AntumbralCones: light and balls both have a size. Rays that touch the light and u's ball on
//   opposite sides cross in a point below u; the cone of u is the penumbral cone of that point.
// Source: Yu 2024, section 2.2 and appendix A.1, with the corrections of docs/errata.md; Ganea,
// Bécigneul, Hofmann: Hyperbolic entailment cones, ICML 2018.
//
// The operations, on points, tensors and variables, as methods and as functions of the cones:
//   half_aperture(u)          the angle at u between the axis and the boundary
//   cone_angle(u, v)          the angle at u between the axis and the geodesic to v. For umbral
//                             cones the curve to v that is equidistant from a ray of light takes
//                             the place of the geodesic. v is in the cone if cone_angle is no
//                             larger than half_aperture. For v = u cone_angle is 0
//   angle_energy(u, v)        max(0, cone_angle - half_aperture)
//   boundary_distance(u, v)   the distance from v to the curve that bounds the cone on v's side,
//                             continued beyond u; negative inside
//   altitude(u, v)            let p be the point nearest to v on the ray that bounds the cone:
//                             the length along the ray by which p is nearer to the light than u.
//                             If it is positive and v outside, the apex is the cone's nearest point
//   cone_distance(u, v, g)    boundary_distance where the altitude is not positive; elsewhere the
//                             distance of v from the point g >= 0 beyond u on the axis. For g = 0
//                             it is the distance from the cone (negative inside) and continuous.
//                             For g > 0 the gradient leads into the cone, and cone_distance jumps
//                             by less than g at altitude 0
//   contains(u, v)            as flags; false for NaN
//   surrogate(u)              the point whose penumbral cone is the antumbral cone of u
//   projx(x)                  x moved out of the light (not of antumbral cones)
// With Learnable<UmbralCones<...>> the radii are variables too: K, then the radii of the light and
// of balls, in the order of the constructor.
//
// Domain: u outside the light, v anywhere, distances plus radii to 700 K. In the ball, |x| < K, and
// for umbral cones u is farther from the light than the radius of its ball. For antumbral cones the
// rays must cross. In the half-space, with light above the height H, they cross if 2 H sinh r <
// u_n. In the ball they cross if e^d sinh r < sinh R. Here d is the distance of u from the origin,
// r the radius of the balls and R the radius of the light, all over K. Outside the domain, and for
// a NaN in any operand, results are NaN.
//
// Bounds are in units of manifold_bound u^N (error_bounds.hpp). z is the result, s the
// half-aperture at u, and r the radius of light or balls over K (0 for a height). cond is the
// condition number: the sum of |dz / d input| |input| over coordinates, K and the cones' own
// lengths.
//   half_aperture       relative, times (1 + r) / cos s
//   cone_angle          relative; of 3 and 4 components at least u^(5 - N)
//   angle_energy        half_aperture (1 + r) / cos s + cone_angle
//   boundary_distance   |z| + cond; of points nearer than K also dist(u, v) (1 + r) / cos s
//   altitude            |z| + cond
//   cone_distance       |z| + dist(u, v) + the cond of boundary_distance
//   surrogate           |z| + cond
#pragma once

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/cones/formulas.hpp"
#include "mctensor/geometry/cones/operations.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// Throws DomainError unless a length of cones is positive and finite.
template <class V>
MCT_HD constexpr void require_length([[maybe_unused]] const char* what,
                                     [[maybe_unused]] const V& x) {
#ifndef __CUDA_ARCH__
  if constexpr (is_component_v<limb_t<V>>) {
    const double head(lead(x));
    if (!(head > 0) || head - head != 0)
      throw DomainError(std::string(what) + ' ' + number_text(head) +
                        " is not positive and finite");
  }
#endif
}

/// The formulas of a manifold for a number type.
template <class M, class W>
using model_formulas = decltype(std::declval<const M&>().formulas_at(std::array<W, 1>()));

/// The base of systems of cones over a manifold M; Self has formulas_at.
template <class Self, class M, int lengths>
class ConeSystem : public ConeOperations<Self> {
 public:
  using Value = typename M::Value;
  using Work = typename M::Work;
  static constexpr int radii = 1 + lengths;

  MCT_HD MCT_ALWAYS_INLINE constexpr const M& manifold() const { return manifold_; }
  MCT_HD MCT_ALWAYS_INLINE auto formulas() const {
    std::array<Work, radii> k{to_work(manifold_.radius())};
    for (std::size_t i = 0; i < std::size_t(lengths); ++i) k[i + 1] = to_work(lengths_[i]);
    return static_cast<const Self&>(*this).formulas_at(k);
  }
  std::array<Value, radii> all_radii() const {
    std::array<Value, radii> k{manifold_.radius()};
    for (std::size_t i = 0; i < std::size_t(lengths); ++i) k[i + 1] = lengths_[i];
    return k;
  }
  /// The same cones with other radii.
  Self with_radii(const std::array<Value, radii>& k) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return Self(M(k[0]), k[i + 1]...); }
    (std::make_index_sequence<std::size_t(lengths)>());
  }
  template <class P, class... Others>
  MCT_HD MCT_ALWAYS_INLINE static constexpr void require(const P& x, const Others&... others) {
    M::require(x, others...);
  }

 protected:
  MCT_HD constexpr ConeSystem(const M& manifold, const std::array<Value, lengths>& each)
      : manifold_(manifold), lengths_(each) {}
  template <int i>
  MCT_HD constexpr const Value& length() const {
    return lengths_[i];
  }
  template <class Formulas, class W>
  MCT_HD MCT_ALWAYS_INLINE Formulas with_manifold(const W& k) const {
    Formulas f;
    f.radius = k;
    return f;
  }

 private:
  M manifold_;
  std::array<Value, lengths> lengths_;
};

template <class M>
inline constexpr bool is_half_space_v = requires(const M& m, const Point<typename M::Work>& x) {
  m.formulas().height(x);
};

}  // namespace detail

/// M: PoincareBall or HalfSpace. Points are centres of balls of radius `size`. The light is a
/// point: the origin of the ball, or the point at infinity above the half-space. Throws DomainError
/// unless the radius is positive and finite.
template <class M>
class UmbralCones : public detail::ConeSystem<UmbralCones<M>, M, 1> {
  using Base = detail::ConeSystem<UmbralCones<M>, M, 1>;

 public:
  using typename Base::Value;
  MCT_HD UmbralCones(const M& manifold, const std::type_identity_t<Value>& size)
      : Base(manifold, {size}) {
    detail::require_length("UmbralCones: the balls' radius", size);
  }
  MCT_HD const Value& size() const { return this->template length<0>(); }

  template <class W>
  MCT_HD MCT_ALWAYS_INLINE auto formulas_at(const std::array<W, 2>& k) const {
    using Formulas = detail::UmbralFormulas<detail::model_formulas<M, W>, W>;
    Formulas f = this->template with_manifold<Formulas>(k[0]);
    f.size = k[1];
    f.ball = detail::reach_of(W(k[1] / k[0]));
    return f;
  }
};

/// M: PoincareBall or HalfSpace. In the ball, the light is a ball of radius `light` at the origin.
/// In the half-space, the light is everything above the height `light` (e^h in the source). Throws
/// DomainError unless `light` is positive and finite.
template <class M>
class PenumbralCones : public detail::ConeSystem<PenumbralCones<M>, M, 1> {
  using Base = detail::ConeSystem<PenumbralCones<M>, M, 1>;

 public:
  using typename Base::Value;
  MCT_HD PenumbralCones(const M& manifold, const std::type_identity_t<Value>& light)
      : Base(manifold, {light}) {
    detail::require_length("PenumbralCones: the light's radius or height", light);
  }
  MCT_HD const Value& light() const { return this->template length<0>(); }

  template <class W>
  MCT_HD MCT_ALWAYS_INLINE auto formulas_at(const std::array<W, 2>& k) const {
    using Formulas = detail::PenumbralFormulas<detail::model_formulas<M, W>, W>;
    Formulas f = this->template with_manifold<Formulas>(k[0]);
    f.light = k[1];
    return f;
  }
};

/// The light as for PenumbralCones, and balls of radius `size` around points. Throws DomainError
/// unless both are positive and finite. In the ball, balls that are not smaller than the light give
/// NaN.
template <class M>
class AntumbralCones : public detail::ConeSystem<AntumbralCones<M>, M, 2> {
  using Base = detail::ConeSystem<AntumbralCones<M>, M, 2>;

 public:
  using typename Base::Value;
  MCT_HD AntumbralCones(const M& manifold, const std::type_identity_t<Value>& light,
                        const std::type_identity_t<Value>& size)
      : Base(manifold, {light, size}) {
    detail::require_length("AntumbralCones: the light's radius or height", light);
    detail::require_length("AntumbralCones: the balls' radius", size);
  }
  MCT_HD const Value& light() const { return this->template length<0>(); }
  MCT_HD const Value& size() const { return this->template length<1>(); }

  template <class W>
  MCT_HD MCT_ALWAYS_INLINE auto formulas_at(const std::array<W, 3>& k) const {
    using Formulas = detail::AntumbralFormulas<detail::model_formulas<M, W>, W>;
    Formulas f = this->template with_manifold<Formulas>(k[0]);
    f.light = k[1];
    f.size = k[2];
    return f;
  }
};

/// The entailment cones with the half-aperture asin(c (1 - |x|^2) / |x|), with x in units of K.
/// They are penumbral cones with a light of radius K asinh(2 c) (Yu 2024, theorem 2.2.2). Throws
/// DomainError unless c is positive and finite.
template <class V>
inline PenumbralCones<PoincareBall<V>> entailment_cones(const PoincareBall<V>& ball,
                                                        const std::type_identity_t<V>& c) {
  using W = work_t<V>;
  detail::require_length("entailment_cones: the constant", c);
  const W k = detail::to_work(ball.radius());
  const W light = k * detail::asinh_of(W(detail::doubled(detail::to_work(c))));
  return {ball, detail::from_work<V>(light)};
}

/// Whether v lies in the cone of u: a flag for single points, a mask for SIMD lanes.
template <class C, class V, int n>
MCT_HD inline auto contains(const C& cones, const Point<V, n>& u, const Point<V, n>& v) {
  static_assert(std::is_same_v<V, typename C::Value>, "points of another number type");
  cones.require(u, v);
  return cones.formulas().contains(detail::to_work(u), detail::to_work(v));
}

}  // namespace MCT_ISA_NAMESPACE

namespace operation::inline MCT_ISA_NAMESPACE {

/// (s, x): see mct::geometry::seen_from.
struct seen_from {
  static constexpr const char* name = "seen_from";
  static constexpr const char* operands = "pp";
  static constexpr OperationResult result = OperationResult::point;

  template <class V, class W, int n>
  MCT_HD static Point<W, n> on(const detail::BallFormulas<W>& f, const Point<W, n>& s,
                               const Point<W, n>& x) {
    return f.mobius_add(-s, x);
  }
  template <class V, class W, int n>
  MCT_HD static Point<W, n> on(const detail::HalfSpaceFormulas<W>& f, const Point<W, n>& s,
                               const Point<W, n>& x) {
    using L = detail::limb_t<W>;
    const auto [size, e] = detail::polar(x - s);
    Point<W, n> y = e / size;
    const auto ideal = detail::lead(f.height(s)) == L(scalar_t<L>(0));
    y[x.size() - 1] =
        detail::only_where(ideal, detail::above_zero(W(f.height_at(x) / size / size)));
    return y;
  }
};

}  // namespace operation::inline MCT_ISA_NAMESPACE

inline namespace MCT_ISA_NAMESPACE {

/// The image of x under the isometry that takes another source of light s to the place of the
/// cones' light. In the ball s is a point, and the isometry is x -> (-s) (+) x. In the half-space s
/// is a point of the boundary (last coordinate 0, else the height is NaN), and the isometry is the
/// inversion at s. A tensor s of shape (k, n) gives several sources, each with its own cones:
/// seen_from(m, s, x.unsqueeze(-2)) has the shape (..., k, n). Bounds: in the ball the bounds of
/// mobius_add; in the half-space the bound is relative, for the height and for the length of the
/// other coordinates.
template <class M, class S, class X>
MCT_HD inline auto seen_from(const M& m, const S& s, const X& x)
    -> decltype(operate<operation::seen_from>(m, s, x)) {
  return operate<operation::seen_from>(m, s, x);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
