// What a peer's number type must offer to be measured.
#pragma once

#include <concepts>

#include "validation/core/real.hpp"
#include "validation/peers/function.hpp"

namespace mct::validation {

/// A peer P:
///   P::Value                      its number type, with + - * /
///   P::from(const Real&)          a Value: the exact number, rounded to the peer's format
///   P::to(const Value&, Real&)    the Value, exactly
///   P::square_root(const Value&)
template <class P>
concept PeerNumber = requires(const typename P::Value& v, const Real& exact, Real& out) {
  { P::from(exact) } -> std::same_as<typename P::Value>;
  { v + v } -> std::convertible_to<typename P::Value>;
  { v - v } -> std::convertible_to<typename P::Value>;
  { v* v } -> std::convertible_to<typename P::Value>;
  { v / v } -> std::convertible_to<typename P::Value>;
  { P::square_root(v) } -> std::convertible_to<typename P::Value>;
  P::to(v, out);
};

/// One of the functions that every peer has.
template <PeerNumber P>
typename P::Value apply(Function function, const typename P::Value& a, const typename P::Value& b) {
  switch (function) {
    case Function::add:
    case Function::add_scalar:
      return a + b;
    case Function::sub:
      return a - b;
    case Function::mul:
    case Function::mul_scalar:
      return a * b;
    case Function::div:
      return a / b;
    default:
      return P::square_root(a);
  }
}

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
