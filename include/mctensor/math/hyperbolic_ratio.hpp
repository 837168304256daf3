// Quotients of hyperbolic functions and their arguments. Geometry needs them near zero.
//
// Domain: every x; NaN gives NaN. Source: quotients of the functions of hyperbolic.hpp, with one
// limb more than the result; 1 where the next term of the series is negligible.
#pragma once

#include "mctensor/math/hyperbolic.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// A quotient that is 1 for tiny x, `far` for |x| >= limit, and f(|x|) between. NaN gives NaN. In
/// lanes that do not use f(|x|), f is called with 1.
template <class T, int N, class F>
MCT_HD inline Expansion<T, N> even_ratio(const Expansion<T, N>& x, scalar_t<T> limit,
                                         const Expansion<T, N>& far, const F& f) {
  using S = scalar_t<T>;
  const T lead = magnitude(x.limb[0]);
  const Expansion<T, N> one(T(S(1)));
  const auto near = lead < T(cubic_limit<T, N>);
  const auto inside = !near && lead < T(limit);
  const auto r = f(widen<N + 1>(blend(inside, magnitude_of(x), one)));
  return blend(inside, r,
               blend(near, one, blend(lead >= T(limit), far, Expansion<T, N>(x.limb[0]))));
}

}  // namespace detail

/// sinh(x) / x, 1 at zero. Error <= 1.5 u^N sinh(x) / x. Overflow gives an infinity. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> sinhc(const Expansion<T, N>& x) {
  const Expansion<T, N> far = T(FloatTraits<T>::infinity);
  return detail::even_ratio(x, detail::exp_limit<T>, far, [](const auto& a) {
    const auto s = detail::sinh_wide<N>(a);
    return detail::unscaled<N>(
        detail::Scaled<T, N + 1>{detail::quick_quotient(s.mantissa, a), s.exponent});
  });
}

/// x / sinh(x), 1 at zero: the reciprocal of sinhc. Error <= 1.5 u^N x / sinh(x), plus N eta where
/// it underflows. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> rsinhc(const Expansion<T, N>& x) {
  return detail::even_ratio(x, detail::exp_limit<T>, Expansion<T, N>(), [](const auto& a) {
    const auto s = detail::sinh_wide<N>(a);
    return detail::unscaled<N>(
        detail::Scaled<T, N + 1>{detail::quick_quotient(a, s.mantissa), T(-s.exponent)});
  });
}

/// tanh(x) / x, 1 at zero. Error <= 1.5 u^N tanh(x) / x, plus 2^N eta. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> tanhc(const Expansion<T, N>& x) {
  using S = scalar_t<T>;
  const T lead = detail::magnitude(x.limb[0]);
  const auto large = lead >= T(detail::tanh_limit<T, N>) && lead < T(FloatTraits<T>::infinity);
  const auto divisor =
      detail::widen<N + 1>(detail::blend(large, detail::magnitude_of(x), Expansion<T, N>(T(S(1)))));
  const auto inverse = detail::round_limbs<N>(
      detail::scaled_quotient(detail::widen<N + 1>(detail::single(detail::number<T>(1))), divisor));
  const auto far = detail::blend(large, inverse, Expansion<T, N>());
  return detail::even_ratio(x, detail::tanh_limit<T, N>, far, [](const auto& a) {
    return detail::round_limbs<N>(detail::quick_quotient(detail::tanh_wide<N>(a), a));
  });
}

/// x / tanh(x), 1 at zero: the reciprocal of tanhc. Error <= 1.5 u^N x / tanh(x). No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> rtanhc(const Expansion<T, N>& x) {
  return detail::even_ratio(
      x, detail::tanh_limit<T, N>, detail::magnitude_of(x), [](const auto& a) {
        return detail::round_limbs<N>(detail::quick_quotient(a, detail::tanh_wide<N>(a)));
      });
}

// One component: the standard library has no such function.
template <class T>
MCT_HD inline Expansion<T, 1> sinhc(const Expansion<T, 1>& x) {
  return detail::by_two(x, [](const auto& v) { return sinhc(v); });
}
template <class T>
MCT_HD inline Expansion<T, 1> rsinhc(const Expansion<T, 1>& x) {
  return detail::by_two(x, [](const auto& v) { return rsinhc(v); });
}
template <class T>
MCT_HD inline Expansion<T, 1> tanhc(const Expansion<T, 1>& x) {
  return detail::by_two(x, [](const auto& v) { return tanhc(v); });
}
template <class T>
MCT_HD inline Expansion<T, 1> rtanhc(const Expansion<T, 1>& x) {
  return detail::by_two(x, [](const auto& v) { return rtanhc(v); });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
