// Conversion between expansions of different lengths and component types.
//
// Error: exact if x fits into the result, else at most u^N |x| plus the smallest subnormal. A
// result of one component or of a builtin type is the nearest number, ties to even. Domain: every
// value; overflow gives an infinity. Source: renormalize.hpp and builtin.hpp, and IEEE 754 for the
// rounding of each limb.
#pragma once

#include "mctensor/expansion/range.hpp"
#include "mctensor/expansion/renormalize.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// Cuts the sum of two doubles into limbs. Each limb is the float nearest to what is left. Returns
/// false near the ends of float's range, and if the first limb of what is left lies halfway or
/// nearly halfway between two floats, because then the next limb decides.
template <class T, int N>
MCT_HD constexpr bool split_limb_by_limb(const Expansion<double, 2>& x, Expansion<T, N>& r) {
  double head = x.limb[0];
  double tail = x.limb[1];
  for (int i = 0; i < N; ++i) {
    r.limb[i] = T(head);
    if (!(r.limb[i] - r.limb[i] == 0)) return false;
    const auto [rest, error] = two_sum(head - double(r.limb[i]), tail);
    head = rest;
    tail = error;
    if (i == 0) continue;
    constexpr T beyond = 1 + 4 * FloatTraits<T>::u;
    if (r.limb[i - 1] + r.limb[i] * beyond != r.limb[i - 1]) return false;
  }
  // the last limb, too, must be the nearest to all that is left
  const T last = r.limb[N - 1];
  return last + T(head) * T(1 + 4 * FloatTraits<T>::u) == last;
}

/// x with N components of T. The result is exact if N components of T hold x. Else the error is at
/// most u^N |x|, with the u of T, plus the smallest subnormal of T. A result of one component is
/// the nearest number. An overflow gives an infinity.
template <class T, int N, class U, int M>
MCT_HD constexpr Expansion<T, N> convert(const Expansion<U, M>& x) {
  if constexpr (N == 1) {
    return T(x);
  } else if constexpr (std::is_same_v<T, U>) {
    if constexpr (M <= N) {
      return widen<N>(x);
    } else {
      return renormalize<N>(x.limb);
    }
  } else if constexpr (M == 1) {
    return Expansion<T, N>(x.limb[0]);
  } else {
    if constexpr (M == 2 && std::is_same_v<U, double> && std::is_same_v<T, float>) {
      Expansion<T, N> r;
      if (split_limb_by_limb(x, r)) return r;
    }
    // every piece takes at least p bits: a double is at most three floats, a float is one double
    constexpr int pieces = (FloatTraits<U>::p + FloatTraits<T>::p - 1) / FloatTraits<T>::p;
    using Rest = std::conditional_t<is_short_float_v<U>, float, U>;
    T terms[M * pieces] = {};
    for (int i = 0; i < M; ++i) {
      Rest rest(x.limb[i]);
      for (int k = 0; k < pieces; ++k) {
        const T piece = T(rest);
        terms[i * pieces + k] = piece;
        if (!(piece - piece == 0)) return piece;
        rest -= Rest(piece);
      }
    }
    const auto r = renormalize<N>(terms);
    const T lead = T(x.limb[0]);
    return lead == T(0) && r.limb[0] == T(0) ? Expansion<T, N>(lead) : r;  // zeros keep their sign
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail

namespace mct {

template <class T, int N>
template <class U, int M>
requires((!std::is_same_v<U, T> || M != N) && is_component_v<U> && is_component_v<T>) MCT_HD
    constexpr Expansion<T, N>::Expansion(const Expansion<U, M>& other)
    : Expansion(detail::convert<T, N>(other)) {}

template <class T, int N>
template <class S>
requires((BuiltinNumber<S> || is_component_v<S>)&&!std::is_same_v<S, T> && is_component_v<T> &&
         !detail::is_whole_v<S>) MCT_HD constexpr Expansion<T, N>::operator S() const {
  if constexpr (detail::bits_of<S> <= FloatTraits<double>::p) {
    return detail::nearest_sum<S>(limb);
  } else {
    // Limbs fit into S, and so do the errors of their sums.
    if (N == 1 || limb[0] == T(0) || !(limb[0] - limb[0] == T(0))) return S(double(limb[0]));
    S terms[N];
    for (int i = 0; i < N; ++i) terms[i] = S(double(limb[i]));
    S rounded[1];
    detail::round_terms(terms, rounded);
    return rounded[0];
  }
}

}  // namespace mct
