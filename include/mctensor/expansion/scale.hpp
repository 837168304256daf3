// Multiplication by powers of two and the decomposition into mantissa and exponent.
//
// Source: the definition; multiplication by a power of two (IEEE 754-2019, 5.3.3).
#pragma once

#include <cmath>

#include "mctensor/expansion/expansion.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

/// x * 2^exponent. Exact unless a limb becomes subnormal, then the error is at most half the
/// smallest subnormal for each limb; overflow gives an infinity.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> ldexp(const Expansion<T, N>& x,
                                                               int exponent) {
  using std::ldexp;
  Expansion<T, N> r;
  r.limb[0] = ldexp(x.limb[0], exponent);
  if (!(r.limb[0] - r.limb[0] == 0)) return r;
  for (int i = 1; i < N; ++i) r.limb[i] = ldexp(x.limb[i], exponent);
  return r;
}

/// The mantissa m with x = m * 2^(*exponent) and 1/2 <= |m| < 1; x itself and 0 for a zero, an
/// infinity or NaN. Where |m| is just below 1, its leading limb is 1. Exact, unless gaps between
/// the limbs put one of m below the smallest subnormal: each such limb is rounded to a multiple of
/// it.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> frexp(const Expansion<T, N>& x,
                                                               int* exponent) {
  using std::frexp;
  using std::ldexp;
  *exponent = 0;
  if (x.limb[0] == 0 || !(x.limb[0] - x.limb[0] == 0)) return x;
  T lead = frexp(x.limb[0], exponent);
  // a power of two with a smaller limb of the other sign is below that power
  if constexpr (N > 1) {
    if (detail::magnitude(lead) == T(0.5) && x.limb[1] != 0 && (x.limb[1] < 0) != (lead < 0)) {
      --*exponent;
      lead *= 2;
    }
  }
  Expansion<T, N> m(lead);
  for (int i = 1; i < N; ++i) m.limb[i] = ldexp(x.limb[i], -*exponent);
  return m;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
