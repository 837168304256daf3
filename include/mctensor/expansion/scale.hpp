// Multiplication by powers of two, the exponent, and the split into mantissa and exponent.
//
// Error: none if no limb becomes subnormal, else as each function states. Domain: every value.
// Source: the definition; multiplication by a power of two (IEEE 754-2019, 5.3.3).
#pragma once

#include <climits>
#include <cmath>

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// x * 2^exponent. The result is exact unless a limb becomes subnormal. Then the error is at most
/// half the smallest subnormal for each limb. Overflow gives an infinity.
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

/// The mantissa m with x = m * 2^(*exponent) and 1/2 <= |m| < 1. If x is a zero, an infinity or
/// NaN, m is x and *exponent is 0. If |m| is just below 1, its leading limb is 1. The result is
/// exact, unless gaps between the limbs put a limb of m below the smallest subnormal. Each such
/// limb is rounded to a multiple of the smallest subnormal.
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

/// ldexp under the other names that generic code may call.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> scalbn(const Expansion<T, N>& x,
                                                                int exponent) {
  return ldexp(x, exponent);
}
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> scalbln(const Expansion<T, N>& x,
                                                                 long exponent) {
  // beyond an int everything has over- or underflowed
  const long most = exponent < -INT_MAX ? -INT_MAX : exponent > INT_MAX ? INT_MAX : exponent;
  return ldexp(x, int(most));
}

/// The exponent e with 2^e <= |x| < 2^(e + 1), exactly. This is the exponent of the value, not of
/// the leading limb: a number below 1 whose leading limb is 1 has -1. FP_ILOGB0 for zeros,
/// FP_ILOGBNAN for NaN, INT_MAX for infinities.
template <class T, int N>
requires is_component_v<T> MCT_HD inline int ilogb(const Expansion<T, N>& x) {
  if (x.limb[0] == 0) return FP_ILOGB0;
  if (x.limb[0] != x.limb[0]) return FP_ILOGBNAN;
  if (!(x.limb[0] - x.limb[0] == 0)) return INT_MAX;
  int exponent = 0;
  frexp(x, &exponent);
  return exponent - 1;
}

/// ilogb as a number; -inf for zeros, +inf for infinities.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> logb(const Expansion<T, N>& x) {
  if (x.limb[0] == 0) return T(-FloatTraits<T>::infinity);
  if (!(x.limb[0] - x.limb[0] == 0)) return T(x.limb[0] * x.limb[0]);
  return ilogb(x);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
