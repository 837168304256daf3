// Logarithms.
//
// Let x = 2^k m with m near 1, and let c be a short number near 1/m from a table. Then log x = k
// log 2 - log c + log(1 + r) with r = c m - 1 and |r| < 2^-9. r is computed nearly exactly. Source:
// Tang: Table-driven implementation of the logarithm function, ACM TOMS 16(4), 1990.
//
// Domain: x > 0; log(0) is minus infinity, a negative x gives NaN.
#pragma once

#include <cmath>

#include "mctensor/math/plain/functions.hpp"
#include "mctensor/math/polynomial.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/tables/log_table.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// log x = exponent log 2 + near + log1p_rest. `near` comes from the table. log1p_rest is below
/// about 2^-9. Its relative error is small where the other two are zero.
template <class V, int W>
struct LogParts {
  V exponent;
  Expansion<V, W> near, log1p_rest;
};

/// log(1 + r) - r for |r| < 2^-9, to about u^M / 16 relative to r.
template <int M, class V, int W>
MCT_HD constexpr Expansion<V, M> log1p_tail(const Expansion<V, W>& rest) {
  const Expansion<V, M> r = leading<M>(rest);
  return product(mul_limbs(r, r), series<tables::LogSeries, M * FloatTraits<V>::p - 4, 9>(r));
}

/// x = 2^exponent m, m near (index + 362) / 512.
template <class V>
struct LogReduction {
  V exponent, index, inverse_power;
};

/// The reduction of a positive normal number: m in (362/512, 724/512].
template <class V>
MCT_HD inline LogReduction<V> reduce_log(const V& lead) {
  using S = scalar_t<V>;
  const auto split = binary_split(lead, S(362 * (S(1) + 2 * FloatTraits<V>::u) / 512));
  return {split.exponent, nearest_integer(V(split.mantissa * V(S(512)))) - V(S(362)),
          split.inverse_power};
}

/// The factor of the argument: c 2^-exponent.
template <class V>
MCT_HD inline V log_scale(const LogReduction<V>& reduction) {
  return table_row<tables::LogReciprocal, 1>(reduction.index).limb[0] * reduction.inverse_power;
}

/// The parts of the logarithm from the reduced argument. The tail has M limbs. M = W - 1 gives a
/// relative error of about u^M / 16, and M = W a few u^W.
template <int M, class V, int W>
MCT_HD inline LogParts<V, W> log_parts(const LogReduction<V>& reduction,
                                       const Expansion<V, W>& rest) {
  return {reduction.exponent, table_row<tables::LogTable, W>(reduction.index),
          add_smaller(rest, log1p_tail<M>(rest))};
}

/// log x in W limbs from its parts.
template <class V, int W>
MCT_HD constexpr Expansion<V, W> joined(const LogParts<V, W>& parts) {
  const auto power = mul_limbs(constant<tables::Ln2, V, W>(), single(parts.exponent));
  return quick_sum(power, parts.near, parts.log1p_rest);
}

/// log2 x in W limbs from the parts of log x. Powers of two are exact.
template <class V, int W>
MCT_HD constexpr Expansion<V, W> joined_base_2(const LogParts<V, W>& parts) {
  const auto fraction =
      mul_limbs(quick_sum(parts.near, parts.log1p_rest), constant<tables::Log2E, V, W>());
  return add_limbs(fraction, single(parts.exponent));
}

/// The parts of log x for any positive finite x. Very large and very small x are scaled first.
template <int M, int W, class V, int K>
MCT_HD inline LogParts<V, W> log_parts_any(const Expansion<V, K>& x) {
  using S = scalar_t<V>;
  using Traits = FloatTraits<V>;
  constexpr int shift = 5 * Traits::p;
  const auto small = x.limb[0] < V(pow2<S>(Traits::emin + shift));
  const auto large = x.limb[0] > V(pow2<S>(Traits::emax - 6));
  const V scale = blend(small, V(pow2<S>(shift)), blend(large, V(S(1) / 64), V(S(1))));
  const Expansion<V, K> scaled = scale_limbs(x, scale);
  const auto reduction = reduce_log(scaled.limb[0]);
  const auto rest =
      cancelling_remainder<W>(single(number<V>(-1)), scaled, V(-log_scale(reduction)));
  auto parts = log_parts<M>(reduction, rest);
  parts.exponent = parts.exponent + blend(small, V(S(-shift)), blend(large, V(S(6)), V(S(0))));
  return parts;
}

/// log x in N + 1 limbs for positive finite x, to about u^N / 16 relative.
template <int N, class V, int K>
MCT_HD inline Expansion<V, N + 1> log_wide(const Expansion<V, K>& x) {
  return joined(log_parts_any<N, N + 1>(x));
}

/// The parts of log(1 + x) for finite x > -1, to about u^N / 16 relative.
template <int N, class V, int W>
MCT_HD inline LogParts<V, W> log1p_parts(const Expansion<V, W>& x) {
  static_assert(W == N + 1);
  using S = scalar_t<V>;
  using Traits = FloatTraits<V>;
  // the remainder is scale x + (scale - 1). Near x = -1 this loses digits, and the exact sum y
  // replaces x. Where 1 is negligible, x may be near overflow
  const Expansion<V, W> y = quick_sum(x, single(number<V>(1)));
  const auto near_pole = x.limb[0] < V(S(-0.25));
  const auto huge = x.limb[0] > V(pow2<S>(Traits::emax - 8));
  // 1 + x is subnormal only if x has gaps between its limbs
  constexpr int shift = 2 * Traits::p;
  const auto tiny = near_pole && y.limb[0] < V(pow2<S>(Traits::emin + Traits::p));
  const V into_range = blend(huge, V(S(1) / 256), blend(tiny, V(pow2<S>(shift)), V(S(1))));
  const Expansion<V, W> argument = scale_limbs(blend(near_pole, y, x), into_range);
  const V one = blend(near_pole || huge, V(S(0)), V(S(1)));
  const V lead = blend(near_pole || huge, argument.limb[0], y.limb[0]);
  const V least(std::numeric_limits<S>::min());
  const auto reduction = reduce_log(V(blend(lead < least, least, lead)));
  const V scale = log_scale(reduction);
  const auto [hi, lo] = two_sum(V(one * scale), V(S(-1)));
  const auto rest =
      quick_sum(mul_limbs(argument, single(scale)), Expansion<V, 2>::from_limbs(hi, lo));
  auto parts = log_parts<N>(reduction, rest);
  parts.exponent = parts.exponent + blend(huge, V(S(8)), blend(tiny, V(S(-shift)), V(S(0))));
  return parts;
}
template <int N, class V, int W>
MCT_HD inline Expansion<V, W> log1p_wide(const Expansion<V, W>& x) {
  return joined(log1p_parts<N>(x));
}

/// The logarithm where the leading limb is zero, infinite, negative or NaN.
template <class V>
MCT_HD constexpr V log_special(const V& lead) {
  using S = scalar_t<V>;
  const V nan(FloatTraits<V>::nan);
  return blend(lead == V(S(0)), V(-FloatTraits<V>::infinity), blend(lead > V(S(0)), lead, nan));
}

/// True where the logarithm of x is a finite number.
template <class V>
MCT_HD constexpr auto has_log(const V& lead) {
  return lead > V(scalar_t<V>(0)) && lead < V(FloatTraits<V>::infinity);
}

/// A logarithm of 1 + x for every x. Where it is finite it is join(parts), and `join` decides its
/// base.
template <class T, int N, class Join>
MCT_HD inline Expansion<T, N> log1p_any(const Expansion<T, N>& x, const Join& join) {
  using S = scalar_t<T>;
  // whether x > -1: if the first limb is -1, the second limb decides
  const T above = x.limb[0] + T(S(1)) + x.limb[1];
  const auto inside =
      above > T(S(0)) && x.limb[0] < T(FloatTraits<T>::infinity) && x.limb[0] != T(S(0));
  const Expansion<T, N> safe = blend(inside, x, Expansion<T, N>(1));
  const auto r = round_limbs<N>(join(log1p_parts<N>(widen<N + 1>(safe))));
  const T special = blend(x.limb[0] == T(S(0)), x.limb[0], log_special(above));
  return settle_special(!inside, special, r);
}

}  // namespace detail

/// The natural logarithm. Error <= 1.5 u^N |log x|, also near 1, plus 2^N eta. For two doubles
/// 1.03 u^2 |log x| is proven (./run prove). log(1) = 0, log(0) = -inf; NaN for x < 0. Domain: all
/// x > 0, subnormal ones too. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> log(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Log>(x.limb[0]);
  } else {
    const auto inside = detail::has_log(x.limb[0]);
    const Expansion<T, N> safe = detail::blend(inside, x, Expansion<T, N>(1));
    const auto r = detail::round_limbs<N>(detail::log_wide<N>(safe));
    return detail::settle_special(!inside, detail::log_special(x.limb[0]), r);
  }
}

/// The logarithm to base 2: bounds as for log; exact for powers of two.
template <class T, int N>
MCT_HD inline Expansion<T, N> log2(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Log2>(x.limb[0]);
  } else {
    const auto inside = detail::has_log(x.limb[0]);
    const Expansion<T, N> safe = detail::blend(inside, x, Expansion<T, N>(1));
    const auto parts = detail::log_parts_any<N, N + 1>(safe);
    const auto r = detail::round_limbs<N>(detail::joined_base_2(parts));
    return detail::settle_special(!inside, detail::log_special(x.limb[0]), r);
  }
}

/// The logarithm to base 10: bounds as for log; exact for powers of ten.
template <class T, int N>
MCT_HD inline Expansion<T, N> log10(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    using std::log10;
    return log10(x.limb[0]);
  } else {
    const auto inside = detail::has_log(x.limb[0]);
    const Expansion<T, N> safe = detail::blend(inside, x, Expansion<T, N>(1));
    const auto wide =
        detail::mul_limbs(detail::log_wide<N>(safe), detail::constant<tables::Log10E, T, N + 1>());
    const T error = detail::magnitude(wide.limb[0]) * T(detail::own_error<T, N>);
    const auto r = detail::round_limbs_near<N>(wide, error);
    return detail::settle_special(!inside, detail::log_special(x.limb[0]), r);
  }
}

/// log(1 + x). Error <= 1.5 u^N |log(1 + x)|, also for tiny x and near -1, plus 2^N eta.
/// log1p(-1) = -inf, NaN for x < -1, log1p(-0) = -0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> log1p(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Log1p>(x.limb[0]);
  } else {
    return detail::log1p_any(x, [](const auto& parts) { return detail::joined(parts); });
  }
}

/// log2(1 + x). Error <= 1.5 u^N |log2(1 + x)|, also for tiny x and near -1, plus 2^N eta. Exact
/// where 1 + x is a power of two; special values as log1p. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> log2p1(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Log2p1>(x.limb[0]);
  } else {
    return detail::log1p_any(x, [](const auto& parts) { return detail::joined_base_2(parts); });
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
