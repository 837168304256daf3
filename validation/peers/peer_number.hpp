// What a peer's number type must offer to be measured.
#pragma once

#include <cmath>
#include <concepts>

#include "validation/core/real.hpp"

namespace mct::validation {

namespace peer_detail {

using std::sqrt;
template <class V>
auto root(const V& v) -> decltype(sqrt(v)) {
  return sqrt(v);
}

}  // namespace peer_detail

/// A peer P:
///   P::Value                      its number type, with + - * / sqrt
///   P::from(const Real&)          a Value: the exact number, rounded to the peer's format
///   P::to(const Value&, Real&)    the Value, exactly
template <class P>
concept PeerNumber = requires(const typename P::Value& v, const Real& exact, Real& out) {
  { P::from(exact) } -> std::same_as<typename P::Value>;
  { v + v } -> std::convertible_to<typename P::Value>;
  { v - v } -> std::convertible_to<typename P::Value>;
  { v* v } -> std::convertible_to<typename P::Value>;
  { v / v } -> std::convertible_to<typename P::Value>;
  { peer_detail::root(v) } -> std::convertible_to<typename P::Value>;
  P::to(v, out);
};

/// Takes doubles off a number, each the rest rounded to nearest: what a sum of doubles holds of it.
template <int M>
void take_doubles(const Real& x, double (&limbs)[M]) {
  // the rest has no bit that x has not, and may need one more at the top
  Real rest(mpfr_get_prec(x.get()) + 1);
  mpfr_set(rest.get(), x.get(), MPFR_RNDN);
  for (double& limb : limbs) {
    limb = mpfr_get_d(rest.get(), MPFR_RNDN);
    mpfr_sub_d(rest.get(), rest.get(), limb, MPFR_RNDN);
  }
}

}  // namespace mct::validation
