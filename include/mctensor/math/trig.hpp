// Sine, cosine and tangent.
//
// Let x = n pi/64 + r. Then sin x = S + S (cos r - 1) + C sin r, where S and C are the sine and
// cosine of n pi/64. They come from a table that has one limb more than the result. Source: Gal,
// Bachelis: An accurate elementary mathematical library for the IEEE floating point standard, ACM
// TOMS 17(1), 1991 (tables), and the addition theorem.
//
// Domain: all finite x, reduced with as many digits of 2/pi as they need (trig_reduction.hpp); an
// infinity or NaN gives NaN. Error of every function here: 1.5 u^N of the result.
#pragma once

#include <cmath>

#include "mctensor/math/plain/functions.hpp"
#include "mctensor/math/polynomial.hpp"
#include "mctensor/math/tables/series.hpp"
#include "mctensor/math/tables/sin_table.hpp"
#include "mctensor/math/trig_reduction.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// sin r and cos r - 1 of the remainder r.
template <class T, int N>
struct SmallAngle {
  Expansion<T, N + 1> sine;
  Expansion<T, N> cosine_minus_1;
};

template <int N, class T>
MCT_HD inline SmallAngle<T, N> small_angle(const Expansion<T, N + 1>& rest) {
  constexpr int p = FloatTraits<T>::p;
  const Expansion<T, N> r = leading<N>(rest);
  const Expansion<T, N> z = mul_limbs(r, r);
  // both results are at least 2^10 times smaller than the numbers to which they are added
  const auto sine = mul_limbs(mul_limbs(r, z), series<tables::SinSeries, N * p - 5, 10>(z));
  const auto cosine = mul_limbs(z, series<tables::CosSeries, N * p - 5, 10>(z));
  return {add_smaller(rest, sine), cosine};
}

/// sin(n pi/64 + r), n = 0 ... 127.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> sine_of(int n, const SmallAngle<T, N>& small) {
  constexpr int W = N + 1;
  n &= 127;
  const int quarter = n / 32;
  const int j = n % 32;
  const auto table = [](int index) { return table_row<tables::SinTable, W>(T(index)); };
  // in the second and fourth quarter the table is read backwards, and the cosine is negative
  const bool backwards = quarter % 2 == 1;
  const auto s = table(backwards ? 32 - j : j);
  const auto c = table(backwards ? j : 32 - j);
  const auto along = mul_limbs(c, small.sine);
  const auto bend = mul_limbs(leading<N>(s), small.cosine_minus_1);
  const auto r = quick_sum(quick_sum(s, bend), backwards ? -along : along);
  return quarter >= 2 ? -r : r;
}

/// The sine and the cosine, not yet rounded.
template <class T, int N>
struct SineCosine {
  Expansion<T, N + 1> sine, cosine;
};

template <int N, class T>
MCT_HD inline SineCosine<T, N> sine_cosine(const TrigReduction<T, N + 1>& reduction) {
  const auto small = small_angle<N>(reduction.rest);
  return {sine_of<N>(reduction.n, small), sine_of<N>(reduction.n + 32, small)};
}

/// The reduction for sinpi and cospi: x = n/64 + rest/pi.
template <int W, class T, int N>
MCT_HD inline TrigReduction<T, W> reduce_pi(const Expansion<T, N>& x) {
  // x modulo 2, limb by limb; the multiples of 2 that leading limbs drop are exact
  T parts[N];
  for (int i = 0; i < N; ++i) parts[i] = std::fmod(x.limb[i], T(2));
  T limbs[N];
  round_terms(parts, limbs);
  const T n = nearest_integer(T(limbs[0] * 64));
  T terms[N + 1];
  for (int i = 0; i < N; ++i) terms[i] = limbs[i];
  terms[N] = -n / 64;
  Expansion<T, N> fraction;
  round_terms(terms, fraction.limb);
  const auto rest = mul_widening<W>(constant<tables::Pi, T, W>(), fraction);
  return {modulo_128(n), rest, rest};
}

/// NaN for infinities and NaN.
template <class T>
MCT_HD inline T no_angle(const T& lead) {
  return lead - lead;
}

}  // namespace detail

/// A sine and a cosine: `auto [s, c] = sincos(x);`.
template <class T, int N>
struct SinCos {
  Expansion<T, N> sin, cos;
};

/// sin x and cos x together, with the bounds of sin.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline SinCos<T, N> sincos(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if constexpr (N == 1) {
    return {sin(x), cos(x)};
  } else {
    if (lead == 0) return {lead, T(1)};
    if (!(lead - lead == 0)) return {detail::no_angle(lead), detail::no_angle(lead)};
    const auto r = detail::sine_cosine<N>(detail::reduce_trig<N + 1>(x));
    return {detail::round_limbs<N>(r.sine), detail::round_limbs<N>(r.cosine)};
  }
}

/// sin x. Error <= 1.5 u^N |sin x| + 2^N eta for every finite x, also near multiples of pi. NaN for
/// infinities; sin(-0) = -0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> sin(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if constexpr (N == 1) {
    return detail::plain_function<detail::Sin>(x.limb[0]);
  } else {
    if (lead == 0) return lead;
    if (!(lead - lead == 0)) return detail::no_angle(lead);
    const auto reduction = detail::reduce_trig<N + 1>(x);
    const auto small = detail::small_angle<N>(reduction.rest);
    return detail::round_limbs<N>(detail::sine_of<N>(reduction.n, small));
  }
}

/// cos x: see sin. cos(0) = 1.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> cos(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if constexpr (N == 1) {
    return detail::plain_function<detail::Cos>(x.limb[0]);
  } else {
    if (!(lead - lead == 0)) return detail::no_angle(lead);
    const auto reduction = detail::reduce_trig<N + 1>(x);
    const auto small = detail::small_angle<N>(reduction.rest);
    return detail::round_limbs<N>(detail::sine_of<N>(reduction.n + 32, small));
  }
}

/// tan x. Error <= 1.5 u^N |tan x| + 2^N eta for every finite x, also near zeros and poles.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> tan(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if constexpr (N == 1) {
    return detail::plain_function<detail::Tan>(x.limb[0]);
  } else {
    if (lead == 0) return lead;
    if (!(lead - lead == 0)) return detail::no_angle(lead);
    const auto reduction = detail::reduce_trig<N + 1>(x);
    if (reduction.n % 64 == 32 &&
        detail::magnitude(reduction.rest.limb[0]) < detail::cubic_limit<T, N>) {
      // next to a pole tan x is -1 / r, and the remainder's last limbs count
      const auto minus_1 = detail::widen<N + 1>(detail::single(detail::number<T>(-1)));
      const auto q = detail::round_limbs<N>(detail::quick_quotient(minus_1, reduction.scaled_rest));
      return detail::scale_limbs(q, pow2<T>(detail::reduction_shift<T>));
    }
    const auto r = detail::sine_cosine<N>(reduction);
    return detail::round_limbs<N>(detail::quick_quotient(r.sine, r.cosine));
  }
}

/// sin(pi x). Error <= 1.5 u^N |sin(pi x)| + 2^N eta for every finite x. Exact for multiples of
/// 1/2: a zero with the sign of x for integers, and 1 or -1 between them. NaN for infinities.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> sinpi(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if constexpr (N == 1) {
    return detail::plain_function<detail::Sinpi>(lead);
  } else {
    if (lead == 0) return lead;
    if (!(lead - lead == 0)) return detail::no_angle(lead);
    const auto reduction = detail::reduce_pi<N + 1>(x);
    if (reduction.rest.limb[0] == 0 && reduction.n % 64 == 0) return std::copysign(T(0), lead);
    const auto small = detail::small_angle<N>(reduction.rest);
    return detail::round_limbs<N>(detail::sine_of<N>(reduction.n, small));
  }
}

/// cos(pi x): see sinpi; zero for odd multiples of 1/2, 1 or -1 for integers.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> cospi(const Expansion<T, N>& x) {
  const T lead = x.limb[0];
  if constexpr (N == 1) {
    return detail::plain_function<detail::Cospi>(lead);
  } else {
    if (!(lead - lead == 0)) return detail::no_angle(lead);
    const auto reduction = detail::reduce_pi<N + 1>(x);
    if (reduction.rest.limb[0] == 0 && reduction.n % 64 == 32) return T(0);
    const auto small = detail::small_angle<N>(reduction.rest);
    return detail::round_limbs<N>(detail::sine_of<N>(reduction.n + 32, small));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
