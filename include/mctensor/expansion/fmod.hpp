// The remainder of a division, exactly.
//
// Source: long division in binary, exact at every step; special cases as fmod of C11, annex F.
#pragma once

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/fixed_point.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

/// x - n y with n = trunc(x / y): the remainder has the sign of x and magnitude below |y|. The
/// exact remainder, whatever the size of the quotient, rounded once to N limbs (error at most
/// u^N |r|; no error when it fits). NaN for an infinite x or a zero y; x for an infinite y.
/// Binary long division in fixed point: time grows with the exponent difference.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> fmod(const Expansion<T, N>& x,
                                                              const Expansion<T, N>& y) {
  if (isnan(x) || isnan(y) || isinf(x) || y.limb[0] == 0) return T(FloatTraits<T>::nan);
  if (isinf(y) || x.limb[0] == 0) return x;
  auto rest = detail::to_fixed_point(x);
  auto divisor = detail::to_fixed_point(y);
  const int shift = rest.top_bit() - divisor.top_bit();
  if (shift >= 0) {
    divisor.shift_left(shift);
    for (int i = 0; i <= shift; ++i) {
      if (rest.at_least(divisor)) rest.subtract(divisor);
      divisor.shift_right_one();
    }
  }
  const bool negative = x.limb[0] < 0;
  Expansion<T, N> r = detail::from_fixed_point<T, N>(rest, negative);
  if (r.limb[0] == 0) r.limb[0] = negative ? -T(0) : T(0);
  return r;
}
MCT_MIXED_FUNCTION(fmod)

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
