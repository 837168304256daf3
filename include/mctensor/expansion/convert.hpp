// Conversion between expansions of different lengths and component types.
//
// Error: exact where it fits, else at most u^N |x| and the smallest subnormal. Domain: every
// value; overflow gives an infinity. Source: renormalize.hpp, and IEEE 754 for the rounding of
// each limb.
#pragma once

#include <bit>
#include <cstdint>

#include "mctensor/expansion/range.hpp"
#include "mctensor/expansion/renormalize.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// The limbs of a sum of two doubles, each the nearest float to what is left. False where the first
/// limb of what is left lies (nearly) halfway between two floats, so that the limb behind it would
/// decide, and where float's range ends.
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
    return renormalize<N>(terms);
  }
}

/// The nearest float to a sum of doubles. The leading double is rounded to odd first: where the
/// limbs behind it count, the last bit says so, and a tie between floats is none.
template <int N>
MCT_HD constexpr float nearest_float(const Expansion<double, N>& x) {
  auto bits = std::bit_cast<std::uint64_t>(x.limb[0]);
  if constexpr (N > 1) {
    // away from zero or toward it, to the neighbour, which is odd
    if (x.limb[1] != 0 && (bits & 1) == 0)
      bits = (x.limb[1] < 0) == (x.limb[0] < 0) ? bits + 1 : bits - 1;
  }
  return float(std::bit_cast<double>(bits));
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE

template <class T, int N>
template <class U, int M>
requires((!std::is_same_v<U, T> || M != N) && is_component_v<U> && is_component_v<T>) MCT_HD
    constexpr Expansion<T, N>::Expansion(const Expansion<U, M>& other)
    : Expansion(detail::convert<T, N>(other)) {}

template <class T, int N>
MCT_HD constexpr Expansion<T, N>::operator float() const
    requires(is_component_v<T> && !std::is_same_v<T, float>) {
  if constexpr (std::is_same_v<T, double>) {
    return detail::nearest_float(*this);
  } else {
    return float(double(*this));
  }
}

}  // namespace mct
