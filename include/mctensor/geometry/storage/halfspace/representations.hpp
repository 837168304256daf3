// Points of the half-space that keep their digits far from the origin.
//
// Far out, horizontal coordinates are large and the height is small. If |x| / h exceeds 2^53, a
// double has no digits left. This happens at distance 37 to 55. Each further component of x moves
// that limit by 37 (Theorem 3.3.4). The height is only multiplied, so it needs no further
// component. Hence:
//
//   XmcHalfSpace<T, M>  M components of every horizontal coordinate, one T for the height
//   McHalfSpace<T, M>   M components of every coordinate
//   LogHalfSpace<T, M>  as XmcHalfSpace, but with the logarithm of the height, which cannot over-
//                       or underflow
//
// In XmcHalfSpace and LogHalfSpace, M may exceed 4. With M >= 19, XmcHalfSpace<double, M> holds
// every point within distance 600 of the origin as exactly as a double holds a point next to the
// origin.
//
// Domain: finite points of positive height. Source: Yu 2024, section 3.3 and Alg. 16 and 17, with
// the corrections of docs/errata.md.
#pragma once

#include <array>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/operate.hpp"
#include "mctensor/geometry/storage/halfspace/height.hpp"

namespace mct::geometry {

/// A point: n - 1 horizontal coordinates and the height (in a LogHalfSpace the logarithm of the
/// height).
template <class X, class H, int n>
struct HalfSpacePoint {
  static_assert(n >= 2);
  static constexpr int dimension = n;
  X x[n - 1];
  H height;
};

/// The half-space of curvature -1/K^2, K = radius, over M components of T and one kind of height.
/// Vectors have two forms. A frame vector v is in units of the height: if |v| = 1, its length is K.
/// A coordinate vector is u = h v, as the tangent vectors of the model HalfSpace are.
template <class T, int M, class Height>
class HalfSpaceRepresentation : public TransportedMoves<HalfSpaceRepresentation<T, M, Height>> {
 public:
  using Work = single_t<T>;
  using X = Horizontal<T, M>;
  using HeightKind = Height;
  template <int n>
  using Point = HalfSpacePoint<X, typename Height::Value, n>;
  template <int n>
  using Vector = std::array<Work, std::size_t(n)>;

  /// Throws DomainError unless the radius is positive and finite.
  explicit HalfSpaceRepresentation(Work radius = Work(1)) : radius_(radius) {
    if (!(radius > 0) || !(radius - radius == Work(0)))
      throw DomainError("half-space: radius " + number_text(double(radius)) +
                        " is not a positive number");
  }
  MCT_HD MCT_ALWAYS_INLINE Work radius() const { return radius_; }

  /// (0, ..., 0, 1).
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE static Point<n> origin() {
    Point<n> p{};
    if constexpr (!std::is_same_v<Height, LogHeight<T>>) p.height = typename Height::Value(T(1));
    return p;
  }

  /// The distance of two points. Relative error 16 u (u of Work) for the points as they are stored,
  /// at any distance from each other and from the origin. half_space_distance states the range.
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Work dist(const Point<n>& p, const Point<n>& q) const {
    return radius_ * halfspace_detail::distance_of(Height(), across(p, q), p.height, q.height);
  }

  /// The direction in which dist(p, q) grows when p moves. It is a unit vector in the frame of p
  /// that points away from q, or 0 if p = q. K / h times this vector is the Euclidean gradient of
  /// dist by p. 1 / K times this vector is the Riemannian gradient, as a frame vector.
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Vector<n> direction(const Point<n>& p, const Point<n>& q) const {
    const auto d =
        half_space_direction(halfspace_detail::gap_of(Height(), across(p, q), p.height, q.height));
    Vector<n> r{};
    for (int i = 0; i + 1 < n; ++i)
      r[std::size_t(i)] = halfspace_detail::difference_of(p.x[i], q.x[i]) / d.by * d.times;
    r[std::size_t(n - 1)] = d.up;
    return r;
  }

  /// The Euclidean gradient of dist(p, q) by p, as `egrad2rgrad` takes it. For a logarithmic height
  /// it is multiplied by the height, because otherwise it would leave the range as 1 / h does.
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Vector<n> dist_gradient(const Point<n>& p, const Point<n>& q) const {
    Vector<n> r = direction(p, q);
    const Work h = unit_height(p);
    for (Work& g : r) g = g * radius_ / h;
    return r;
  }
  /// The Riemannian gradient, as a frame vector, from the Euclidean gradient g: h g / K^2. Error 4
  /// u.
  template <class P, std::size_t n>
  MCT_HD MCT_ALWAYS_INLINE std::array<Work, n> egrad2rgrad(const P& p,
                                                           std::array<Work, n> g) const {
    const Work h = unit_height(p);
    for (Work& c : g) c = h * c / (radius_ * radius_);
    return g;
  }
  /// The length of a frame vector. Error (n / 2 + 5) u.
  template <class P, std::size_t n>
  MCT_HD MCT_ALWAYS_INLINE Work norm(const P&, const std::array<Work, n>& v) const {
    return radius_ *
           halfspace_detail::length_of<Work>(int(n), [&](int i) { return v[std::size_t(i)]; });
  }
  /// True for finite coordinates and a finite positive height. The logarithm of a height must be
  /// finite only.
  template <int n>
  MCT_HD bool check_point(const Point<n>& p) const {
    const auto is_finite = [](double x) { return x - x == 0; };
    const double height(p.height);
    bool good = is_finite(height) && (is_logarithmic || height > 0);
    for (const X& x : p.x) good &= is_finite(double(halfspace_detail::leading(x)));
    return good;
  }

  /// The exponential map of a frame vector. V is Work, or Expansion<T, M> if the step must have all
  /// digits of the point (double and float). McHalfSpace always computes in Expansion<T, M>. A
  /// vector with a coordinate beyond 709 (88 in float) is shortened until it has none. Heights stay
  /// in their range.
  /// The zero vector leads to p itself. An invalid vector or height gives NaN.
  template <int n, class V>
  MCT_HD MCT_ALWAYS_INLINE Point<n> expmap(const Point<n>& p,
                                           const std::array<V, std::size_t(n)>& frame) const {
    using W = StepValue<V>;
    const auto given = [&](int i) { return W(frame[std::size_t(i)]); };
    const W shorter = halfspace_detail::shortening<W>(n, given);
    const auto side = [&](int i) { return W(given(i) * shorter); };
    const W h = halfspace_detail::height_value<W>(Height(), p.height);
    Point<n> r = p;
    bool valid = halfspace_detail::is_height(Height(), p.height);
    half_space_step<W>(
        n, side, h, [&](int i, const W& shift) { r.x[i] = halfspace_detail::moved(p.x[i], shift); },
        [&](const HalfSpaceStride<W>& stride) {
          valid = valid && stride.stretch == stride.stretch;
          const W across = halfspace_detail::length_of<W>(n - 1, side);
          r.height = halfspace_detail::stretched(Height(), p.height, stride, across, side(n - 1));
        });
    // the limits of sums and heights must not hide a NaN
    if (!valid) {
      for (X& x : r.x) x = X(T(FloatTraits<T>::nan));
      r.height = typename Height::Value(T(FloatTraits<T>::nan));
    }
    return r;
  }

  /// The exponential map of a vector u in coordinates.
  template <int n, class V>
  MCT_HD MCT_ALWAYS_INLINE Point<n> expmap_coordinates(
      const Point<n>& p, const std::array<V, std::size_t(n)>& u) const {
    std::array<V, std::size_t(n)> frame;
    const V h = halfspace_detail::height_value<V>(Height(), p.height);
    for (std::size_t i = 0; i < std::size_t(n); ++i) frame[i] = u[i] / h;
    return expmap<n>(p, frame);
  }

  /// Transports a frame vector v from p to q along the geodesic (turn_frame).
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Vector<n> ptransp(const Point<n>& p, const Point<n>& q,
                                             const Vector<n>& v) const {
    const auto gap = halfspace_detail::gap_of(Height(), across(p, q), p.height, q.height);
    const Work far = halfspace_detail::length_of(gap.across, gap.total);
    Vector<n> sine{};
    for (int i = 0; i + 1 < n; ++i)
      sine[std::size_t(i)] =
          halfspace_detail::difference_of(q.x[i], p.x[i]) * gap.root_unit * gap.root_unit / far;
    Vector<n> r = v;
    const auto turned = [&](int i) -> Work& { return r[std::size_t(i)]; };
    turn_frame<Work>(
        n, [&](int i) { return sine[std::size_t(i)]; }, gap.total / far, turned);
    return r;
  }

  /// The frame vector whose expmap at p is q.
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE Vector<n> logmap(const Point<n>& p, const Point<n>& q) const {
    Vector<n> r = direction(p, q);
    const Work length = dist(p, q) / radius_;
    for (Work& g : r) g = -length * g;
    return r;
  }

  /// One step of gradient descent, z <- exp_z(-lr grad f), from the partial derivatives of f at z.
  /// Source: Alg. 16 (XmcHalfSpace) and 17 (McHalfSpace; the stretch of the height has all M
  /// components here, and one component in the printed algorithm).
  template <int n>
  MCT_HD Point<n> rsgd_step(const Point<n>& z, const Vector<n>& gradient, Work lr) const {
    Vector<n> frame = egrad2rgrad(z, gradient);
    for (Work& c : frame) c = -lr * c;
    return expmap<n>(z, frame);
  }

 private:
  static constexpr bool is_long = std::is_same_v<Height, LongHeight<T, M>>;
  static constexpr bool is_logarithmic = std::is_same_v<Height, LogHeight<T>>;
  /// The height by which dist_gradient divides and egrad2rgrad multiplies; 1 for a logarithmic
  /// height.
  template <class P>
  MCT_HD MCT_ALWAYS_INLINE static Work unit_height(const P& p) {
    if constexpr (is_logarithmic) return Work(1);
    return halfspace_detail::height_value<Work>(Height(), p.height);
  }
  /// The number type in which a step is computed.
  template <class V>
  using StepValue =
      std::conditional_t<is_long && std::is_arithmetic_v<T>, typename Height::Value, V>;

  template <int n>
  MCT_HD MCT_ALWAYS_INLINE static Work across(const Point<n>& p, const Point<n>& q) {
    return halfspace_detail::length_of<Work>(
        n - 1, [&](int i) { return halfspace_detail::difference_of(p.x[i], q.x[i]); });
  }

  Work radius_;
};

/// M components of the horizontal coordinates, and one number for the height (3.3.2).
template <class T, int M>
using XmcHalfSpace = HalfSpaceRepresentation<T, M, PlainHeight<T>>;

/// M components of all coordinates (3.3.2, B.2.4), M <= 4.
template <class T, int M>
using McHalfSpace = HalfSpaceRepresentation<T, M, LongHeight<T, M>>;

/// M components of the horizontal coordinates and the logarithm of the height. T: double or float.
template <class T, int M>
using LogHalfSpace = HalfSpaceRepresentation<T, M, LogHeight<T>>;

}  // namespace mct::geometry
