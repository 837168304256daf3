// The direction of a vector relative to the direction of another vector. A small angle keeps its
// digits.
//
// Error: a few u^N of each number that Turn names. Domain: finite vectors; the zero vector has the
// direction 0, and every vector counts as orthogonal to it. Source: Lagrange's identity in the form
// of pivoted_wedge (vectors.hpp).
#pragma once

#include "mctensor/geometry/vectors.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The direction of y relative to the direction of x; theta is the angle between them. `orthogonal`
/// is the part of y / |y| that is orthogonal to x; its length is sin theta. cos theta has an
/// absolute error of u^N. 1 - cos theta, sin theta and `orthogonal` are relatively accurate. The
/// lengths and x / |x| are kept, too; `scaled_to` is |y| times `to_scale`, for a |y| that
/// overflows. Vectors are not normalized first, because that would turn them by u^N. Products have
/// M limbs. As many limbs as W has are enough for coordinates with an error of u^N.
template <class W, int n>
struct Turn {
  W one_minus_cos, cos, sine;
  Point<W, n> orthogonal;
  W from, to;
  Point<W, n> outward;
  W scaled_to;
  Power<limb_t<W>> to_scale;
};

template <int M, class W, int n>
MCT_HD inline Turn<W, n> turn_in(const Point<W, n>& x, const Point<W, n>& y) {
  using L = limb_t<W>;
  const W one = number<W>(1);
  const L zero(scalar_t<L>(0));
  const auto x_scale = unit_scale(x);
  const auto y_scale = unit_scale(y);
  const Point<W, n> a = times(x, x_scale);
  const Point<W, n> b = times(y, y_scale);
  const auto wedge = [&] {
    if constexpr (is_traced_v<W>) {
      return pivoted_wedge(a, b);  // whose derivatives are known
    } else {
      return pivoted_wedge_in<M>(a, b);
    }
  }();
  const auto at_origin = lead(wedge.pivot) == zero;
  const W a2 = blend(at_origin, one, squared_norm(a));
  const W from = root(a2);
  const W to = root(squared_norm(b));
  const W inverse_from = one / from;
  const W inverse_to = one / blend(lead(to) == zero, one, to);
  const W along = dot(a, wedge.w) * (inverse_from * inverse_from);
  const W inverse = inverse_to / blend(at_origin, one, wedge.pivot);
  const Point<W, n> orthogonal = generate<Point<W, n>>(x.size(), [&](int i) {
    return blend(at_origin, W(b[i] * inverse_to), W((wedge.w[i] - a[i] * along) * inverse));
  });
  const W cosine = dot(a, b) * (inverse_from * inverse_to);
  const W sine = norm_of(orthogonal);
  const auto acute = lead(cosine) > zero;
  const W small = sine * sine / (one + blend(acute, cosine, one));
  return {blend(acute, small, W(one - cosine)),
          cosine,
          sine,
          orthogonal,
          over(blend(at_origin, W(zero), from), x_scale),
          over(to, y_scale),
          a * inverse_from,
          to,
          y_scale};
}
template <class W, int n>
MCT_HD inline Turn<W, n> turn_of(const Point<W, n>& x, const Point<W, n>& y) {
  return turn_in<long_t<W>::components>(x, y);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
