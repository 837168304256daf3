// Elementary functions of numbers that carry their error.
//
// Each value equals the value of the same function of expansions. Its radius is the sum of two
// parts. One is the largest change of the function within the operand's radius;
// certified/spread.hpp derives it function by function. The other is function_bound u^N of the
// value (expansion/error_bounds.hpp). The suite measures that bound against MPFR, and
// docs/proofs.md says for which functions it is proven.
//
// Domain: every argument. If a part of the enclosure lies where the function is undefined, or
// within a few u (u of one component) of there, the radius is infinite. Batches of expansions with
// several components have fewer functions: exp, exp2, expm1, log, log2, log10, log1p, sinh, cosh
// and tanh. Source: Johansson 2017 (Arb) for bounds of this kind.
#pragma once

#include "mctensor/certified/certified.hpp"
#include "mctensor/certified/spread.hpp"
#include "mctensor/math/all.hpp"

/// Calls list(name, has_batches) for every function of one operand whose radius follows from the
/// operand and the result alone. has_batches is true if batches of expansions with several
/// components have the function.
#define MCT_FOR_EACH_SPREAD(list)                                                           \
  list(exp, true) list(exp2, true) list(expm1, true) list(log, true) list(log2, true)       \
      list(sinh, true) list(cosh, true) list(tanh, true) list(cbrt, false) list(sin, false) \
          list(cos, false) list(tan, false) list(asinh, false) list(acosh, false)           \
              list(atanh, false) list(asin, false) list(acos, false) list(atan, false)      \
                  list(erf, false)

namespace mct::inline MCT_ISA_NAMESPACE {

namespace certified_detail {

/// The value of a function with its radius. `carried` is the largest change that the radii of the
/// operands allow.
template <class V, int N>
MCT_HD Certified<V, N> of_function(const Expansion<V, N>& value, const V& carried) {
  return Certified<V, N>::with_error(value, carried, function_bound, function_eta<N>);
}

}  // namespace certified_detail

#define MCT_CERTIFIED_FUNCTION(name, has_lanes)                                                  \
  template <class V, int N>                                                                      \
  requires(has_lanes || is_component_v<V> || N == 1) MCT_HD Certified<V, N> name(                \
      const Certified<V, N>& x) {                                                                \
    using namespace certified_detail;                                                            \
    const auto value = name(x.value());                                                          \
    return of_function(value, blend_zero(x.radius(), V(spread::name(x.ball(), value.limb[0])))); \
  }
/// The functions of one operand. An exact operand adds nothing to the radius. What an inexact
/// operand adds stands in spread.hpp, under the name of the function.
MCT_FOR_EACH_SPREAD(MCT_CERTIFIED_FUNCTION)
MCT_CERTIFIED_FUNCTION(log10, true)
#undef MCT_CERTIFIED_FUNCTION

/// log(1 + x).
template <class V, int N>
MCT_HD Certified<V, N> log1p(const Certified<V, N>& x) {
  using namespace certified_detail;
  using C = Certified<V, N>;
  const auto shifted = x.value() + constant<V>(1);
  const V carried = spread::log1p(C(shifted, x.radius()).ball(), C::error(error_bounds<N>.add));
  return of_function(log1p(x.value()), blend_zero(x.radius(), carried));
}
/// x^y for x > 0. The radius is infinite where x may be 0 or negative, unless x and y are exact.
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> pow(const Certified<V, N>& x,
                                                                 const Certified<V, N>& y) {
  using namespace certified_detail;
  const auto value = pow(x.value(), y.value());
  const V carried = spread::pow(x.ball(), y.ball(), value.limb[0]);
  return of_function(value, blend_zero(V(x.radius() + y.radius()), carried));
}
/// sqrt(x^2 + y^2).
template <class V, int N>
requires(is_component_v<V> || N == 1) MCT_HD Certified<V, N> hypot(const Certified<V, N>& x,
                                                                   const Certified<V, N>& y) {
  using namespace certified_detail;
  const auto value = hypot(x.value(), y.value());
  return of_function(value, spread::hypot(x.ball(), y.ball()));
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
