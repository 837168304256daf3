// Conversion between expansions and __float128 (113 bits, exponents to 2^16384).
//
// Domain: every finite value in double's range; beyond it an infinity. Source: the sum of the
// limbs, and renormalize.hpp back.
#pragma once

#if defined(__SIZEOF_FLOAT128__)
#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct {

__extension__ typedef __float128 float128;

inline namespace MCT_ISA_NAMESPACE {

/// x rounded to 113 bits: exact for two contiguous double limbs and for four floats; in general in
/// error by at most N - 1 units in the last place. NaN, infinities and the sign of zero are kept.
template <class T, int N>
requires is_component_v<T>
inline float128 to_float128(const Expansion<T, N>& x) {
  if (x.limb[0] == 0 || !std::isfinite(x.limb[0])) return float128(x.limb[0]);
  float128 sum = float128(x.limb[N - 1]);
  for (int i = N - 2; i >= 0; --i) sum += float128(x.limb[i]);
  return sum;
}

/// The expansion X nearest to a __float128, limb by limb: exact for three and more double limbs
/// (and for five floats) within their range, else in error by at most u^N |x|.
template <class X>
requires is_expansion_v<X>
inline X from_float128(float128 value) {
  using T = typename X::Scalar;
  X r;
  for (int i = 0; i < X::components; ++i) {
    r.limb[i] = T(value);
    if (!std::isfinite(r.limb[i]) || r.limb[i] == 0) break;
    value -= float128(r.limb[i]);
    if (value == 0) break;
  }
  return r;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
#else
#error "this compiler has no __float128"
#endif
