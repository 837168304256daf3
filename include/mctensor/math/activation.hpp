// Functions of neural networks: sigmoid, logit, softplus, log_sigmoid, gelu, log_cosh.
//
// Domain: every x; NaN gives NaN, and infinities give the limits of the function. Source: the
// definitions, computed by exp.hpp, log.hpp and erf.hpp with one limb more than the result.
#pragma once

#include "mctensor/math/erf.hpp"
#include "mctensor/math/hyperbolic.hpp"
#include "mctensor/math/log.hpp"
#include "mctensor/math/plain/functions.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// 1 / (1 + e^-x). Error <= 1.5 u^N sigmoid(x), for large negative x too, plus N eta where it
/// underflows. sigmoid(0) = 1/2. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> sigmoid(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Sigmoid>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    constexpr int W = N + 1;
    const T lead = x.limb[0];
    const auto inside = detail::magnitude(lead) < T(detail::exp_limit<T>);
    const auto negative = lead < T(S(0));
    const auto a = detail::blend(inside, detail::magnitude_of(x), Expansion<T, N>());
    const auto e = detail::exp_wide<N>(-a);
    const T floor(S(-FloatTraits<T>::emax + 8));  // below this limit e^-|x| is negligible beside 1
    const T power = detail::power_of_two(T(detail::blend(e.exponent < floor, floor, e.exponent)));
    const auto divisor = detail::quick_sum(detail::scale_limbs(e.mantissa, power),
                                           detail::single(detail::number<T>(1)));
    const auto one = detail::widen<W>(detail::single(detail::number<T>(1)));
    const auto q = detail::quick_quotient(detail::blend(negative, e.mantissa, one), divisor);
    const T exponent = detail::blend(negative, e.exponent, T(S(0)));
    const auto r = detail::unscaled<N>(detail::Scaled<T, W>{q, exponent});
    const T special =
        detail::blend(negative, T(S(0)), detail::blend(lead > T(S(0)), T(S(1)), lead));
    return detail::settle_special(!inside, special, r);
  }
}

/// log(x / (1 - x)), the inverse of sigmoid. Error <= 1.5 u^N |logit(x)|, next to 1/2 too.
/// Domain: 0 <= x <= 1, NaN outside; infinities at 0 and 1.
/// logit(1/2) = 0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> logit(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Logit>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    constexpr int W = N + 1;
    const auto one = detail::single(detail::number<T>(1));
    const Expansion<T, W> wide = detail::widen<W>(x);
    const auto rest = detail::add_limbs(-wide, one);
    const auto inside = x.limb[0] > T(S(0)) && rest.limb[0] > T(S(0));
    // y is the smaller of x and 1 - x; its logit is log y - log(1 - y), or log1p of (2 y - 1) / (1
    // - y)
    const auto upper = x.limb[0] > T(S(0.5));
    const Expansion<T, W> half(T(S(0.5)));
    const auto y = detail::blend(inside, detail::blend(upper, rest, wide), half);
    const auto other = detail::blend(inside, detail::blend(upper, wide, rest), half);
    const auto near = y.limb[0] > T(S(0.25));
    const auto difference = detail::add_limbs(detail::scale_limbs(y, T(S(2))), -one);
    const auto t = detail::quick_quotient(difference, other);
    const auto second = detail::log1p_wide<N>(detail::blend(near, t, -y));
    const auto first = detail::joined(detail::log_parts_any<N, W>(y));
    const auto r =
        detail::round_limbs<N>(detail::blend(near, second, detail::quick_sum(first, -second)));
    const T beyond =
        detail::blend(x.limb[0] == T(S(0)), T(-FloatTraits<T>::infinity),
                      detail::blend(rest.limb[0] == T(S(0)), T(FloatTraits<T>::infinity),
                                    T(FloatTraits<T>::nan)));
    return detail::settle_special(!inside, beyond, detail::blend(upper, -r, r));
  }
}

/// log(1 + e^x). Error <= 1.5 u^N softplus(x), plus 2^N eta. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> softplus(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Softplus>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    constexpr int W = N + 1;
    const T lead = x.limb[0];
    const auto inside = detail::magnitude(lead) < T(detail::exp_limit<T>);
    const auto safe = detail::blend(inside, x, Expansion<T, N>());
    const auto e = detail::exp_wide<N>(-detail::magnitude_of(safe));
    const auto power = detail::scale_by_power(e.mantissa, e.exponent);
    const auto positive =
        detail::blend(safe.limb[0] > T(S(0)), detail::widen<W>(safe), Expansion<T, W>());
    const auto r = detail::quick_sum(positive, detail::log1p_wide<N>(power));
    const auto beyond = detail::blend(lead < T(S(0)), Expansion<T, N>(), x);
    return detail::blend(inside, detail::round_limbs<N>(r), beyond);
  }
}

/// log(sigmoid(x)) = -softplus(-x). Error <= 1.5 u^N |log_sigmoid(x)|, plus 2^N eta. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> log_sigmoid(const Expansion<T, N>& x) {
  return -softplus(-x);
}

/// x Phi(x) = x erfc(-x / sqrt(2)) / 2, the exact form. Error <= 1.5 u^N |gelu(x)| for every x,
/// plus 2^N eta where it underflows. gelu(-inf) = -0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> gelu(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Gelu>(x.limb[0]);
  } else {
    constexpr int W = N + 1;
    const T lead = x.limb[0];
    if (lead != lead || lead == 0) return lead;
    const T limit = detail::erfc_limit<T> * T(1.42);
    if (lead > limit) return x;
    if (lead < -limit) return T(-T(0));
    const auto w = detail::widen<W>(x);
    const auto argument = detail::mul_limbs(-w, detail::constant<tables::InverseSqrt2, T, W>());
    const auto e = detail::erfc_any<N>(argument);
    const detail::Scaled<T, W> r{detail::mul_limbs(w, e.mantissa), T(e.exponent - 1)};
    return detail::unscaled<N>(r);
  }
}

/// log(cosh x). Error <= 1.5 u^N log_cosh(x), for small x too, plus 2^N eta.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> log_cosh(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return log_cosh(v); });
  } else {
    constexpr int W = N + 1;
    const T lead = detail::magnitude(x.limb[0]);
    if (!(lead < FloatTraits<T>::infinity) || lead == 0) return lead;
    const auto a = detail::magnitude_of(x);
    if (lead < 1) {
      const auto s = detail::sinh_wide<N>(a);
      const auto sinh = detail::scale_by_power(s.mantissa, s.exponent);
      const auto r = detail::log1p_wide<N>(detail::mul_limbs(sinh, sinh));
      return detail::round_limbs<N>(detail::scale_limbs(r, T(0.5)));
    }
    auto rest = -detail::constant<tables::Ln2, T, W>();
    if (lead < detail::exp_limit<T> / 2) {
      const auto e = detail::exp_wide<N>(detail::scale_limbs(a, T(-2)));
      const auto power = detail::scale_by_power(e.mantissa, e.exponent);
      rest = detail::quick_sum(rest, detail::log1p_wide<N>(power));
    }
    return detail::round_limbs<N>(detail::add_limbs(detail::widen<W>(a), rest));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
