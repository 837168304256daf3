// The error function and its complement.
//
// Near zero erf is computed by a power series, elsewhere by the trapezoidal rule for
//   erfc(x) = x e^(-x^2) / pi * integral e^(-t^2) / (t^2 + x^2) dt.
// All terms of the rule are positive, and its error e^(-pi^2/h^2) is below u^4 for the step h =
// 1/4. The pole at t = i x adds -2 / (e^(2 pi x / h) - 1).
// Source: Chiarella, Reichel: On the evaluation of integrals related to the error function, Math.
// Comp. 22, 1968; Matta, Reichel, Math. Comp. 25, 1971.
#pragma once

#include "mctensor/math/exp.hpp"
#include "mctensor/math/hyperbolic.hpp"
#include "mctensor/math/plain/functions.hpp"
#include "mctensor/math/tables/erfc_table.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// erf a for 0 <= a <= 1/2, with a relative error of about u^N / 16.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> erf_series(const Expansion<T, N + 1>& a) {
  const auto z = mul_limbs(a, a);
  return mul_limbs(a, series<tables::ErfSeries, N * FloatTraits<T>::p + 6, 2>(z));
}

/// The first index n for which e^(-(n/4)^2) is at most 2^-bits.
MCT_HD constexpr int last_weight(int bits) {
  int n = 0;
  while (10000 * n * n < 110903 * bits) ++n;  // 16 log 2 = 11.0903
  return n;
}

/// The sum of 2 e^(-n^2/16) / (n^2/16 + a^2) over all n whose weight needs at most L of W limbs,
/// the smallest terms first.
template <int L, int N, class T>
MCT_HD inline Expansion<T, N + 1> weighted_sum(const Expansion<T, N + 1>& square) {
  constexpr int W = N + 1;
  constexpr int bits = N * FloatTraits<T>::p + 8;
  constexpr int first = last_weight((W - L) * FloatTraits<T>::p);
  constexpr int behind = (W - L + 1) * FloatTraits<T>::p;
  constexpr int last = last_weight(behind < bits ? behind : bits);
  Expansion<T, W> sum;
  if constexpr (behind < bits && L > 2) sum = weighted_sum<L - 1, N>(square);
  const auto a2 = leading<L>(square);
  for (int n = last - 1; n >= (first > 0 ? first : 1); --n) {
    const auto divisor = quick_sum(a2, single(number<T>(scalar_t<T>(n * n) / 16)));
    const auto weight = scale_limbs(table_row<tables::GaussTable, L>(T(n)), T(2));
    sum = quick_sum(sum, quick_quotient(weight, divisor));
  }
  return sum;
}

/// erfc a = mantissa 2^exponent for a >= 1/2, with a relative error of about u^N / 16.
template <int N, class T>
MCT_HD inline Scaled<T, N + 1> erfc_wide(const Expansion<T, N + 1>& a) {
  constexpr int W = N + 1;
  const auto square = mul_limbs(a, a);
  const auto first = quick_quotient(widen<W>(single(number<T>(1))), square);
  const auto sum = quick_sum(first, weighted_sum<W, N>(square));
  const auto power = exp_wide<N>(-square);
  const auto factor = mul_limbs(scale_limbs(a, T(0.25)), constant<tables::InversePi, T, W>());
  auto mantissa = mul_limbs(mul_limbs(sum, factor), power.mantissa);
  // beside e^(-a^2), the pole's e^(-8 pi a) matters only for small a
  const T lead = a.limb[0];
  constexpr T bits = N * FloatTraits<T>::p + 10;
  if (lead * (T(25.2) - lead) < bits * T(0.7) && lead < 12) {
    const auto angle = scale_limbs(mul_limbs(a, constant<tables::Pi, T, W>()), T(8));
    const auto e = expm1_wide<N>(angle);
    const auto pole = quick_quotient(widen<W>(single(number<T>(2))), e.mantissa.value());
    mantissa = quick_sum(mantissa, -scale_by_power(pole, T(-e.exponent - power.exponent)));
  }
  return {mantissa, power.exponent};
}

/// From this argument on, erfc is below the smallest subnormal.
template <class T>
inline constexpr T erfc_limit = FloatTraits<T>::emax == 1024 ? 28 : 11;

/// erfc x = 1 - erf x as a scaled number, for every x below erfc_limit.
template <int N, class T>
MCT_HD inline Scaled<T, N + 1> erfc_any(const Expansion<T, N + 1>& x) {
  constexpr int W = N + 1;
  if (x.limb[0] >= T(0.5)) return erfc_wide<N>(x);
  if (x.limb[0] > T(-0.5)) {
    const auto e = with_sign(erf_series<N>(magnitude_of(x)), x.limb[0]);
    return {quick_sum(-e, single(number<T>(1))), T(0)};
  }
  const auto e = erfc_wide<N>(-x);
  return {quick_sum(-scale_by_power(e.mantissa, e.exponent), widen<W>(single(number<T>(2)))), T(0)};
}

}  // namespace detail

/// The error function. Error <= 1.5 u^N |erf x|, plus 2^N eta. erf(+-inf) = +-1, erf(-0) = -0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> erf(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Erf>(x.limb[0]);
  } else {
    const T lead = detail::magnitude(x.limb[0]);
    if (lead != lead || lead == 0) return x.limb[0];
    // from this argument on, erfc is below u^N / 16
    constexpr T bits = N * FloatTraits<T>::p + 4;
    if (lead * lead > bits * T(0.7)) return std::copysign(T(1), x.limb[0]);
    const auto a = detail::widen<N + 1>(detail::magnitude_of(x));
    Expansion<T, N + 1> r;
    if (lead < T(0.5)) {
      r = detail::erf_series<N>(a);
    } else {
      const auto e = detail::erfc_wide<N>(a);
      r = detail::quick_sum(-detail::scale_by_power(e.mantissa, e.exponent),
                            detail::single(detail::number<T>(1)));
    }
    return detail::with_sign(detail::round_limbs<N>(r), x.limb[0]);
  }
}

/// The complement 1 - erf x. Error <= 1.5 u^N erfc x for every x, plus N eta where limbs fall below
/// the smallest subnormal. erfc(0) = 1, erfc(-inf) = 2.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> erfc(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Erfc>(x.limb[0]);
  } else {
    const T lead = x.limb[0];
    if (lead != lead) return lead;
    if (lead > detail::erfc_limit<T>) return T(0);
    if (lead < -detail::erfc_limit<T>) return T(2);
    return detail::unscaled<N>(detail::erfc_any<N>(detail::widen<N + 1>(x)));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
