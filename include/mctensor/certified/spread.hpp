// The spread of a function f over an enclosure with the value x and the radius r. It is an upper
// bound of |f(x') - f(x)| for all |x' - x| <= r. The mean value theorem or an addition theorem
// gives the bound. An infinity means that there is no bound: a part of the enclosure lies where the
// function is undefined, or within a few u of such a place.
//
// Operands are a Ball for each number (radius.hpp) and the first component of f(x). Each comment
// states the function and then its spread; s is the radius of a second number y.
//
// Source: Johansson: Arb, IEEE Transactions on Computers 66(8), 2017, for bounds of this kind; each
// is derived at its function.
#pragma once

#include "mctensor/certified/radius.hpp"
#include "mctensor/expansion/error_bounds.hpp"
#include "mctensor/math/all.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::certified_detail {

/// A function of mct/math of one component, whose error is at most one unit in the last place.
#define MCT_FOR_RADII(function)                  \
  template <class V>                             \
  MCT_HD V function##_of(const V& x) {           \
    return function(Expansion<V, 1>(x)).limb[0]; \
  }
MCT_FOR_RADII(expm1)
MCT_FOR_RADII(log1p)
MCT_FOR_RADII(exp)
MCT_FOR_RADII(sinh)
MCT_FOR_RADII(cosh)
MCT_FOR_RADII(tan)
MCT_FOR_RADII(asinh)
MCT_FOR_RADII(cbrt)
MCT_FOR_RADII(log)
MCT_FOR_RADII(sin)
MCT_FOR_RADII(cos)
#undef MCT_FOR_RADII

/// For t up to this, e^t - 1 and log(1 + t) differ from t by about 2^-11 t at most. A radius needs
/// no better.
inline constexpr double small_step = 0x1p-10;

/// An upper bound of e^t - 1 for t >= 0: t + t^2 where t is small.
template <class V>
MCT_HD V expm1_above(const V& t) {
  const V quick = t + t * t;
  const auto is_small = t <= constant<V>(small_step);
  return detail::all_lanes(is_small) ? quick : blend(is_small, quick, expm1_of(t));
}
/// An upper bound of log(1 + t) for t >= 0: t where t is small.
template <class V>
MCT_HD V log1p_above(const V& t) {
  const auto is_small = t <= constant<V>(small_step);
  return detail::all_lanes(is_small) ? t : blend(is_small, t, log1p_of(t));
}

/// The spread of log; `low` is the least x', and r is the radius.
template <class V>
MCT_HD V log_spread(const V& low, const V& r) {
  return bound_if(low > constant<V>(0), log1p_above(V(raised(r) / low)));
}
/// The spread of sin and cos; `slope` is the derivative at the first component of x, which is
/// within 2u |x| of x.
template <class V>
MCT_HD V wave_spread(const Ball<V>& x, const V& slope) {
  const V off = most(x) * constant<V>(4 * x.component.u) + x.radius;
  const V steepest = raised(V(magnitude(slope) + off));
  const V flat = blend(steepest < constant<V>(1), V(x.radius * steepest), x.radius);
  return smaller(flat, constant<V>(2));
}
/// The spread of asin and acos.
template <class V>
MCT_HD V arc_spread(const Ball<V>& x) {
  const V rest = (constant<V>(1) - farthest_from_zero(x)) * constant<V>(0.9999);
  const V slope = square_root(V(rest * (constant<V>(2) - rest)));
  return bound_if(rest > constant<V>(0), V(x.radius / slope));
}

static_assert(function_eta<4> <= 16);  // above() allows for so much

namespace spread {

/// e^x: e^x (e^r - 1).
template <class V>
MCT_HD V exp(const Ball<V>& x, const V& value) {
  return above(value, x.component) * expm1_above(raised(x.radius));
}
/// 2^x: 2^x (2^r - 1).
template <class V>
MCT_HD V exp2(const Ball<V>& x, const V& value) {
  const V r = raised(V(x.radius * constant<V>(0.6931471805599454)));
  return above(value, x.component) * expm1_above(r);
}
/// e^x - 1: e^x (e^r - 1).
template <class V>
MCT_HD V expm1(const Ball<V>& x, const V&) {
  // the components after the first change e^x by a factor next to 1
  const V power = raised(V(exp_of(x.lead) * constant<V>(1.0001)));
  return power * expm1_above(raised(x.radius));
}
/// log x: log(1 + r / low), `low` being the least x'.
template <class V>
MCT_HD V log(const Ball<V>& x, const V&) {
  return log_spread(lowest(x), x.radius);
}
/// log2 x, as log.
template <class V>
MCT_HD V log2(const Ball<V>& x, const V&) {
  return log_spread(lowest(x), x.radius) * constant<V>(1.4426950408889637);
}
/// log10 x, as log.
template <class V>
MCT_HD V log10(const Ball<V>& x, const V&) {
  return log_spread(lowest(x), x.radius) * constant<V>(0.43429448190325187);
}
/// log(1 + x): log(1 + r / low), `low` being the least 1 + x'. The operand is 1 + x as a rounded
/// sum, whose stated error is given.
template <class V>
MCT_HD V log1p(const Ball<V>& shifted, const AlgorithmError& of_sum) {
  const V radius = radius_of_result(shifted.lead, shifted.radius, of_sum);
  return log_spread(lowest(Ball<V>{shifted.lead, radius, shifted.component}), shifted.radius);
}
/// x^y = e^(y log x) for x > 0: the exponent's radius becomes |y| log(1 + r / low) + s |log x'|,
/// where `low` is the least x'. Infinite where x may be 0 or negative, unless both are exact.
template <class V>
MCT_HD V pow(const Ball<V>& x, const Ball<V>& y, const V& value) {
  const V low = lowest(x);
  const V spread = log_spread(low, x.radius);
  // `low` is below x - r by some roundings
  const V roundings = constant<V>(32 * x.component.u);
  const V size = raised(V(magnitude(log_of(low)) + spread + spread + roundings));
  const V exponent = most(y) * spread + y.radius * size;
  return bound_if(low > constant<V>(0),
                  V(above(value, x.component) * expm1_above(raised(exponent))));
}
/// The cube root: the smaller of r / (3 a^(2/3)), where a is the least |x'|, and (4 r)^(1/3), the
/// largest difference that two such roots can have.
template <class V>
MCT_HD V cbrt(const Ball<V>& x, const V&) {
  const V a = cbrt_of(nearest_zero(x)) * constant<V>(0.99);
  const V steep = x.radius / (constant<V>(3) * a * a);  // infinite for a = 0
  const V any = cbrt_of(raised(V(constant<V>(4) * x.radius)));
  return smaller(steep, any);
}
/// sin x: r (|cos x| + r), at most r and 2.
template <class V>
MCT_HD V sin(const Ball<V>& x, const V&) {
  return wave_spread(x, cos_of(x.lead));
}
/// cos x: r (|sin x| + r), at most r and 2.
template <class V>
MCT_HD V cos(const Ball<V>& x, const V&) {
  return wave_spread(x, sin_of(x.lead));
}
/// tan x: tan r (1 + t^2) / (1 - t tan r), t = |tan x|. Infinite where the enclosure may have a
/// pole, and for r >= 3/4.
template <class V>
MCT_HD V tan(const Ball<V>& x, const V& value) {
  const V t = above(value, x.component);
  const V tan_r = raised(tan_of(smaller(x.radius, constant<V>(0.75))));
  const V rest = constant<V>(1) - raised(V(t * tan_r));
  const V carried = tan_r * (constant<V>(1) + t * t) / (rest * constant<V>(0.9999));
  return bound_if(rest > constant<V>(0), bound_if(x.radius < constant<V>(0.75), carried));
}
/// sinh x: r cosh(|x| + r).
template <class V>
MCT_HD V sinh(const Ball<V>& x, const V&) {
  return x.radius * cosh_of(farthest_from_zero(x));
}
/// cosh x: r sinh(|x| + r).
template <class V>
MCT_HD V cosh(const Ball<V>& x, const V&) {
  return x.radius * sinh_of(farthest_from_zero(x));
}
/// tanh x: r min(1, 4 e^(-2a)), a the least |x'|, at most 2.
template <class V>
MCT_HD V tanh(const Ball<V>& x, const V&) {
  const V steep = constant<V>(4) * exp_of(V(constant<V>(-2) * nearest_zero(x)));
  const V slope = smaller(constant<V>(1), raised(steep));
  return smaller(V(x.radius * slope), constant<V>(2));
}
/// asinh x: r / sqrt(1 + a^2), a the least |x'|.
template <class V>
MCT_HD V asinh(const Ball<V>& x, const V&) {
  const V a = nearest_zero(x);
  const V root = blend(a < constant<V>(1e15), square_root(V(constant<V>(1) + a * a)), a);
  return x.radius / root;
}
/// acosh x: the smaller of r / sqrt(low^2 - 1), `low` the least x', and acosh(1 + r). Infinite
/// where x may be below 1.
template <class V>
MCT_HD V acosh(const Ball<V>& x, const V&) {
  const V one = constant<V>(1);
  const V low = lowest(x);
  const V beyond = (low - one) * constant<V>(0.9999);
  const V root = square_root(beyond) * square_root(V(low + one));  // their product may overflow
  const V steep = x.radius / root;                                 // infinite for low = 1
  const V r = x.radius;
  const V any = asinh_of(square_root(raised(V(r * (r + constant<V>(2))))));
  return bound_if(low >= one, smaller(steep, any));
}
/// atanh x: r / ((1 - b) (1 + b)), b the largest |x'|. Infinite where |x| may be 1 or more.
template <class V>
MCT_HD V atanh(const Ball<V>& x, const V&) {
  const V rest = (constant<V>(1) - farthest_from_zero(x)) * constant<V>(0.9999);
  const V carried = x.radius / (rest * (constant<V>(2) - rest));
  return bound_if(rest > constant<V>(0), carried);
}
/// asin x: r / sqrt((1 - b) (1 + b)), b the largest |x'|. Infinite where |x| may be 1 or more,
/// unless x is exact.
template <class V>
MCT_HD V asin(const Ball<V>& x, const V&) {
  return arc_spread(x);
}
/// acos x: as asin.
template <class V>
MCT_HD V acos(const Ball<V>& x, const V&) {
  return arc_spread(x);
}
/// atan x: r / (1 + a^2), a the least |x'|, at most pi.
template <class V>
MCT_HD V atan(const Ball<V>& x, const V&) {
  const V a = nearest_zero(x);
  const V far = x.radius / a / a;  // beside the square 1 is negligible; the square may overflow
  const V near = x.radius / (constant<V>(1) + a * a);
  return smaller(blend(a < constant<V>(1e15), near, far), constant<V>(3.15));
}
/// erf x: r 2/sqrt(pi) e^(-a^2), a the least |x'|, at most 2.
template <class V>
MCT_HD V erf(const Ball<V>& x, const V&) {
  const V a = nearest_zero(x);
  const V slope = constant<V>(1.1283791670955128) * exp_of(V(-(a * a)));
  return smaller(V(x.radius * raised(slope)), constant<V>(2));
}
/// sqrt(x^2 + y^2): r + s.
template <class V>
MCT_HD V hypot(const Ball<V>& x, const Ball<V>& y) {
  return x.radius + y.radius;
}

}  // namespace spread
}  // namespace mct::inline MCT_ISA_NAMESPACE::certified_detail
