// Conversion between expansions of different lengths and component types.
#pragma once

#include "mctensor/expansion/range.hpp"
#include "mctensor/expansion/renormalize.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// x with N components of T: exact where it fits, else the error is at most u^N |x|, u of T, plus
/// the smallest subnormal of T; an overflow gives an infinity.
template <class T, int N, class U, int M>
MCT_HD constexpr Expansion<T, N> convert(const Expansion<U, M>& x) {
  if constexpr (std::is_same_v<T, U>) {
    if constexpr (M <= N) {
      return widen<N>(x);
    } else {
      return renormalize<N>(x.limb);
    }
  } else {
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
    return renormalize<N>(terms);
  }
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE

template <class T, int N>
template <class U, int M>
requires((!std::is_same_v<U, T> || M != N) && is_component_v<U> && is_component_v<T>) MCT_HD
    constexpr Expansion<T, N>::Expansion(const Expansion<U, M>& other)
    : Expansion(detail::convert<T, N>(other)) {}

}  // namespace mct
