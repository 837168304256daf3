// Conversion between expansions and __float128 (113 bits, exponents to 2^16384) by named functions,
// which do the same as casts.
//
// Domain: every finite value in double's range; beyond it an infinity. Source: builtin.hpp and
// convert.hpp.
#pragma once

#if defined(__SIZEOF_FLOAT128__)
#include "mctensor/expansion/arithmetic.hpp"

namespace mct {

__extension__ typedef __float128 float128;

inline namespace MCT_ISA_NAMESPACE {

/// x rounded once to 113 bits, ties to even: exact for two contiguous double limbs and for four
/// floats. NaN, infinities and the sign of zero are kept.
template <class T, int N>
requires is_component_v<T>
inline float128 to_float128(const Expansion<T, N>& x) { return static_cast<float128>(x); }

/// The expansion X nearest to a __float128, limb by limb: exact for three and more double limbs
/// (and for five floats) within their range, else with an error of at most u^N |x|.
template <class X>
requires is_expansion_v<X>
inline X from_float128(float128 value) { return X(value); }

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
#else
#error "this compiler has no __float128"
#endif
