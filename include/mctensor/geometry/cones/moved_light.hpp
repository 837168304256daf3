// A light at another place than the usual one, and the isometry that takes it to the usual place.
//
//   const MovedLight light(HalfSpace<double>(1), Point<double, 2>(0.5, 0));  // on the ground
//   contains(cones, light.seen(u), light.seen(v));                // is v under u in this light?
//
// Isometries keep cones. So v is under u in a moved light if their images are in this order in the
// usual light, and one set of formulas suffices. Each light gives the same points another order.
//
// Error: `seen` and `unseen` have the error of seen_from. In the half-space `unseen` adds the
// rounding of the sum with the light's place. `pulled_back` has the error manifold_bound u^N |g| in
// the half-space, and the error of gyration in the ball. Domain: points of the manifold; other
// points give NaN. Source: Yu 2024, definition A.1.1; the derivative of an inversion is a
// reflection, and the derivative of x -> a (+) x is gyr[a, x] (Ungar 2005).
#pragma once

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/cones/cones.hpp"
#include "mctensor/geometry/gyro/mobius.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// M: PoincareBall or HalfSpace over double or an expansion of doubles. In the ball, the place of
/// the light is the point at its middle. In the half-space, it is a point of the ground (last
/// coordinate 0). Throws DomainError for another place.
template <class M, int n = dynamic>
class MovedLight {
 public:
  using Value = typename M::Value;
  static_assert(is_work_v<Value>);

  MovedLight(const M& manifold, const Point<Value, n>& place) : manifold_(manifold), place_(place) {
    if (!is_place())
      throw DomainError(std::string("a light is a point ") +
                        (in_half_space ? "of the ground, not at the height "
                                       : "of the ball, not at the distance ") +
                        number_text(in_half_space ? double(detail::lead(place[place.size() - 1]))
                                                  : double(detail::lead(norm(place)))));
  }

  const Point<Value, n>& place() const { return place_; }
  /// x moved by the isometry that takes the light to the usual place.
  Point<Value, n> seen(const Point<Value, n>& x) const { return seen_from(manifold_, place_, x); }
  /// The inverse of seen: the x with seen(x) = y.
  Point<Value, n> unseen(const Point<Value, n>& y) const {
    if constexpr (in_half_space) {
      return seen_from(manifold_, place_ - place_, y) + place_;
    } else {
      return seen_from(manifold_, -place_, y);
    }
  }
  /// The gradient at x of a function of seen(x), from its gradient g at seen(x). Both are in
  /// orthonormal frames: partial derivatives over lambda_x, the conformal factor.
  Point<Value, n> pulled_back(const Point<Value, n>& x, const Point<Value, n>& g) const {
    if constexpr (in_half_space) {
      const auto e = detail::polar(Point<Value, n>(x - place_)).direction;
      return g - e * detail::doubled(Value(dot(e, g)));
    } else {
      return gyration(manifold_, x, -place_, g);
    }
  }

 private:
  static constexpr bool in_half_space = detail::is_half_space_v<M>;

  bool is_place() const {
    if constexpr (in_half_space) {
      for (int i = 0; i < place_.size(); ++i)
        if (const auto x = detail::lead(place_[i]); x - x != 0) return false;
      return place_[place_.size() - 1] == detail::number<Value>(0);
    } else {
      return norm(place_) < manifold_.radius();
    }
  }

  M manifold_;
  Point<Value, n> place_;
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
