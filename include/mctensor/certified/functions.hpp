// Elementary functions of numbers that carry their error.
//
// Each value is that of the same function of expansions, each radius what the operand's radius r
// can become, plus function_bound u^N of the value (expansion/error_bounds.hpp): that bound is
// measured by the suite against MPFR, not proven. Written out below is the largest difference
// |f(x') - f(x)| for |x' - x| <= r, by the mean value theorem or an addition theorem.
//
// Domain: every argument. If a part of the enclosure lies where the function is undefined, or
// within a few u (u of one component) of there, the radius is infinite. For SIMD batches of several
// components there are exp, exp2, expm1, log, log2, log10, log1p, sinh, cosh and tanh, as there are
// for expansions of them. Source: Johansson 2017 (Arb) for bounds of this kind; each is derived at
// its function.
#pragma once

#include "mctensor/certified/certified.hpp"
#include "mctensor/math/all.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace certified_detail {

/// A function of mct/math of one component, rounded to nearest or a last place off.
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

template <class V>
MCT_HD constexpr V constant(double value) {
  return V(scalar_t<V>(value));
}
template <class V>
MCT_HD constexpr V smaller(const V& a, const V& b) {
  return blend(a < b, a, b);
}
/// A lower bound of the smallest |x'| within r of x, at least 0.
template <class V, int N>
MCT_HD V nearest_zero(const Certified<V, N>& x) {
  const V bound = least(x.value(), x.radius());
  return blend(bound > constant<V>(0), bound, constant<V>(0));
}
/// An upper bound of the largest |x'|.
template <class V, int N>
MCT_HD V farthest_from_zero(const Certified<V, N>& x) {
  return raised(V(most(x.value()) + x.radius()));
}

/// An upper bound of the exact result that `value` stands for, also where it underflows: raised()
/// adds 16 smallest subnormals, function_eta<N> is at most that.
template <class V, int N>
MCT_HD V above(const Expansion<V, N>& value) {
  static_assert(function_eta<N> <= 16);
  return raised(most(value));
}

/// The function's value with what r has become. An exact argument carries nothing.
template <class V, int N>
MCT_HD Certified<V, N> function_of(const Certified<V, N>& x, const Expansion<V, N>& value,
                                   const V& carried) {
  using C = Certified<V, N>;
  return C::with_error(value, C::blend_zero(x.radius(), carried), function_bound, function_eta<N>);
}

/// log(x') - log(x) at most, in absolute value, for positive x and x' of which `low` is the least.
template <class V>
MCT_HD V log_spread(const V& low, const V& r) {
  return bound_if(low > constant<V>(0), log1p_of(V(raised(r) / low)));
}

/// sin(x') - sin(x) or cos(x') - cos(x) at most, in absolute value: `slope` is the derivative at
/// the first limb of x, which is within 2u |x| of x.
template <class V, int N>
MCT_HD V wave_spread(const Certified<V, N>& x, const V& slope) {
  const V off = most(x.value()) * constant<V>(4 * FloatTraits<V>::u) + x.radius();
  const V steepest = raised(V(magnitude(slope) + off));
  const V flat = blend(steepest < constant<V>(1), V(x.radius() * steepest), x.radius());
  return smaller(flat, constant<V>(2));
}

/// asin(x') - asin(x) at most, in absolute value.
template <class V, int N>
MCT_HD V arc_spread(const Certified<V, N>& x) {
  const V rest = (constant<V>(1) - farthest_from_zero(x)) * constant<V>(0.9999);
  const V slope = square_root(V(rest * (constant<V>(2) - rest)));
  return bound_if(rest > constant<V>(0), V(x.radius() / slope));
}

}  // namespace certified_detail

/// e^x: the radius becomes e^x (e^r - 1).
template <class V, int N>
MCT_HD Certified<V, N> exp(const Certified<V, N>& x) {
  using namespace certified_detail;
  const auto value = exp(x.value());
  return function_of(x, value, V(above(value) * expm1_of(raised(x.radius()))));
}
/// 2^x: the radius becomes 2^x (2^r - 1).
template <class V, int N>
MCT_HD Certified<V, N> exp2(const Certified<V, N>& x) {
  using namespace certified_detail;
  const auto value = exp2(x.value());
  const V r = raised(V(x.radius() * constant<V>(0.6931471805599454)));
  return function_of(x, value, V(above(value) * expm1_of(r)));
}
/// e^x - 1: the radius becomes e^x (e^r - 1).
template <class V, int N>
MCT_HD Certified<V, N> expm1(const Certified<V, N>& x) {
  using namespace certified_detail;
  const auto value = expm1(x.value());
  // the limbs behind the first change e^x by a factor next to 1
  const V power = raised(V(exp_of(x.value().limb[0]) * constant<V>(1.0001)));
  return function_of(x, value, V(power * expm1_of(raised(x.radius()))));
}
/// log x: the radius becomes log(1 + r / low), `low` being the least x'.
template <class V, int N>
MCT_HD Certified<V, N> log(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, log(x.value()), log_spread(lowest(x.value(), x.radius()), x.radius()));
}
/// log2 x, as log.
template <class V, int N>
MCT_HD Certified<V, N> log2(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V spread = log_spread(lowest(x.value(), x.radius()), x.radius());
  return function_of(x, log2(x.value()), V(spread * constant<V>(1.4426950408889637)));
}
/// log10 x, as log.
template <class V, int N>
MCT_HD Certified<V, N> log10(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V spread = log_spread(lowest(x.value(), x.radius()), x.radius());
  return function_of(x, log10(x.value()), V(spread * constant<V>(0.43429448190325187)));
}
/// log(1 + x): the radius becomes log(1 + r / low), `low` being the least 1 + x'.
template <class V, int N>
MCT_HD Certified<V, N> log1p(const Certified<V, N>& x) {
  using namespace certified_detail;
  // the sum is rounded: its own error counts, too
  const auto sum =
      Certified<V, N>::with_error(x.value() + constant<V>(1), x.radius(), error_bounds<N>.add, 0);
  return function_of(x, log1p(x.value()),
                     log_spread(lowest(sum.value(), sum.radius()), x.radius()));
}
/// x^y = e^(y log x) for x > 0: the exponent's radius becomes |y| log(1 + r / low) + s |log x'|.
/// Infinite where x may be 0 or negative, unless both are exact.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> pow(const Certified<V, N>& x,
                                                                 const Certified<V, N>& y) {
  using namespace certified_detail;
  const auto value = pow(x.value(), y.value());
  const V low = lowest(x.value(), x.radius());
  const V spread = log_spread(low, x.radius());
  // `low` is below x - r by some roundings
  const V roundings(32 * FloatTraits<V>::u);
  const V size = raised(V(magnitude(log_of(low)) + spread + spread + roundings));
  const V exponent = most(y.value()) * spread + y.radius() * size;
  const V carried = bound_if(low > constant<V>(0), V(above(value) * expm1_of(raised(exponent))));
  using C = Certified<V, N>;
  return C::with_error(value, C::blend_zero(x.radius() + y.radius(), carried), function_bound,
                       function_eta<N>);
}
/// The cube root: the radius becomes the smaller of r / (3 a^(2/3)), a the least |x'|, and
/// (4 r)^(1/3), the largest difference of two roots at all.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> cbrt(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V a = cbrt_of(nearest_zero(x)) * constant<V>(0.99);
  const V steep = x.radius() / (constant<V>(3) * a * a);
  const V any = cbrt_of(raised(V(constant<V>(4) * x.radius())));
  return function_of(x, cbrt(x.value()), V(smaller(bound_if(a > constant<V>(0), steep), any)));
}
/// sin x: the radius becomes r (|cos x| + r), at most r and 2.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> sin(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, sin(x.value()), wave_spread(x, cos_of(x.value().limb[0])));
}
/// cos x: the radius becomes r (|sin x| + r), at most r and 2.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> cos(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, cos(x.value()), wave_spread(x, sin_of(x.value().limb[0])));
}
/// tan x: the radius becomes tan r (1 + t^2) / (1 - t tan r), t = |tan x|. Infinite where the
/// enclosure may have a pole, and for r > 3/4.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> tan(const Certified<V, N>& x) {
  using namespace certified_detail;
  const auto value = tan(x.value());
  // tan x itself is known to function_bound u^N only
  const V t = raised(most(value));
  const V tan_r = raised(tan_of(smaller(x.radius(), constant<V>(0.75))));
  const V rest = constant<V>(1) - raised(V(t * tan_r));
  const V carried = tan_r * (constant<V>(1) + t * t) / (rest * constant<V>(0.9999));
  const auto no_pole = rest > constant<V>(0);
  return function_of(x, value,
                     bound_if(no_pole, bound_if(x.radius() < constant<V>(0.75), carried)));
}
/// sinh x: the radius becomes r cosh(|x| + r).
template <class V, int N>
MCT_HD Certified<V, N> sinh(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, sinh(x.value()), V(x.radius() * cosh_of(farthest_from_zero(x))));
}
/// cosh x: the radius becomes r sinh(|x| + r).
template <class V, int N>
MCT_HD Certified<V, N> cosh(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, cosh(x.value()), V(x.radius() * sinh_of(farthest_from_zero(x))));
}
/// tanh x: the radius becomes r min(1, 4 e^(-2a)), a the least |x'|, at most 2.
template <class V, int N>
MCT_HD Certified<V, N> tanh(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V steep = constant<V>(4) * exp_of(V(constant<V>(-2) * nearest_zero(x)));
  const V slope = smaller(constant<V>(1), raised(steep));
  return function_of(x, tanh(x.value()), smaller(V(x.radius() * slope), constant<V>(2)));
}
/// asinh x: the radius becomes r / sqrt(1 + a^2), a the least |x'|.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> asinh(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V a = nearest_zero(x);
  const V root = blend(a < constant<V>(1e15), square_root(V(constant<V>(1) + a * a)), a);
  return function_of(x, asinh(x.value()), V(x.radius() / root));
}
/// acosh x: the radius becomes the smaller of r / sqrt(low^2 - 1), `low` the least x', and
/// acosh(1 + r). Infinite where x may be below 1.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> acosh(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V one = constant<V>(1);
  const V low = lowest(x.value(), x.radius());
  const V beyond = (low - one) * constant<V>(0.9999);
  const V root = square_root(beyond) * square_root(V(low + one));  // their product may overflow
  const V steep = x.radius() / root;
  const V r = x.radius();
  const V any = asinh_of(square_root(raised(V(r * (r + constant<V>(2))))));
  const V carried = smaller(bound_if(beyond > constant<V>(0), steep), any);
  return function_of(x, acosh(x.value()), bound_if(low >= one, carried));
}
/// atanh x: the radius becomes r / ((1 - b) (1 + b)), b the largest |x'|. Infinite where |x| may be
/// 1 or more.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> atanh(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V one = constant<V>(1);
  const V rest = (one - farthest_from_zero(x)) * constant<V>(0.9999);
  const V carried = x.radius() / (rest * (constant<V>(2) - rest));
  return function_of(x, atanh(x.value()), bound_if(rest > constant<V>(0), carried));
}
/// asin x: the radius becomes r / sqrt((1 - b) (1 + b)), b the largest |x'|. Infinite where |x| may
/// be 1 or more, unless x is exact.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> asin(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, asin(x.value()), arc_spread(x));
}
/// acos x: as asin.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> acos(const Certified<V, N>& x) {
  using namespace certified_detail;
  return function_of(x, acos(x.value()), arc_spread(x));
}
/// atan x: the radius becomes r / (1 + a^2), a the least |x'|, at most pi.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> atan(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V a = nearest_zero(x);  // its square may overflow, the quotients do not
  const V one = constant<V>(1);
  const V carried = blend(a > one, V(x.radius() / a / a), V(x.radius() / (one + a * a)));
  return function_of(x, atan(x.value()), smaller(carried, constant<V>(3.15)));
}
/// erf x: the radius becomes r 2/sqrt(pi) e^(-a^2), a the least |x'|, at most 2.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> erf(const Certified<V, N>& x) {
  using namespace certified_detail;
  const V a = nearest_zero(x);
  const V slope = constant<V>(1.1283791670955128) * exp_of(V(-(a * a)));
  return function_of(x, erf(x.value()), smaller(V(x.radius() * raised(slope)), constant<V>(2)));
}
/// sqrt(x^2 + y^2): the radii r and s become r + s.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> hypot(const Certified<V, N>& x,
                                                                   const Certified<V, N>& y) {
  return Certified<V, N>::with_error(hypot(x.value(), y.value()), x.radius() + y.radius(),
                                     function_bound, function_eta<N>);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
