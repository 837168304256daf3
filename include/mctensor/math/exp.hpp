// Exponentials.
//
// e^x = 2^k 2^(j/512) e^r, where x = (k + j/512) log 2 + r with |r| <= log(2)/1024. 2^(j/512)
// comes from a table, and e^r from its series. Source: Tang: Table-driven implementation of the
// exponential function, ACM TOMS 15(2), 1989; here the table has one limb more than the result,
// and each term of the series has as many limbs as it needs.
#pragma once

#include <cmath>

#include "mctensor/math/plain/functions.hpp"
#include "mctensor/math/polynomial.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/tables/exp_table.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// The number mantissa * 2^exponent, where the mantissa is near 1. Functions that combine
/// exponentials cancel exponents before they round.
template <class V, int W>
struct Scaled {
  Expansion<V, W> mantissa;
  V exponent;
};

/// x 2^k for |k| up to twice the range of exponents. Limbs that become subnormal are rounded once.
/// If the value overflows, the first limb is an infinity and the others are 0.
template <class V, int N>
MCT_HD inline Expansion<V, N> scale_by_power(const Expansion<V, N>& x, const V& k) {
  using S = scalar_t<V>;
  const V first = nearest_integer(V(k * V(S(0.5))));
  Expansion<V, N> r = scale_limbs(x, power_of_two(first));
  r = scale_limbs(r, power_of_two(V(k - first)));
  const auto finite = is_finite_mask(r.limb[0]);
  for (int i = 1; i < N; ++i) r.limb[i] = blend(finite, r.limb[i], V(S(0)));
  return r;
}

/// x = (exponent + (index - 256) / 512) log 2 + rest.
template <class V, int W>
struct ExpReduction {
  V exponent, index;
  Expansion<V, W> rest;
};

/// Splits n = 512 exponent + index - 256.
template <class V, int W>
MCT_HD constexpr void split_steps(const V& n, ExpReduction<V, W>& reduction) {
  using S = scalar_t<V>;
  reduction.exponent = nearest_integer(V(n * V(S(1) / 512)));
  reduction.index = n - reduction.exponent * V(S(512)) + V(S(256));
}

/// The reduction for e^x. |x| may be a little larger than where e^x overflows or underflows.
template <int W, class V, int K>
MCT_HD constexpr ExpReduction<V, W> reduce_exp(const Expansion<V, K>& x) {
  using S = scalar_t<V>;
  constexpr S steps = 512 * constant_limb<tables::Log2E, S, 0, 0>;
  ExpReduction<V, W> reduction;
  const V n = nearest_integer(V(x.limb[0] * V(steps)));
  split_steps(n, reduction);
  reduction.rest = cancelling_remainder<W>(x, constant<tables::Ln2Over512, V, W>(), n);
  return reduction;
}

/// The same for 2^x, for |x| up to twice the range of exponents: x = exponent + (index - 256) / 512
/// plus a fraction, which is exact.
template <int W, class V, int K>
MCT_HD constexpr ExpReduction<V, W> reduce_exp2(const Expansion<V, K>& x) {
  using S = scalar_t<V>;
  ExpReduction<V, W> reduction;
  const V n = nearest_integer(V(x.limb[0] * V(S(512))));
  split_steps(n, reduction);
  const auto fraction = sum(widen<W>(x), single(V(n * V(S(-1) / 512))));
  reduction.rest = mul_limbs(fraction, constant<tables::Ln2, V, W>());
  return reduction;
}

/// e^r - 1 - r for |r| <= log(2)/1024, with an error of about u^M / 16 relative to r.
template <int M, class V, int W>
MCT_HD constexpr Expansion<V, M> exp_tail(const Expansion<V, W>& rest) {
  const Expansion<V, M> r = leading<M>(rest);
  return product(mul_limbs(r, r), series<tables::ExpSeries, M * FloatTraits<V>::p - 6, 10>(r));
}

/// e^x from its reduction: the mantissa has an error of about u^N / 16.
template <int N, class V>
MCT_HD inline Scaled<V, N + 1> exp_from(const ExpReduction<V, N + 1>& reduction) {
  const Expansion<V, N> s = add_smaller(leading<N>(reduction.rest), exp_tail<N>(reduction.rest));
  const Expansion<V, N + 1> t = table_row<tables::Exp2Table, N + 1>(reduction.index);
  return {add_smaller(t, product(leading<N>(t), s)), reduction.exponent};
}

/// e^x as a mantissa of N + 1 limbs, for finite x within the range of reduce_exp.
template <int N, class V, int K>
MCT_HD inline Scaled<V, N + 1> exp_wide(const Expansion<V, K>& x) {
  return exp_from<N>(reduce_exp<N + 1>(x));
}

/// e^x - 1 = mantissa * 2^exponent, where the mantissa is not yet renormalized. inverse_power is
/// 2^-exponent.
template <class V, int W>
struct ScaledExpm1 {
  RunningSum<V, W> mantissa;
  V exponent, inverse_power;
};

/// (e^x - 1) / 2^k with the k of the reduction of x. The relative error is about u^N / 16, also for
/// tiny x. With t = 2^(j/512) and s = e^r - 1 the result is (t - 2^-k) + r + (s - r + (t - 1) s).
template <int N, class V>
MCT_HD inline ScaledExpm1<V, N + 1> expm1_from(const ExpReduction<V, N + 1>& reduction) {
  using S = scalar_t<V>;
  const Expansion<V, N + 1> t = table_row<tables::Exp2Table, N + 1>(reduction.index);
  // beyond the limit, 2^-k is negligible
  const V limit(S(FloatTraits<V>::emax - 8));
  const V k = blend(reduction.exponent > limit, limit, reduction.exponent);
  const V inverse_power = power_of_two(V(-k));

  const Expansion<V, N> tail = exp_tail<N>(reduction.rest);
  const Expansion<V, N> s = add_smaller(leading<N>(reduction.rest), tail);
  const Expansion<V, N> t_minus_1 = quick_sum(leading<N>(t), single(number<V>(-1)));
  const auto curved = quick_sum(tail, product(t_minus_1, s));
  return {running_sum(t, single(V(-inverse_power)), reduction.rest, curved), reduction.exponent,
          inverse_power};
}
template <int N, class V, int K>
MCT_HD inline ScaledExpm1<V, N + 1> expm1_wide(const Expansion<V, K>& x) {
  return expm1_from<N>(reduce_exp<N + 1>(x));
}

/// N limbs of a scaled number: error <= u^N |x|, plus N eta.
template <int N, class V>
MCT_HD inline Expansion<V, N> unscaled(const Scaled<V, N + 1>& x) {
  return scale_by_power(round_limbs<N>(x.mantissa), x.exponent);
}

/// The same for a mantissa with the given error, rounded by round_limbs_near.
template <int N, class V>
MCT_HD inline Expansion<V, N> unscaled_near(const Scaled<V, N + 1>& x, const V& error) {
  return scale_by_power(round_limbs_near<N>(x.mantissa, error), x.exponent);
}

/// e^x as a result of pow. If there is a number of N p bits within the error of e^x, it is the
/// result.
template <int N, class T>
MCT_HD inline Expansion<T, N> exp_near(const Expansion<T, N + 1>& x) {
  const auto e = exp_wide<N>(x);
  // a small x has a small absolute error, and so has the difference of e^x and 1
  const T size = 16 * magnitude(x.limb[0]);
  return unscaled_near<N>(e, T(e.mantissa.limb[0] * own_error<T, N> * (size < 1 ? size : T(1))));
}

/// The largest |x| that is reduced; e^x has over- or underflowed well before.
template <class V>
inline constexpr scalar_t<V> exp_limit = FloatTraits<V>::emax == 1024 ? 760 : 110;

/// Below this limit 2^x - 1 and e^x - 1 are -1, because the powers are below u^N / 16. At the limit
/// the power is still a normal number: it is 2^-120 for four floats.
template <class S, int N>
inline constexpr S exp2m1_lowest = -S((N + 1) * FloatTraits<S>::p);
template <class S, int N>
inline constexpr S expm1_lowest = S(0.69) * exp2m1_lowest<S, N>;

/// e^x - 1 or 2^x - 1. Between the limits it is computed from reduce(x), beyond them it is -1 or
/// infinity. For x = 0 and NaN it is x.
template <class T, int N, class Reduce>
MCT_HD inline Expansion<T, N> power_minus_1(const Expansion<T, N>& x, scalar_t<T> lowest,
                                            scalar_t<T> highest, const Reduce& reduce) {
  using S = scalar_t<T>;
  const auto inside = x.limb[0] > T(lowest) && x.limb[0] < T(highest) && x.limb[0] != T(S(0));
  const auto e = expm1_from<N>(reduce(blend(inside, x, Expansion<T, N>())));
  const Scaled<T, N + 1> scaled{e.mantissa.value(), e.exponent};
  const T special = blend(x.limb[0] <= T(lowest), T(S(-1)),
                          blend(x.limb[0] > T(S(0)), T(FloatTraits<T>::infinity), x.limb[0]));
  return settle_special(!inside, special, unscaled<N>(scaled));
}

/// e^x where the leading limb is out of range or NaN.
template <class V>
MCT_HD constexpr V exp_special(const V& lead) {
  using S = scalar_t<V>;
  return blend(lead > V(S(0)), V(FloatTraits<V>::infinity), blend(lead < V(S(0)), V(S(0)), lead));
}

}  // namespace detail

/// e^x. Error <= 1.5 u^N e^x, plus N eta where limbs fall below the smallest subnormal eta. For two
/// doubles 1.01 u^2 e^x is proven by ./run prove, where no limb of the result is subnormal.
/// exp(0) = 1. Overflow gives an infinity, underflow 0; exp(-inf) = 0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> exp(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Exp>(x.limb[0]);
  } else {
    const auto inside = detail::magnitude(x.limb[0]) < T(detail::exp_limit<T>);
    const auto e = detail::exp_wide<N>(detail::blend(inside, x, Expansion<T, N>()));
    return detail::settle_special(!inside, detail::exp_special(x.limb[0]), detail::unscaled<N>(e));
  }
}

/// 2^x. Error <= 1.5 u^N 2^x, plus N eta where limbs fall below the smallest subnormal eta. Exact
/// for integers x. Overflow gives an infinity, underflow 0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> exp2(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Exp2>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    const auto inside =
        detail::magnitude(x.limb[0]) < T(S(FloatTraits<T>::emax + FloatTraits<T>::p));
    const auto safe = detail::blend(inside, x, Expansion<T, N>());
    const auto e = detail::exp_from<N>(detail::reduce_exp2<N + 1>(safe));
    return detail::settle_special(!inside, detail::exp_special(x.limb[0]), detail::unscaled<N>(e));
  }
}

/// e^x - 1. Error <= 1.5 u^N |e^x - 1|, for tiny x too, plus 2^N eta where error terms fall below
/// the smallest subnormal eta. Overflow gives an infinity; expm1(-inf) = -1, expm1(-0) = -0. No
/// branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> expm1(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Expm1>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    return detail::power_minus_1(x, detail::expm1_lowest<S, N>, detail::exp_limit<T>,
                                 [](const auto& y) { return detail::reduce_exp<N + 1>(y); });
  }
}

/// 2^x - 1. Error <= 1.5 u^N |2^x - 1|, for tiny x too, plus 2^N eta where error terms fall below
/// the smallest subnormal eta. Exact for whole x. Overflow gives an infinity; exp2m1(-inf) = -1,
/// exp2m1(-0) = -0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> exp2m1(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Exp2m1>(x.limb[0]);
  } else {
    using S = scalar_t<T>;
    return detail::power_minus_1(x, detail::exp2m1_lowest<S, N>,
                                 S(FloatTraits<T>::emax + FloatTraits<T>::p),
                                 [](const auto& y) { return detail::reduce_exp2<N + 1>(y); });
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
