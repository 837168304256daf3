// The Poincaré ball: |x| < K, metric 4 |dx|^2 / (1 - |x|^2 / K^2)^2.
//
// The gap G_x = K^2 - |x|^2 is computed with twice the limbs; d = y - x. All formulas below are
// sums of terms that do not cancel, except x + y in mobius_add. Sources: Ungar: Analytic hyperbolic
// geometry, 2005 (gyrovectors); the identities |G_x d - |d|^2 x|^2 = |d|^2 (G_x G_y + |d|^2 K^2)
// and 2 (K^2 - x.y) = G_x + G_y + |d|^2.
//
// Domain: |x| < K; elsewhere NaN.
#pragma once

#include "mctensor/geometry/gyro/gyrovectors.hpp"
#include "mctensor/geometry/manifold.hpp"
#include "mctensor/geometry/turn.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The base of models whose points lie inside the sphere of radius K.
template <class Model, class W>
struct OpenBallFormulas : HyperbolicFormulas<Model, W> {
  using HyperbolicFormulas<Model, W>::radius;

  template <int n>
  MCT_HD W gap(const Point<W, n>& x) const {
    using L = limb_t<W>;
    const W g = gap_of(radius, x);
    return only_where(lead(g) >= L(scalar_t<L>(0)), g);
  }
  template <int n>
  MCT_HD auto inside(const Point<W, n>& x) const {
    const W g = gap(x);
    return lead(g) == lead(g);
  }
  template <class V, int n>
  MCT_HD Point<V, n> rounded(const Point<W, n>& z) const {
    return rounded_inside<V>(*this, radius, z);
  }
  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(), [](int) { return number<W>(0); });
  }
  /// Rounding of coordinates to V changes the length by a factor of at most 1 + u_V; the length of
  /// e has an error of n u_W.
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    using L = limb_t<W>;
    const auto [length, e] = polar(x);
    const auto inside = lead(gap(x)) > L(scalar_t<L>(0));
    const double margin = 4 * (unit_roundoff<V>() + x.size() * unit_roundoff<W>());
    const W largest = radius - radius * number<W>(margin);
    return generate<Point<W, n>>(
        x.size(), [&, &unit = e](int i) { return blend(inside, x[i], W(unit[i] * largest)); });
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double) const {
    return lead(gap(x)) > 0;
  }
  /// Cuts steps to 2^(2 emax / 5) K. There every point is on the boundary to the last digit.
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    using L = limb_t<W>;
    constexpr auto farthest = pow2<scalar_t<L>>(FloatTraits<L>::emax * 2 / 5);
    const W s = this->model().length(x, u);
    const auto far = lead(s) > L(farthest);
    return this->model().advance(x, u, algebraic_reach_of(W(blend(far, number<W>(farthest), s))));
  }
};

/// The point between x and y with these shares (geodesic.hpp), for own = K^2 / G_x and there = K^2
/// / G_y. On the hyperboloid x has the spatial coordinates X = 2 own x and the time K (2 own - 1).
/// For small x and large K, X is as small as x, so no limb of the sum falls out of the range.
template <class W, int n>
MCT_HD inline Point<W, n> ball_between(const Point<W, n>& x, const W& own, const Point<W, n>& y,
                                       const W& there, const Share<W>& share) {
  const W one = number<W>(1);
  const W other = there * share.second * share.first;
  const W time_of_other = (doubled(there) - one) * share.second * share.first;
  const W scale = number<W>(2) / (share.inverse + (doubled(own) - one) + time_of_other);
  return generate<Point<W, n>>(x.size(),
                               [&](int i) { return W((x[i] * own + y[i] * other) * scale); });
}

/// The end of the geodesic from x along u. Let r = |x| / K, t = tanh(s/2), and c and sin the cosine
/// and sine of the angle between x and u. Then the end has, over K, the components
///   (r (1 + t^2) + (1 + r^2) t c) / D along x and (1 - r^2) t sin / D across,
///   D = 1 + r^2 t^2 + 2 r t c.
/// For c < 0, where 1 + c = sin^2 / (1 - c) has its digits, the component along x is computed as
///   ((r - t)(1 - r t) + (1 + r^2) t (1 + c)) / D with D = (1 - r t)^2 + 2 r t (1 + c).
/// Near the boundary r - t would cancel. So it is computed there as the difference of 1 - t and 1 -
/// r, which follow from `reach` and from complement = 1 - r^2. The Möbius sum of x and the point at
/// t along u would lose digits if the two points are opposite and far out. The loss is at most a
/// factor of e^s.
template <class W, int n>
MCT_HD MCT_NOINLINE inline Point<W, n> ball_landing(const W& radius, const Point<W, n>& x,
                                                    const W& complement, const Point<W, n>& u,
                                                    const Reach<W>& reach) {
  using L = limb_t<W>;
  const L zero(scalar_t<L>(0));
  const W one = number<W>(1);
  const auto turn = turn_in<limbs_of<W>>(x, u);
  const W r = turn.from / radius;
  const W& t = reach.tanh_half;
  const W still = at_least_tiny(reach.sech2_half) / (one + t);  // 1 - t
  const W edge = complement / (one + r);                        // 1 - r
  const W r2 = r * r;
  const auto inward = lead(turn.cos) < zero;
  const W c = turn.cos;
  const auto central = lead(W(r + t)) < lead(one);
  const W way = blend(central, W(r - t), W(still - edge));
  const W rest = edge + r * still;  // 1 - r t
  const W& sine = turn.sine;
  const W bend = t * (sine * (sine / (one - blend(inward, c, W(zero)))));
  const W forth = r * (one + t * t) + (one + r2) * (t * c);
  const W back = way * rest + (one + r2) * bend;
  const W whole = one + (r * t) * (r * t + doubled(c));
  const W near = rest * rest + doubled(W(r * bend));
  const W divisor = blend(inward, near, whole);
  const W along = radius * (blend(inward, back, forth) / divisor);
  const W aside = radius * (complement * (t / divisor));
  return kept_inside(radius, generate<Point<W, n>>(x.size(), [&, &e = turn.outward](int i) {
                       return W(e[i] * along + turn.orthogonal[i] * aside);
                     }));
}

template <class W>
struct BallFormulas : OpenBallFormulas<BallFormulas<W>, W>, GyrovectorFormulas<BallFormulas<W>, W> {
  using OpenBallFormulas<BallFormulas<W>, W>::gap;
  using OpenBallFormulas<BallFormulas<W>, W>::radius;

  template <int n>
  MCT_HD Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    return generate<Point<W, n>>(u.size(), [&](int i) { return halved(u[i]); });
  }

  /// sqrt(a b) for gaps a and b. With three and more limbs the roots are multiplied, because for
  /// small radii the product a b would lose limbs.
  MCT_HD static W middle(const W& a, const W& b) {
    return limbs_of<W> <= 2 ? root(W(a * b)) : W(root(a) * root(b));
  }
  template <int n>
  MCT_HD W half_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    // this order, because a short difference times the radius, or over large gaps, may underflow
    return norm_of(y - x) * W(radius / middle(gap(x), gap(y)));
  }
  template <int n>
  MCT_HD W half_sinh_square(const Point<W, n>& x, const Point<W, n>& y) const {
    return half_sinh_square(squared_norm(y - x), gap(x), gap(y));
  }
  MCT_HD W half_sinh_square(const W& d2, const W& gap_x, const W& gap_y) const {
    return ordinary_quotient(W(d2 * (radius * radius)), W(gap_x * gap_y));
  }
  template <int n>
  MCT_HD W length(const Point<W, n>& x, const Point<W, n>& u) const {
    return norm_times(u, doubled(W(radius / gap(x))));
  }
  template <int n>
  MCT_HD W lambda_x(const Point<W, n>& x) const {
    return doubled(W(radius * radius / gap(x)));
  }
  template <int n>
  MCT_HD Point<W, n> dist_gradient(const Point<W, n>& x, const Point<W, n>& y) const {
    return this->conformal_gradient(x, y);
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const W lambda = lambda_x(x);
    return dot(u * lambda, v * lambda);
  }
  template <int n>
  MCT_HD Point<W, n> advance(const Point<W, n>& x, const Point<W, n>& u,
                             const Reach<W>& reach) const {
    const Point<W, n> w = directed(u, W(radius * reach.tanh_half));
    const W g = gap(x);
    const W k2 = radius * radius;
    const Point<W, n> z = mobius_quotient(radius, x, g, w, W(k2 * at_least_tiny(reach.sech2_half)));
    if constexpr (is_traced_v<W>) {
      return z;
    } else {
      // otherwise the sum of x and w loses two bits at most
      using L = limb_t<W>;
      const auto back = lead(dot(x, w)) < L(scalar_t<L>(-0.5)) * lead(k2);
      if (!somewhere(back)) return z;
      return blend(
          back, ball_landing(W(radius), Point<W, n>(x), W(g / k2), Point<W, n>(u), Reach<W>(reach)),
          z);
    }
  }
  template <int n>
  MCT_HD Point<W, n> between(const Point<W, n>& x, const Point<W, n>& y,
                             const Share<W>& share) const {
    const W own = radius / gap(x) * radius;
    const W there = radius / gap(y) * radius;
    return kept_inside(radius, ball_between(x, own, y, there, share));
  }
  template <int n>
  MCT_HD Way<W, n> way(const Point<W, n>& x, const Point<W, n>& y) const {
    const W gap_x = gap(x);
    const W gap_y = gap(y);
    const Point<W, n> d = y - x;
    const W d2 = squared_norm(d);
    return {half_sinh_square(d2, gap_x, gap_y), leaning(x, gap_x, d, d2), doubled(gap_y)};
  }
  template <int n>
  MCT_HD Point<W, n> toward(const Point<W, n>& x, const Point<W, n>& y) const {
    const Point<W, n> d = y - x;
    const auto scale = unit_scale(d);
    const Point<W, n> unit = times(d, scale);
    return leaning(x, gap(x), unit, over(squared_norm(unit), scale));
  }
  /// G_x d - |d|^2 x times a scale: d is scaled to a length near 1, and d2 is |d|^2 times that
  /// scale.
  template <int n>
  MCT_HD static Point<W, n> leaning(const Point<W, n>& x, const W& gap_x, const Point<W, n>& d,
                                    const W& d2) {
    return generate<Point<W, n>>(x.size(), [&](int i) { return W(gap_x * d[i] - d2 * x[i]); });
  }
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    // the radius is scaled to near 1, because its fourth power, or its eighth in derivatives, may
    // leave the range
    const auto scale = scale_to_unit(lead(radius));
    const Point<W, n> from = times(x, scale);
    const Point<W, n> to = times(y, scale);
    BallFormulas unit;
    unit.radius = times(radius, scale);
    const W gap_x = unit.gap(from);
    const W gap_y = unit.gap(to);
    return gyration_from_gaps(unit.radius, from, gap_x, to, gap_y, u) * W(gap_y / gap_x);
  }

  template <int n>
  MCT_HD Point<W, n> expmap0(const Point<W, n>& u) const {
    return kept_inside(radius, directed(u, W(radius * tanh_of(W(norm_of(u) / radius)))));
  }
  template <int n>
  MCT_HD Point<W, n> logmap0(const Point<W, n>& y) const {
    return directed(y, W(radius * asinh_of(W(norm_of(y) / root(gap(y))))));
  }
  template <int n>
  MCT_HD Point<W, n> ptransp0(const Point<W, n>& y, const Point<W, n>& u) const {
    return u * W(gap(y) / (radius * radius));
  }

  template <int n>
  MCT_HD Point<W, n> ptransp0back(const Point<W, n>& y, const Point<W, n>& u) const {
    return u * W(radius * radius / gap(y));
  }

  /// K log(|K omega - x|^2 / G), computed by log1p. It is negative inside the horosphere through
  /// the origin that touches the boundary in K omega.
  template <class V, int n>
  MCT_HD W busemann(const Point<W, n>& x, const Point<W, n>& omega) const {
    using L = limb_t<W>;
    const Horosphere h = horosphere<V>(x, omega);
    const auto inside = lead(h.difference) > L(scalar_t<L>(0));
    const W divisor = blend(inside, h.distance2, h.gap);
    const W value = radius * log1p_of(W(blend(inside, h.difference, -h.difference) / divisor));
    return blend(inside, -value, value);
  }
  /// The horosphere through x that touches the boundary in K omega meets the line through the
  /// origin and K omega in this point: K tanh(-B / (2 K)) omega = K (G - D) / (G + D) omega. B is
  /// the value of busemann, and D = |K omega - x|^2. Source: Chami et al.: HoroPCA, ICML 2021.
  template <class V, int n>
  MCT_HD Point<W, n> horosphere_projection(const Point<W, n>& x, const Point<W, n>& omega) const {
    const Horosphere h = horosphere<V>(x, omega);
    return kept_inside(radius, omega * W(radius * (h.difference / (h.gap + h.distance2))));
  }
  /// |K omega - x|^2 and the gap of x. Their quotient is e^(B / K) with the value B of busemann.
  struct Horosphere {
    W distance2, gap, difference;  // difference = gap - distance2, without cancellation near 0
  };
  template <class V, int n>
  MCT_HD Horosphere horosphere(const Point<W, n>& x, const Point<W, n>& omega) const {
    require_unit<V>(omega);
    const Point<W, n> end = omega * radius;
    const Point<W, n> d = end - x;
    return {squared_norm(d), gap(x), doubled(W(dot_with_difference(x, x, end)))};
  }

  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    const W inverse = halved(W(gap(x) / (radius * radius)));
    return g * W(inverse * inverse);
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The Poincaré ball of radius K. Points have n coordinates. Domain: |x| < K, exactly for the given
/// coordinates.
///
/// Bounds: manifold_bound of n coordinates. For dist, dist0, norm, inner, dist_gradient, logmap,
/// ptransp and egrad2rgrad the bound is relative and has no condition number. For inner it is
/// relative to the product of the lengths, for logmap and ptransp to the length of the result. For
/// expmap, retr and mobius_* the bound is relative to |z| plus the condition number, the sum of |dz
/// / d input| |input|. For geodesic the bound is relative to |z| + t |dz / dt|, with t from the
/// nearer end; beyond the ends its condition number is added.
///
/// The gap has a relative error of u^N (1 + n u^(M-N) K^2 / gap), with n^2 / 2 for n if N = 1. Here
/// M = 2 N, but at most 5, is the number of limbs of the computation. So the gap has all digits to
/// the last representable point for N = 1 and 2, to distance 73 for N = 3, to distance 36 for N =
/// 4. In double, every point beyond distance 37 from the origin has coordinates that round to the
/// boundary; use BallPoint (ball_point.hpp) there. A point on the boundary is infinitely far from
/// every other point; a point outside gives NaN.
///
/// Resulting points are always inside. If rounding would leave a gap of less than (n + 3) c u^N
/// K^2, the gap becomes about (n + 10) c u^N K^2, with c as in manifold_bound; in double this
/// happens from distance 36 on. If rounding to float, half or bfloat16 would leave the ball, the
/// point is put u^N inside. There the bound is 2.04 instead of 1.02, plus half the smallest number
/// for subnormal coordinates.
template <class V>
struct PoincareBall : Manifold<detail::BallFormulas, V> {
  using Manifold<detail::BallFormulas, V>::Manifold;

  /// K^2 - |x|^2, with the relative error that the comment of the class states.
  template <int n>
  MCT_HD MCT_ALWAYS_INLINE V gap(const Point<V, n>& x) const {
    return detail::from_work<V>(this->formulas().gap(detail::to_work(x)));
  }
};
template <class V>
PoincareBall(V) -> PoincareBall<V>;

}  // namespace mct::geometry
