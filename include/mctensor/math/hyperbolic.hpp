// Hyperbolic functions, computed from e^x - 1 in the form mantissa * 2^exponent.
//
// Domain: every x; NaN gives NaN. Source: exp.hpp (Tang 1989), with one limb more than the result.
#pragma once

#include "mctensor/math/exp.hpp"
#include "mctensor/math/plain/functions.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// tanh a in N + 1 limbs for 0 < a < tanh_limit. With e^(2a) - 1 = 2^k m it is m / (m + 2 2^-k).
template <int N, class V, int K>
MCT_HD inline Expansion<V, N + 1> tanh_wide(const Expansion<V, K>& a) {
  const auto e = expm1_wide<N>(scale_limbs(a, V(scalar_t<V>(2))));
  // quick_quotient accepts overlapping limbs
  const V two = e.inverse_power + e.inverse_power;
  return quick_quotient(e.mantissa.sum, running_sum(e.mantissa.sum, single(two)).sum);
}

/// sinh a for a > 0 within the range of reduce_exp. With e^a - 1 = 2^k m it is
/// 2^(k-1) (m + 2^-k m / (m + 2^-k)).
template <int N, class V, int K>
MCT_HD inline Scaled<V, N + 1> sinh_wide(const Expansion<V, K>& a) {
  using S = scalar_t<V>;
  const auto e = expm1_wide<N>(a);
  const auto m = e.mantissa.value();
  const auto power = quick_sum(m, single(e.inverse_power));  // e^a / 2^k
  const auto rest = scale_limbs(quick_quotient(m, power), e.inverse_power);
  return {quick_sum(m, rest), V(e.exponent - V(S(1)))};
}

/// cosh a for a >= 0 within the range of reduce_exp. With e^a = 2^k m it is 2^(k-1) (m + 2^-2k /
/// m).
template <int N, class V, int K>
MCT_HD inline Scaled<V, N + 1> cosh_wide(const Expansion<V, K>& a) {
  using S = scalar_t<V>;
  const auto e = exp_wide<N>(a);
  const V limit(S(FloatTraits<V>::emax - 8));
  const V inverse_power = power_of_two(V(-blend(e.exponent > limit, limit, e.exponent)));
  const auto one = widen<N + 1>(single(number<V>(1)));
  const auto rest =
      scale_limbs(scale_limbs(quick_quotient(one, e.mantissa), inverse_power), inverse_power);
  return {quick_sum(e.mantissa, rest), V(e.exponent - V(S(1)))};
}

/// From this argument on, tanh differs from 1 by less than u^N / 4.
template <class V, int N>
inline constexpr scalar_t<V> tanh_limit = scalar_t<V>(N* FloatTraits<V>::p + 4) * scalar_t<V>(0.35);

}  // namespace detail

/// tanh x. Error <= 1.5 u^N |tanh x|, for tiny x too, plus 2^N eta. tanh(+-inf) = +-1,
/// tanh(-0) = -0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> tanh(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Tanh>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    const T lead = detail::magnitude(x.limb[0]);
    const auto inside = lead < T(detail::tanh_limit<T, N>) && lead > T(S(0));
    const auto a = detail::blend(inside, detail::magnitude_of(x), Expansion<T, N>(T(S(1))));
    const auto r = detail::with_sign(detail::round_limbs<N>(detail::tanh_wide<N>(a)), x.limb[0]);
    const T one = detail::blend(x.limb[0] < T(S(0)), T(S(-1)), T(S(1)));
    const T special = detail::blend(lead > T(S(1)), one, x.limb[0]);
    return detail::settle_special(!inside, special, r);
  }
}

/// sinh x. Error <= 1.5 u^N |sinh x|, for tiny x too, plus 2^N eta. Overflow gives an infinity,
/// sinh(-0) = -0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> sinh(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Sinh>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    const T lead = detail::magnitude(x.limb[0]);
    const auto inside = lead < T(detail::exp_limit<T>) && lead > T(S(0));
    const auto a = detail::blend(inside, detail::magnitude_of(x), Expansion<T, N>(T(S(1))));
    const auto r = detail::with_sign(detail::unscaled<N>(detail::sinh_wide<N>(a)), x.limb[0]);
    // beyond the limit the result is an infinity with the sign of x; zero and NaN give themselves
    const T special =
        detail::blend(lead > T(S(1)), T(x.limb[0] * T(FloatTraits<T>::infinity)), x.limb[0]);
    return detail::settle_special(!inside, special, r);
  }
}

/// cosh x. Error <= 1.5 u^N cosh x. cosh(0) = 1; overflow gives an infinity. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> cosh(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Cosh>(x.limb[0]);
  } else {
    const T lead = detail::magnitude(x.limb[0]);
    const auto inside = lead < T(detail::exp_limit<T>);
    const auto a = detail::blend(inside, detail::magnitude_of(x), Expansion<T, N>());
    const auto r = detail::unscaled<N>(detail::cosh_wide<N>(a));
    return detail::settle_special(!inside, T(lead * T(FloatTraits<T>::infinity)), r);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
