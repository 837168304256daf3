// The neighbour of a number.
//
// Error: none. Domain: every value. Source: a number counts as a number of N p bits, as in
// numeric_limits and in Boost's float_next.
#pragma once

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/renormalize.hpp"
#include "mctensor/expansion/scale.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// The number after x in the direction of y. It differs from x by one unit in the last of its N p
/// bits: 2^(e - N p) for 2^(e - 1) <= |x| < 2^e, and half of that from a power of two toward zero.
/// The difference is at least the smallest subnormal. No other number of N p bits lies between x
/// and the result. Numbers with gaps between their limbs may lie between: 1 + 2^-1000 is an f64x2.
/// The result is never beyond y. If x and y are equal, it is y; if either is NaN, it is NaN. The
/// number after the largest one is an infinity, and the number after an infinity is the largest
/// one.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> nextafter(const Expansion<T, N>& x,
                                                                   const Expansion<T, N>& y) {
  using X = Expansion<T, N>;
  using Traits = FloatTraits<T>;
  using std::ldexp;
  if (isnan(x) || isnan(y)) return T(x.limb[0] + y.limb[0]);
  if (x == y) return y;
  const bool up = x < y;
  if (x.limb[0] == 0) return up ? T(Traits::eta) : T(-Traits::eta);
  if (isinf(x)) return up ? std::numeric_limits<X>::lowest() : std::numeric_limits<X>::max();
  int exponent = 0;
  const X mantissa = frexp(x, &exponent);
  const bool toward_zero = up == (x.limb[0] < 0);
  if (toward_zero && detail::magnitude(mantissa.limb[0]) == T(0.5)) --exponent;
  const int last = exponent - N * Traits::p;
  const T unit = ldexp(T(1), last > Traits::emin ? last : Traits::emin);
  T terms[N + 1];
  for (int i = 0; i < N; ++i) terms[i] = x.limb[i];
  terms[N] = up ? unit : -unit;
  const X next = renormalize<N>(terms);
  return (up ? y < next : next < y) ? y : next;
}
MCT_MIXED_FUNCTION(nextafter)

}  // namespace mct::inline MCT_ISA_NAMESPACE
