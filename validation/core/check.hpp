// Compares one computed result with the exact one.
#pragma once

#include <array>
#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"
#include "validation/core/real.hpp"

namespace mct::validation {

/// The findings of the check of one case.
struct Outcome {
  double error = 0;   // in u^N of the reference magnitude, what underflow may add taken off
  long exponent = 0;  // binary exponent of the exact result
  const char* problem = nullptr;  // in words, if the case fails
  bool skipped = false;           // outside the operation's domain: not counted
};

/// The variables of the oracle, kept between cases.
struct Workspace {
  std::array<Real, 3> in;
  Real exact, reference, result, difference, allowance;
  bool rounded = true;  // `exact` is not the result itself, but rounded
};

/// The promises about a result of type Expansion<R, M>.
struct Promise {
  double bound = 0;        // in u^M of the reference magnitude
  double eta = 0;          // added to it, in units of the smallest subnormal
  bool normalized = true;  // the result keeps the invariant
};

/// Width of the exponent bins of a plot, for results with components of R.
template <class R>
inline constexpr int bin_width = std::is_same_v<R, double> ? 32 : 8;

namespace detail {

/// Zero, infinity and NaN results: an answer, or nothing if the exact result is an ordinary number.
template <class R>
bool check_special(mpfr_srcptr exact, R lead, Outcome& outcome) {
  if (mpfr_nan_p(exact)) {
    if (!isnan(lead)) outcome.problem = "NaN expected";
    return true;
  }
  const bool negative = mpfr_signbit(exact) != 0;
  const Magnitude m = magnitude_of(exact);
  const bool infinite = mpfr_inf_p(exact) || m.exponent > FloatTraits<R>::emax;
  if (infinite) {
    if (!isinf(lead) || signbit(lead) != negative)
      outcome.problem = "infinity of the right sign expected";
    return true;
  }
  if (isinf(lead) && signbit(lead) == negative && m.exponent == FloatTraits<R>::emax &&
      m.mantissa > 1 - 8 * double(FloatTraits<R>::u))
    return true;  // within the last places below the threshold, overflow is allowed
  if (!isfinite(lead)) {
    outcome.problem = "finite result expected";
    return true;
  }
  return false;
}

/// The error of w.result, in units of 2^-precision of the reference; 2^eta_exponent is the smallest
/// subnormal.
inline void measure_difference(Workspace& w, long eta_exponent, long precision,
                               mpfr_srcptr reference, const Promise& promise, Outcome& outcome) {
  mpfr_set_prec(w.difference.get(), 64);
  mpfr_sub(w.difference.get(), w.result.get(), w.exact.get(), MPFR_RNDA);
  if (promise.eta > 0) {
    mpfr_abs(w.difference.get(), w.difference.get(), MPFR_RNDN);
    mpfr_set_prec(w.allowance.get(), 64);
    mpfr_set_d(w.allowance.get(), promise.eta, MPFR_RNDN);
    mpfr_mul_2si(w.allowance.get(), w.allowance.get(), eta_exponent, MPFR_RNDN);
    mpfr_sub(w.difference.get(), w.difference.get(), w.allowance.get(), MPFR_RNDU);
    if (mpfr_sgn(w.difference.get()) < 0) mpfr_set_zero(w.difference.get(), 1);
  }
  outcome.error =
      scaled_ratio(magnitude_of(w.difference.get()), magnitude_of(reference), precision);
  if (!(outcome.error <= promise.bound) && outcome.problem == nullptr)
    outcome.problem = "bound exceeded";
}

}  // namespace detail

/// Measures a result of `count` limbs against w.exact, relative to w.reference (a magnitude for
/// which the bound is stated; usually |exact| itself).
template <class R>
Outcome measure(Workspace& w, const R* limbs, int count, bool normalized, mpfr_srcptr reference,
                const Promise& promise) {
  Outcome outcome;
  const Magnitude exact = magnitude_of(w.exact.get());
  outcome.exponent = exact.mantissa == 0 ? FloatTraits<R>::emin : exact.exponent - 1;
  if (detail::check_special(w.exact.get(), limbs[0], outcome)) return outcome;

  for (int i = 1; i < count; ++i) {
    if (!isfinite(limbs[i])) {
      outcome.problem = "a limb is not finite";
      return outcome;
    }
  }
  if (promise.normalized && !normalized) outcome.problem = "result is not normalized";
  w.result.set_exact(limbs, count);
  detail::measure_difference(w, FloatTraits<R>::emin, long(count) * FloatTraits<R>::p, reference,
                             promise, outcome);
  return outcome;
}

template <class R, int M>
Outcome measure(Workspace& w, const Expansion<R, M>& result, mpfr_srcptr reference,
                const Promise& promise) {
  return measure(w, result.limb, M, is_normalized(result), reference, promise);
}

}  // namespace mct::validation
