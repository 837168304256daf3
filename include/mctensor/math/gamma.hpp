// The gamma function and its logarithm.
//
// Stirling's series is accurate enough for large arguments y = x + n. For x >= 1 the recurrence
// Gamma(x) = Gamma(y) / (x (x + 1) ... (x + n - 1)) leads from x to y. For 0 < x < 1, Gamma(x) =
// Gamma(1 + x) / x is used. For negative x, the reflection Gamma(x) = pi / (sin(pi x) Gamma(1 - x))
// is used. Next to its zeros at 1 and 2, log Gamma is computed by a power series. Source: NIST
// Digital Library of Mathematical Functions, 5.5.1, 5.5.3, 5.7.3, 5.11.1.
#pragma once

#include "mctensor/expansion/rounding.hpp"
#include "mctensor/expansion/scale.hpp"
#include "mctensor/math/exp.hpp"
#include "mctensor/math/log.hpp"
#include "mctensor/math/power.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// From this argument on, 32 terms of Stirling's series reach u^N / 2^8.
template <class T, int N>
inline constexpr int stirling_start = N* FloatTraits<T>::p / 5 + 4;

MCT_HD constexpr int floor_log2_square(int x) {
  int e = 0;
  while ((1 << (e + 1)) <= x * x) ++e;
  return e;
}

/// log Gamma(y) for y >= stirling_start. The error is a few u^(N+1) times the terms.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_gamma_stirling(const Expansion<T, N + 1>& y) {
  constexpr int W = N + 1;
  constexpr int step = floor_log2_square(stirling_start<T, N>);
  const auto logarithm = joined(log_parts_any<W, W>(y));
  const auto inverse = quick_quotient(widen<W>(single(number<T>(1))), y);
  const auto tail = mul_limbs(
      inverse,
      series<tables::StirlingSeries, N * FloatTraits<T>::p + 8, step>(mul_limbs(inverse, inverse)));
  const auto main = mul_limbs(quick_sum(y, single(number<T>(T(-0.5)))), logarithm);
  const auto constants = quick_sum(constant<tables::HalfLogTwoPi, T, W>(), tail);
  return quick_sum(add_limbs(main, -y), constants);
}

/// How far x lies below the start of Stirling's series.
template <int N, class T>
MCT_HD inline int steps_to_stirling(const T& x) {
  return x < stirling_start<T, N> ? static_cast<int>(stirling_start<T, N> - x) + 1 : 0;
}

/// x (x + 1) ... (x + n - 1).
template <class T, int W>
MCT_HD inline Expansion<T, W> rising_product(const Expansion<T, W>& x, int n) {
  Expansion<T, W> product = x;
  for (int i = 1; i < n; ++i) product = mul_limbs(product, quick_sum(x, single(number<T>(T(i)))));
  return product;
}

/// log Gamma(1 + x) for |x| <= 2^-7, relatively accurate.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_gamma_near_1(const Expansion<T, N + 1>& x) {
  return mul_limbs(x, series<tables::LogGammaSeries, N * FloatTraits<T>::p + 8, 7>(x));
}

/// The distance from 1 and 2 up to which log Gamma uses its power series.
template <class T>
inline constexpr T log_gamma_radius = pow2<T>(-7);

/// log Gamma(x) for moderate x >= 1 - log_gamma_radius, relatively accurate.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_gamma_from_1(const Expansion<T, N + 1>& x) {
  constexpr int W = N + 1;
  const auto beyond_1 = add_limbs(x, single(number<T>(-1)));
  if (magnitude(beyond_1.limb[0]) <= log_gamma_radius<T>) return log_gamma_near_1<N>(beyond_1);
  const auto beyond_2 = add_limbs(x, single(number<T>(-2)));
  if (magnitude(beyond_2.limb[0]) <= log_gamma_radius<T>)
    return quick_sum(log_gamma_near_1<N>(beyond_2), log1p_wide<N>(beyond_2));
  const int n = steps_to_stirling<N>(x.limb[0]);
  if (n == 0) return log_gamma_stirling<N>(x);
  const auto far = log_gamma_stirling<N>(add_limbs(x, single(number<T>(T(n)))));
  return add_limbs(far, -joined(log_parts_any<W, W>(rising_product(x, n))));
}

/// log Gamma(x) for very large x: x (log x - 1), scaled so that the product does not overflow.
template <class T, int N>
MCT_HD inline Expansion<T, N> log_gamma_huge(const Expansion<T, N>& x) {
  constexpr int W = N + 1;
  const auto slope = quick_sum(joined(log_parts_any<W, W>(x)), single(number<T>(-1)));
  const auto small = scale_limbs(widen<W>(x), pow2<T>(-16));
  return scale_by_power(round_limbs<N>(mul_limbs(small, slope)), T(16));
}

/// Gamma(x) for 1 <= x up to a little beyond where it overflows.
template <int N, class T>
MCT_HD inline Scaled<T, N + 1> gamma_from_1(const Expansion<T, N + 1>& x) {
  const int n = steps_to_stirling<N>(x.limb[0]);
  const auto y = add_limbs(x, single(number<T>(T(n))));
  const auto e = exp_wide<N>(log_gamma_stirling<N>(y));
  if (n == 0) return e;
  const auto product = rising_product(x, n);
  const T size = exponent_value(product.limb[0]);
  const auto unit = scale_limbs(product, power_of_two(T(-size)));
  return {quick_quotient(e.mantissa, unit), T(e.exponent - size)};
}

/// x / 2^k, and k. This k brings the leading limb into [1, 2).
template <int N, class T>
MCT_HD inline Scaled<T, N + 1> unit_of(const Expansion<T, N>& x) {
  const int k = std::ilogb(x.limb[0]);
  return {widen<N + 1>(ldexp(x, -k)), T(k)};
}

/// |sin(pi x)| / pi for an x that is not an integer, from its exact distance to the nearest
/// integer. It is accurate next to an integer, too, where the sine itself may be subnormal.
template <int N, class T>
MCT_HD inline Scaled<T, N + 1> sine_over_pi(const Expansion<T, N>& x) {
  const Expansion<T, N> whole = round(x);
  T terms[2 * N];
  for (int i = 0; i < N; ++i) {
    terms[i] = x.limb[i];
    terms[N + i] = -whole.limb[i];
  }
  Expansion<T, N> distance;
  round_terms(terms, distance.limb);
  distance = magnitude_of(distance);
  if (distance.limb[0] < T(1) / 128) {
    // the series of sin(r) / r
    const auto r = mul_limbs(constant<tables::Pi, T, N>(), distance);
    const auto z = mul_limbs(r, r);
    const auto tail = mul_limbs(z, series<tables::SinSeries, N * FloatTraits<T>::p - 5, 10>(z));
    const auto unit = unit_of(distance);
    const auto slope = add_smaller(widen<N + 1>(single(number<T>(1))), tail);
    return {mul_limbs(unit.mantissa, slope), unit.exponent};
  }
  const auto reduction = reduce_pi<N + 1>(distance);
  const auto sine = sine_of<N>(reduction.n, small_angle<N>(reduction.rest));
  return {mul_limbs(sine, constant<tables::InversePi, T, N + 1>()), T(0)};
}

/// 1 - x.
template <class T, int N>
MCT_HD inline Expansion<T, N + 1> reflected(const Expansion<T, N>& x) {
  return add_limbs(widen<N + 1>(-x), single(number<T>(1)));
}

/// log |Gamma(x)| for a negative x of moderate size that is not an integer. The error is some
/// u^(N+1) of the largest term.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_gamma_reflected(const Expansion<T, N>& x) {
  constexpr int W = N + 1;
  const auto sine = sine_over_pi(x);
  auto parts = log_parts_any<W, W>(sine.mantissa);
  parts.exponent = parts.exponent + sine.exponent;
  return -add_limbs(joined(parts), log_gamma_from_1<N>(reflected(x)));
}

/// Below minus this number Gamma underflows, however near to a pole x is.
template <class T>
inline constexpr T gamma_lowest = FloatTraits<T>::emax == 1024 ? 330 : 70;

/// Gamma(x) for a negative x that is not an integer.
template <int N, class T>
MCT_HD inline Expansion<T, N> gamma_reflected(const Expansion<T, N>& x) {
  const bool negative = is_odd(floor(x));
  if (x.limb[0] < -gamma_lowest<T>) return negative ? -T(0) : T(0);
  const auto sine = sine_over_pi(x);
  const auto gamma = gamma_from_1<N>(reflected(x));
  const auto one = widen<N + 1>(single(number<T>(negative ? -1 : 1)));
  const auto r = quick_quotient(one, mul_limbs(sine.mantissa, gamma.mantissa));
  // far below the smallest subnormal, but within the range of scaling
  constexpr T lowest = T(-1.5) * T(FloatTraits<T>::emax);
  const T exponent = -sine.exponent - gamma.exponent;
  return unscaled<N>(Scaled<T, N + 1>{r, exponent > lowest ? exponent : lowest});
}

}  // namespace detail

/// log |Gamma(x)|. Error <= 1.5 u^N |log |Gamma(x)|| plus 2^N eta, also next to the zeros at 1 and
/// 2. For x < -2, terms cancel next to the zeros between the poles: if |log |Gamma(x)|| < 1/64
/// there, the error is <= 1.5 u^N / 64. The result is 0 for 1 and 2. It is an infinity at the poles
/// 0, -1, -2 ... and for both infinities.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> lgamma(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if (lead != lead) return lead;
  if (lead == 0 || detail::magnitude(lead) == FloatTraits<T>::infinity)
    return FloatTraits<T>::infinity;
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return lgamma(v); });
  } else {
    if (lead < 0 && detail::is_integer(x)) return FloatTraits<T>::infinity;
    // 1 and the sine of the reflection are negligible beside huge numbers
    if (detail::magnitude(lead) > pow2<T>(FloatTraits<T>::emax - 24)) {
      const auto r = detail::log_gamma_huge(detail::magnitude_of(x));
      return lead < 0 ? -r : r;
    }
    if (lead < 0) return detail::round_limbs<N>(detail::log_gamma_reflected(x));
    constexpr int W = N + 1;
    const auto w = detail::widen<W>(x);
    if (lead >= 1 - detail::log_gamma_radius<T>)
      return detail::round_limbs<N>(detail::log_gamma_from_1<N>(w));
    const auto above = detail::add_limbs(w, detail::single(detail::number<T>(1)));
    const auto logarithm = detail::joined(detail::log_parts_any<W, W>(w));
    return detail::round_limbs<N>(
        detail::add_limbs(detail::log_gamma_from_1<N>(above), -logarithm));
  }
}

/// Gamma(x). Error <= 1.5 u^N |Gamma(x)| plus N eta, also next to poles. Exact for whole x > 0 if
/// (x - 1)! has at most N p bits. Overflow gives an infinity, underflow a zero with the sign of
/// Gamma(x); tgamma(+-0) = +-inf; NaN at the other poles -1, -2 ... and for -inf, as in C.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> tgamma(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if (lead != lead || lead == -FloatTraits<T>::infinity) return FloatTraits<T>::nan;
  if (lead == 0) return std::copysign(FloatTraits<T>::infinity, lead);
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return tgamma(v); });
  } else {
    constexpr T overflow = FloatTraits<T>::emax == 1024 ? 172 : 36;
    if (lead > overflow) return FloatTraits<T>::infinity;
    if (lead < 0) {
      if (detail::is_integer(x)) return FloatTraits<T>::nan;
      return detail::gamma_reflected(x);
    }
    constexpr int W = N + 1;
    const auto w = detail::widen<W>(x);
    if (lead >= 1) {
      const auto e = detail::gamma_from_1<N>(w);
      return detail::unscaled_near<N>(e, T(e.mantissa.limb[0] * detail::own_error<T, N>));
    }
    const auto e =
        detail::gamma_from_1<N>(detail::add_limbs(w, detail::single(detail::number<T>(1))));
    const auto unit = detail::unit_of(x);
    const auto q = detail::quick_quotient(e.mantissa, unit.mantissa);
    return detail::unscaled<N>(detail::Scaled<T, W>{q, T(e.exponent - unit.exponent)});
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
