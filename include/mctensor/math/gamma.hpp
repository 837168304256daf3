// The gamma function and its logarithm for positive arguments.
//
// Stirling's series from an argument y = x + n on, where it is accurate enough; the recurrence
// Gamma(x) = Gamma(y) / (x (x + 1) ... (x + n - 1)) leads there. Next to the zeros of log Gamma at
// 1 and 2 its power series. Source: NIST Digital Library of Mathematical Functions, 5.5.1, 5.7.3,
// 5.11.1.
#pragma once

#include "mctensor/math/exp.hpp"
#include "mctensor/math/log.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// From here on 32 terms of Stirling's series reach u^N / 2^8.
template <class T, int N>
inline constexpr int stirling_start = N* FloatTraits<T>::p / 5 + 4;

MCT_HD constexpr int floor_log2_square(int x) {
  int e = 0;
  while ((1 << (e + 1)) <= x * x) ++e;
  return e;
}

/// log Gamma(y) for y >= stirling_start, to a few u^(N+1) of its terms.
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

/// (x + 1) ... (x + n - 1).
template <class T, int W>
MCT_HD inline Expansion<T, W> rising_product(const Expansion<T, W>& x, int n) {
  Expansion<T, W> product(T(1));
  for (int i = 1; i < n; ++i) product = mul_limbs(product, quick_sum(x, single(number<T>(T(i)))));
  return product;
}

/// log Gamma(1 + x) for |x| <= 2^-7, relatively accurate.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_gamma_near_1(const Expansion<T, N + 1>& x) {
  return mul_limbs(x, series<tables::LogGammaSeries, N * FloatTraits<T>::p + 8, 7>(x));
}

/// log Gamma(x) for moderate x > 0 away from 1 and 2.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_gamma_shifted(const Expansion<T, N + 1>& x) {
  constexpr int W = N + 1;
  const int n = steps_to_stirling<N>(x.limb[0]);
  if (n == 0) return log_gamma_stirling<N>(x);
  const auto far = log_gamma_stirling<N>(add_limbs(x, single(number<T>(T(n)))));
  // x apart, because its product with the others might lose limbs below the smallest subnormal
  const auto others = joined(log_parts_any<W, W>(rising_product(x, n)));
  return add_limbs(add_limbs(far, -others), -joined(log_parts_any<W, W>(x)));
}

/// log Gamma(x) for very large x: x (log x - 1), scaled so that the product does not overflow.
template <class T, int N>
MCT_HD inline Expansion<T, N> log_gamma_huge(const Expansion<T, N>& x) {
  constexpr int W = N + 1;
  const auto slope = quick_sum(joined(log_parts_any<W, W>(x)), single(number<T>(-1)));
  const auto small = scale_limbs(widen<W>(x), pow2<T>(-16));
  return scale_by_power(round_limbs<N>(mul_limbs(small, slope)), T(16));
}

}  // namespace detail

/// log Gamma(x) for x > 0. Error <= 1.5 u^N |log Gamma(x)|, next to the zeros at 1 and 2 too,
/// plus 2^N eta. lgamma(0) = lgamma(inf) = inf; NaN for x < 0.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> lgamma(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if (lead < 0 || lead != lead) return FloatTraits<T>::nan;
  if (lead == 0 || lead == FloatTraits<T>::infinity) return FloatTraits<T>::infinity;
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return lgamma(v); });
  } else {
    if (lead > pow2<T>(FloatTraits<T>::emax - 24)) return detail::log_gamma_huge(x);
    const auto w = detail::widen<N + 1>(x);
    const auto beyond_1 = detail::add_limbs(w, detail::single(detail::number<T>(-1)));
    const auto beyond_2 = detail::add_limbs(w, detail::single(detail::number<T>(-2)));
    constexpr T near = pow2<T>(-7);
    if (detail::magnitude(beyond_1.limb[0]) <= near) {
      if (beyond_1.limb[0] == 0) return T(0);
      return detail::round_limbs<N>(detail::log_gamma_near_1<N>(beyond_1));
    }
    if (detail::magnitude(beyond_2.limb[0]) <= near) {
      if (beyond_2.limb[0] == 0) return T(0);
      return detail::round_limbs<N>(detail::quick_sum(detail::log_gamma_near_1<N>(beyond_2),
                                                      detail::log1p_wide<N>(beyond_2)));
    }
    return detail::round_limbs<N>(detail::log_gamma_shifted<N>(w));
  }
}

/// Gamma(x) for x > 0. Error <= 1.5 u^N Gamma(x), plus N eta. Overflow gives an infinity;
/// tgamma(+-0) = +-inf; NaN for x < 0.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> tgamma(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if (lead < 0 || lead != lead) return FloatTraits<T>::nan;
  if (lead == 0) return std::copysign(FloatTraits<T>::infinity, lead);
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return tgamma(v); });
  } else {
    constexpr T overflow = FloatTraits<T>::emax == 1024 ? 172 : 36;
    if (lead > overflow) return FloatTraits<T>::infinity;
    const auto w = detail::widen<N + 1>(x);
    const int n = detail::steps_to_stirling<N>(lead);
    const auto y = detail::add_limbs(w, detail::single(detail::number<T>(T(n))));
    const auto e = detail::exp_wide<N>(detail::log_gamma_stirling<N>(y));
    if (n == 0) return detail::unscaled<N>(e);
    // every divisor scaled to about 1, so that no quotient loses limbs below the smallest subnormal
    const auto product = detail::rising_product(w, n);
    const T size = detail::exponent_value(product.limb[0]);
    const auto others = detail::quick_quotient(
        e.mantissa, detail::scale_limbs(product, detail::power_of_two(T(-size))));
    const auto unit = detail::scale_to_unit(lead);
    const auto divisor = detail::scale_limbs(detail::scale_limbs(w, unit.first), unit.second);
    const auto q = detail::round_limbs<N>(detail::quick_quotient(others, divisor));
    // the exponent of e first: both powers together may leave the range
    auto r = detail::scale_by_power(q, T(e.exponent - size));
    r = detail::scale_limbs(detail::scale_limbs(r, unit.second), unit.first);
    if (!(r.limb[0] - r.limb[0] == 0)) r = Expansion<T, N>(r.limb[0]);
    return r;
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
