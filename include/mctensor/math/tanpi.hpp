// The tangent of half turns.
//
// Source: the quotient of sinpi and cospi (trig.hpp); next to a pole it is -1 / (pi f) with the
// distance f of x from the pole.
#pragma once

#include "mctensor/math/trig.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// -1 / (pi f), where f is x without the limbs that are multiples of 1/2. f may be subnormal.
template <class T, int N>
MCT_HD inline Expansion<T, N> tanpi_next_to_pole(const Expansion<T, N>& x) {
  constexpr int W = N + 1;
  Expansion<T, N> rest;
  int kept = 0;
  for (int i = 0; i < N; ++i)
    if (std::fmod(x.limb[i], T(0.5)) != 0) rest.limb[kept++] = x.limb[i];
  const auto s = scale_to_unit(rest.limb[0]);
  const auto unit = scale_limbs(scale_limbs(rest, s.first), s.second);
  const auto q = round_limbs<N>(quick_quotient(
      widen<W>(single(number<T>(-1))), mul_widening<W>(constant<tables::Pi, T, W>(), unit)));
  Expansion<T, N> r = scale_limbs(scale_limbs(q, s.first), s.second);
  if (!(r.limb[0] - r.limb[0] == 0)) r = Expansion<T, N>(r.limb[0]);
  return r;
}

}  // namespace detail

/// tan(pi x). Error <= 1.5 u^N |tan(pi x)| for every finite x, poles included, plus 2^N eta. Exact
/// for multiples of 1/4; zeros and infinities have the signs of C23, which are the signs of sinpi /
/// cospi. NaN for infinities.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> tanpi(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::by_two(x, [](const auto& v) { return tanpi(v); });
  } else {
    const T lead = x.limb[0];
    if (lead == 0) return lead;
    if (!(lead - lead == 0)) return detail::no_angle(lead);
    const auto reduction = detail::reduce_pi<N + 1>(x);
    const int n = reduction.n;
    if (reduction.rest.limb[0] == 0) {
      // the cosine of an odd number of half turns is negative
      if (n % 64 == 0) return std::copysign(T(0), n == 0 ? lead : -lead);
      if (n % 64 == 32) return n == 32 ? FloatTraits<T>::infinity : -FloatTraits<T>::infinity;
      if (n % 32 == 16) return n % 64 == 16 ? T(1) : T(-1);
    }
    if (n % 64 == 32 && detail::magnitude(reduction.rest.limb[0]) < detail::cubic_limit<T, N>)
      return detail::tanpi_next_to_pole(x);
    const auto r = detail::sine_cosine<N>(reduction);
    return detail::round_limbs<N>(detail::quick_quotient(r.sine, r.cosine));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
