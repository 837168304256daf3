// The direction of a vector as seen from that of another, with the digits of a small angle.
//
// Error: a few u^N of each number that Turn names. Domain: finite vectors; the zero vector has the
// direction 0, beside which everything is across. Source: Lagrange's identity in the form of
// pivoted_wedge (vectors.hpp).
#pragma once

#include "mctensor/geometry/vectors.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// The direction of y as seen from that of x: cos theta to u^N of 1, 1 - cos theta and the part of
/// y / |y| that is orthogonal to x (of length sin theta) relatively accurate. Vectors as they are
/// given: normalizing them first would turn them by u^N.
template <class W, int n>
struct Turn {
  W one_minus_cos, cos;
  Point<W, n> orthogonal;
};

template <class W, int n>
MCT_HD inline Turn<W, n> turn_of(const Point<W, n>& x, const Point<W, n>& y) {
  using L = limb_t<W>;
  const W one = number<W>(1);
  const L zero(scalar_t<L>(0));
  const Point<W, n> a = times(x, unit_scale(x));
  const Point<W, n> b = times(y, unit_scale(y));
  const auto wedge = pivoted_wedge(a, b);
  const auto at_origin = lead(wedge.pivot) == zero;
  const W a2 = blend(at_origin, one, squared_norm(a));
  const W size = root(squared_norm(b));
  const W divisor = blend(lead(size) == zero, one, size);
  const W along = dot(a, wedge.w) / a2;
  const W inverse = one / (blend(at_origin, one, wedge.pivot) * divisor);
  const Point<W, n> orthogonal = generate<Point<W, n>>(x.size(), [&](int i) {
    return blend(at_origin, W(b[i] / divisor), W((wedge.w[i] - a[i] * along) * inverse));
  });
  const W cosine = dot(a, b) / (root(a2) * divisor);
  const W sine = norm_of(orthogonal);
  const auto acute = lead(cosine) > zero;
  const W small = sine * sine / (one + blend(acute, cosine, one));
  return {blend(acute, small, W(one - cosine)), cosine, orthogonal};
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
