// Inverse hyperbolic functions, computed as log(1 + t) with a t that is accurate near zero, too.
//
// Source: the definitions as logarithms, computed by log.hpp (Tang 1990) with one limb more than
// the result.
#pragma once

#include "mctensor/math/hyperbolic.hpp"
#include "mctensor/math/log.hpp"
#include "mctensor/math/plain/functions.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// From this number on, x^2 + 1 differs from x^2 by at most u^N / 64 of it. The square of this
/// number is far from overflow.
template <class T, int N>
inline constexpr T quadratic_limit = pow2<T>((N * FloatTraits<T>::p) / 2 + 4);

/// log(2 x) in N + 1 limbs for large x, near overflow too.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> log_twice(const Expansion<T, N>& x) {
  auto parts = log_parts_any<N, N + 1>(x);
  parts.exponent += 1;
  return joined(parts);
}

/// acosh(1 + t) in N + 1 limbs for 0 < t < quadratic_limit, as log(1 + (t + sqrt(2 t) sqrt(1 +
/// t/2))). The two roots are computed separately, because t^2 underflows for tiny t.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> arcosh1p_wide(const Expansion<T, N + 1>& t) {
  const auto second = quick_sum(scale_limbs(t, T(0.5)), single(number<T>(1)));
  const auto root = mul_limbs(sqrt(scale_limbs(t, T(2))), sqrt(second));
  return log1p_wide<N>(quick_sum(t, root));
}

}  // namespace detail

/// asinh x for every x. Error <= 1.5 u^N |asinh x|, for tiny x too, plus 2^N eta. asinh(+-inf) =
/// +-inf, asinh(-0) = -0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> asinh(const Expansion<T, N>& x) {
  const T lead = detail::magnitude(x.limb[0]);
  if constexpr (N == 1) {
    return detail::plain_function<detail::Asinh>(x.limb[0]);
  } else {
    if (!(lead < FloatTraits<T>::infinity) || lead == 0) return x.limb[0];
    const auto a = detail::magnitude_of(x);
    if (lead > detail::quadratic_limit<T, N>)
      return detail::with_sign(detail::round_limbs<N>(detail::log_twice<N>(a)), x.limb[0]);
    // below the limit x^2 is negligible, and it might underflow
    if (lead < detail::cubic_limit<T, N>) return x;
    const auto w = detail::widen<N + 1>(a);
    const auto square = detail::mul_limbs(w, w);
    const auto root = sqrt(detail::quick_sum(square, detail::single(detail::number<T>(1))));
    const auto t = detail::quick_quotient(
        square, detail::quick_sum(root, detail::single(detail::number<T>(1))));
    const auto r = detail::log1p_wide<N>(detail::quick_sum(w, t));
    return detail::with_sign(detail::round_limbs<N>(r), x.limb[0]);
  }
}

/// acosh(1 + t), for distances of near points. It is accurate also for tiny t, whose digits are
/// lost in 1 + t. Error <= 1.5 u^N arcosh1p(t), plus 2^N eta. NaN for t < 0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> arcosh1p(const Expansion<T, N>& t) {
  const T lead = t.limb[0];
  if (lead < 0) return FloatTraits<T>::nan;
  if (!(lead < FloatTraits<T>::infinity) || lead == 0) return lead;
  if (lead > detail::quadratic_limit<T, N>) {
    const auto x = detail::round_limbs<N>(
        detail::quick_sum(detail::widen<N + 1>(t), detail::single(detail::number<T>(1))));
    return detail::round_limbs<N>(detail::log_twice<N>(x));
  }
  return detail::round_limbs<N>(detail::arcosh1p_wide<N>(detail::widen<N + 1>(t)));
}

/// acosh x. Error <= 1.5 u^N acosh x, near 1 too. acosh(1) = 0, NaN for x < 1.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> acosh(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Acosh>(x.limb[0]);
  } else {
    if (x.limb[0] != x.limb[0] || x.limb[0] == FloatTraits<T>::infinity) return x.limb[0];
    if (x.limb[0] < 1) return FloatTraits<T>::nan;
    if (x.limb[0] > detail::quadratic_limit<T, N>)
      return detail::round_limbs<N>(detail::log_twice<N>(x));
    const auto t =
        detail::add_limbs(detail::widen<N + 1>(x), detail::single(detail::number<T>(-1)));
    if (t.limb[0] < 0) return FloatTraits<T>::nan;
    if (t.limb[0] == 0) return T(0);
    return detail::round_limbs<N>(detail::arcosh1p_wide<N>(t));
  }
}

/// atanh x: log(1 + 2x / (1 - x)) / 2. Error <= 1.5 u^N |atanh x|, for tiny x and near +-1 too,
/// plus 2^N eta. atanh(+-1) = +-inf, NaN beyond.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> atanh(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Atanh>(x.limb[0]);
  } else {
    if (x.limb[0] == 0 || x.limb[0] != x.limb[0]) return x.limb[0];
    const auto a = detail::widen<N + 1>(detail::magnitude_of(x));
    if (a.limb[0] > 2) return FloatTraits<T>::nan;
    const auto complement = detail::add_limbs(-a, detail::single(detail::number<T>(1)));
    if (complement.limb[0] < 0) return FloatTraits<T>::nan;
    if (complement.limb[0] == 0) return x.limb[0] * FloatTraits<T>::infinity;
    if (a.limb[0] < detail::cubic_limit<T, N>) return x;
    // next to the pole, where x has gaps between its limbs, the quotient would overflow
    const auto next_to_pole = complement.limb[0] < pow2<T>(FloatTraits<T>::emin / 2);
    const auto twice =
        next_to_pole
            ? detail::add_limbs(
                  detail::log_wide<N>(detail::add_limbs(a, detail::single(detail::number<T>(1)))),
                  -detail::log_wide<N>(complement))
            : detail::log1p_wide<N>(
                  detail::quick_quotient(detail::scale_limbs(a, T(2)), complement));
    const auto r = detail::scale_limbs(twice, T(0.5));
    return detail::with_sign(detail::round_limbs<N>(r), x.limb[0]);
  }
}

// One component: the standard library has no such function.
template <class T>
MCT_HD inline Expansion<T, 1> arcosh1p(const Expansion<T, 1>& x) {
  return detail::by_two(x, [](const auto& v) { return arcosh1p(v); });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
