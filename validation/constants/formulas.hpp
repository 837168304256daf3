// The contents of the tables, computed by MPFR.
#pragma once

#include <boost/multiprecision/mpfr.hpp>

namespace mct::validation {

/// 800 digits: powers of two up to 2^1024 modulo 2 pi keep over 1600 bits after the point.
using Number = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<800>,
                                             boost::multiprecision::et_off>;

/// The nearest T, taken off the number.
template <class T>
T take_limb(Number& rest) {
  T limb;
  if constexpr (sizeof(T) == sizeof(double)) {
    limb = mpfr_get_d(rest.backend().data(), MPFR_RNDN);
  } else {
    limb = mpfr_get_flt(rest.backend().data(), MPFR_RNDN);
  }
  rest -= Number(limb);
  return limb;
}

inline Number pi() {
  Number value;
  mpfr_const_pi(value.backend().data(), MPFR_RNDN);
  return value;
}

inline Number ln2() {
  Number value;
  mpfr_const_log2(value.backend().data(), MPFR_RNDN);
  return value;
}

inline Number euler() {
  Number value;
  mpfr_const_euler(value.backend().data(), MPFR_RNDN);
  return value;
}

/// (-1)^i.
inline Number sign(int i) { return i % 2 == 0 ? 1 : -1; }

inline Number factorial(int n) {
  Number value = 1;
  for (int i = 2; i <= n; ++i) value *= i;
  return value;
}

/// (-1)^i / (i! (2 i + 1)) 2 / sqrt(pi).
inline Number erf_coefficient(int i) {
  return sign(i) / (factorial(i) * (2 * i + 1)) * 2 / sqrt(pi());
}

/// The Riemann zeta function at an integer above 1.
inline Number zeta(int n) {
  Number value;
  mpfr_zeta_ui(value.backend().data(), static_cast<unsigned long>(n), MPFR_RNDN);
  return value;
}

/// B(2 i + 2) / ((2 i + 2) (2 i + 1)), the Bernoulli number from B(n) = -n zeta(1 - n) in the form
/// B(2k) = (-1)^(k+1) 2 (2k)! zeta(2k) / (2 pi)^(2k).
inline Number stirling_coefficient(int i) {
  const int n = 2 * i + 2;
  const Number bernoulli = sign(i) * 2 * factorial(n) * zeta(n) / pow(2 * pi(), n);
  return bernoulli / (n * (n - 1));
}

/// The coefficient of x^(i+1) of log(Gamma(1 + x)).
inline Number log_gamma_coefficient(int i) {
  if (i > 0) return sign(i + 1) * zeta(i + 1) / (i + 1);
  return -euler();
}

/// 2^e modulo 2 pi, in [0, 2 pi).
inline Number power_modulo_two_pi(int e) {
  const Number power = pow(Number(2), e);
  return power - floor(power / (2 * pi())) * 2 * pi();
}

/// 2^e 64 / pi modulo 128, in [0, 128).
inline Number power_in_steps(int e) {
  const Number steps = pow(Number(2), e) * 64 / pi();
  return steps - floor(steps / 128) * 128;
}

/// 512 / index rounded to 12 bits after the point: multiplying a number near index / 512 by it
/// gives one near 1, and the product with a limb has few bits more than the limb.
inline Number short_reciprocal(int index) { return round(Number(512 * 4096) / index) / 4096; }

}  // namespace mct::validation
