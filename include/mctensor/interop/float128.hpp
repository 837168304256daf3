// Named functions that convert between expansions and __float128 (113 bits, values to 2^16384).
// They do the same as casts.
//
// Domain: every value; a number beyond the range of the expansion gives an infinity. Source:
// builtin.hpp and convert.hpp.
#pragma once

#if defined(__SIZEOF_FLOAT128__)
#include "mctensor/expansion/arithmetic.hpp"

namespace mct {

__extension__ typedef __float128 float128;

inline namespace MCT_ISA_NAMESPACE {

/// x rounded once to 113 bits, ties to even. The result is exact for two doubles or four floats
/// without a gap between limbs. NaN, infinities and the sign of zero are kept.
template <class T, int N>
requires is_component_v<T>
inline float128 to_float128(const Expansion<T, N>& x) { return static_cast<float128>(x); }

/// The expansion X that is nearest to a __float128, limb by limb. The result is exact for at least
/// three double limbs within their range. Otherwise its error is at most u^N |x| + eta / 2.
template <class X>
requires is_expansion_v<X>
inline X from_float128(float128 value) { return X(value); }

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
#else
#error "this compiler has no __float128"
#endif
