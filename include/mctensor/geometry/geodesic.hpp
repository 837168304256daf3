// The point at the parameter t of a geodesic, computed from both ends. The exponential map of t
// times the logarithm would miss the far end: the error u^N of its direction grows by e^d there.
//
// On the hyperboloid the point is (sinh(d - a) X + sinh(a) Y) / sinh d. Here d is the distance of
// the ends divided by K, X is the nearer end, and a is the way from X to the point. The sum has
// positive factors, and the factor of a far end is small. Other models have their own forms.
#pragma once

#include "mctensor/geometry/domain.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// A geodesic from the end that is nearer to the point. `part` is the fraction of the way from
/// there to the other end, at most 1/2 for 0 <= t <= 1.
template <class W, int n>
struct NearerEnd {
  Point<W, n> from, to;
  W part;
};
template <class W, int n>
MCT_HD inline NearerEnd<W, n> nearer_end(const W& t, const Point<W, n>& x, const Point<W, n>& y) {
  using L = limb_t<W>;
  const auto second = lead(t) > L(scalar_t<L>(0.5));
  const auto choose = [&](const Point<W, n>& a, const Point<W, n>& b) {
    return generate<Point<W, n>>(a.size(), [&](int i) { return blend(second, a[i], b[i]); });
  };
  return {choose(y, x), choose(x, y), blend(second, W(number<W>(1) - t), t)};
}

/// The point between X and Y is (X + (Y second) first) / inverse. The factor of Y is split into
/// two, because it may underflow if Y is large.
template <class W>
struct Share {
  W inverse, first, second;
};

/// The shares for 0 <= a <= d / 2 and half_sinh = sinh(d / 2):
///   1 / inverse = sinh(d - a) / sinh d, first second = sinh a / sinh(d - a).
/// 1 / inverse is computed as e^-a - sinh a (coth d - 1), which loses a bit at most. The function
/// takes sinh(d / 2) and not d, because an error of d would be multiplied by d in e^d. Relative
/// errors: a few u^N (1 + a).
template <class W>
MCT_HD inline Share<W> share_of(const W& a, const W& half_sinh) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  const W one = number<W>(1);
  const auto reach = reach_of(a);
  const auto same = lead(half_sinh) == L(S(0));
  const auto far = lead(half_sinh) > L(pow2<S>(FloatTraits<S>::emax / 5));  // coth d is 1
  const W half = blend(same, one, half_sinh);
  const W s = blend(far, one, half);
  const W sinh = doubled(W(s * hypotenuse(one, s)));
  const W cosh = one + doubled(W(s * s));
  // quotients first: for a tiny d the inverse of sinh d may overflow
  const W rest = blend(far, number<W>(0), W(blend(far, one, reach.sinh) / sinh / (sinh + cosh)));
  const W inverse = one / (reach.exp_minus - rest);
  return {inverse, (reach.sinh / doubled(half)) * inverse, one / hypotenuse(one, half)};
}

/// (A concept, because nvcc 13.0 evaluates a requires-expression with a member function's
/// parameters to false.)
template <class Formulas, class P, class W>
concept HasBeyond = requires(const Formulas& model, const P& x, const W& part) {
  model.beyond(x, x, part);
};

/// The point at part < 0, which lies beyond `from`. If the model has its own form of this point,
/// that form computes it, except in traces; else the exponential map does.
template <class Formulas, class W, int n>
MCT_HD inline Point<W, n> point_beyond(const Formulas& model, const Point<W, n>& from,
                                       const Point<W, n>& to, const W& part) {
  if constexpr (!is_traced_v<W> && HasBeyond<Formulas, Point<W, n>, W>) {
    return model.beyond(from, to, part);
  } else {
    return model.expmap(from, model.logmap(from, to) * part);
  }
}

/// The point at t: model.between for 0 <= t <= 1, else point_beyond. At t = 0 and 1 it is x and y
/// exactly.
template <class Formulas, class W, int n>
MCT_HD inline Point<W, n> geodesic_point(const Formulas& model, const W& t, const Point<W, n>& x,
                                         const Point<W, n>& y) {
  using L = limb_t<W>;
  const L zero(scalar_t<L>(0));
  const auto [from, to, part] = nearer_end(t, x, y);
  const W half_sinh = model.half_sinh(from, to);
  if constexpr (is_traced_v<W>) {
    // at an end, or if the ends are near each other, derivatives of the shares cancel or are lost
    if (somewhere(!(lead(half_sinh) >= L(0.25)) || !(lead(part) > zero)))
      return model.expmap(from, model.logmap(from, to) * off_zero(part, number<W>(1)));
  }
  const W a = part * doubled(asinh_of(half_sinh));
  const auto beyond = lead(part) < zero;
  const auto at_end = lead(a) == zero;  // not where d is NaN
  Point<W, n> z = model.between(from, to, share_of(blend(beyond, number<W>(0), a), half_sinh));
  if (somewhere(beyond)) {
    const Point<W, n> further = point_beyond(model, from, to, part);
    for (int i = 0; i < z.size(); ++i) z[i] = blend(beyond, further[i], z[i]);
  }
  for (int i = 0; i < z.size(); ++i) z[i] = blend(at_end, from[i], z[i]);
  return z;
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
