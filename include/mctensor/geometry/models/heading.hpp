// Steps on the hyperboloid, computed from their parts along and across the direction of the origin,
// so that a step that leads inward keeps its digits. The textbook form X cosh s + K sinh s U / |u|
// loses a factor of e^2s.
//
// Error of the end of a step: a few u^N (|z| + its condition number). Domain: in double, distances
// from the origin to 705 (|X| up to 2^1016 K and to 2^1016), all lengths. Source: the addition
// theorems of sinh and cosh, and docs/geometry.md, note 4.
#pragma once

#include "mctensor/geometry/turn.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// A tangent vector at X, as seen from the origin. `length` is its length over K. `cosine` and
/// `sine` belong to the angle between it and the outward direction. `side` is its part across X
/// divided by its length: a vector of length `sine` in space. `distance` is |X|, and `outward` is X
/// / |X|. `length` is the quotient of scaled_length and K, over `scale`; it may overflow.
template <class W, int m>
struct Heading {
  W length, cosine, sine;
  Point<W, m> side;
  W distance;
  Point<W, m> outward;
  W scaled_length;
  Power<limb_t<W>> scale;
};

/// The heading of the vector with the spatial part U; a is the time of X.
template <class W, int m>
MCT_HD inline Heading<W, m> heading_of(const W& radius, const Point<W, m>& X, const W& a,
                                       const Point<W, m>& U) {
  using L = limb_t<W>;
  const auto turn = turn_in<limbs_of<W>>(X, U);
  // for the unit vector along U, in units of 1 / K
  const W along = turn.cos * (radius / a);
  const W size = hypotenuse(along, turn.sine);
  const auto still = lead(size) == L(scalar_t<L>(0));
  const W inverse = number<W>(1) / blend(still, number<W>(1), size);
  return {over(W(turn.scaled_to * (size / radius)), turn.to_scale),
          W(along * inverse),
          W(turn.sine * inverse),
          turn.orthogonal * inverse,
          turn.from,
          turn.outward,
          W(turn.scaled_to * size),
          turn.to_scale};
}

/// The heading at X of the geodesic that comes from Y (with the time b); half_sinh is sinh(d / 2).
/// Let c be the angle at X between the outward direction and the direction to Y. The heading leads
/// the other way, so its cosine is -cos c. With P the part of Y along X and D the part across X,
/// sin c = D / (K sinh d) and
///   K^2 sinh d cos c = a P - b |X| = (K^2 (P - |X|)(P + |X|) - |X|^2 D^2) / (a P + b |X|)
/// for P > 0, with P - |X| from the difference Y - X; near 1 the cosine is computed from the sine.
template <class W, int m>
MCT_HD inline Heading<W, m> heading_away(const W& radius, const Point<W, m>& X, const W& a,
                                         const Point<W, m>& Y, const W& b, const W& half_sinh) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  const L zero(S(0));
  const W one = number<W>(1);
  const W sh = blend(lead(half_sinh) == zero, one, half_sinh);
  const W ch = hypotenuse(one, sh);
  const auto turn = turn_of(X, Y);
  const W P = turn.cos * turn.to;
  const W D = turn.sine * turn.to;
  // a part of Y across X, of the length 1, over K sinh d; where the quotient |Y| / (K sinh d)
  // overflows, the part is small
  const W share = halved(turn.to / radius / sh / ch);
  const auto huge = !(lead(share) < L(S(0x1p1000)));
  const bool overflows = somewhere(huge);
  const auto shared = [&](const W& part) {
    const W quick = part * share;
    if (!overflows) return quick;
    return W(blend(huge, W(halved(part * turn.to / radius / sh / ch)), quick));
  };
  const W sine = shared(turn.sine);
  const auto acute = lead(P) > zero;
  const W slope = turn.from / a;
  const W sum = blend(acute, W(P / b), one) + slope;
  const W apart = long_dot(turn.outward, Y - X);
  const W near = (halved(apart / a / sh) * ((P + turn.from) / b) / ch -
                  (slope * sine) * (slope * (D / b * (a / radius)))) /
                 sum;
  const W far =
      halved(P / radius / sh * (a / radius / ch) - turn.from / radius / sh * (b / radius / ch));
  const W toward = blend(acute, near, far);
  const auto steep = lead(sine) < L(S(0.7));
  const W rest = root(W((one - blend(steep, sine, one)) * (one + sine)));
  const W cosine = blend(steep, W(blend(lead(toward) < zero, -rest, rest)), toward);
  const auto side =
      generate<Point<W, m>>(X.size(), [&](int i) { return shared(W(-turn.orthogonal[i])); });
  const W length = doubled(asinh_of(half_sinh));
  return {length, W(-cosine), sine, side, turn.from, turn.outward, W(length * radius), {}};
}

/// The end of a geodesic: K (sinh r cosh s + cosh r sinh s c) along X and K sinh s times the part
/// across X. Here r is the distance of X from the origin over K, and c is the cosine of the
/// heading. For c < 0 the first sum is computed as
///   sinh r e^-s - sinh s e^-r + cosh r sinh s (1 + c),
/// where 1 + c is sin^2 / (1 - c). The end is linear in the numbers of `reach`, so a factor of them
/// is a factor of the end.
template <class W, int m>
MCT_HD inline Point<W, m> landing_on(const W& radius, const W& a, const Heading<W, m>& heading,
                                     const Reach<W>& reach) {
  using L = limb_t<W>;
  const W zero = number<W>(0);
  const auto inward = lead(heading.cosine) < L(scalar_t<L>(0));
  const W divisor = number<W>(1) + blend(inward, -heading.cosine, zero);
  const W forth =
      heading.distance * reach.cosh + (blend(inward, zero, heading.cosine) * reach.sinh) * a;
  const W bend = (heading.sine * reach.sinh) * ((heading.sine / divisor) * a);
  const W back = heading.distance * reach.exp_minus -
                 (radius / (heading.distance + a) * reach.sinh) * radius + bend;
  const W along = blend(inward, back, forth);
  const W aside = radius * reach.sinh;
  return generate<Point<W, m>>(heading.side.size(), [&](int i) {
    return W(heading.outward[i] * along + heading.side[i] * aside);
  });
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
