// The unit in the last place of a scalar.
//
// Error: none: an ulp is a power of two, which may be subnormal. Domain: every x.
#pragma once

#include <cmath>

#include "mctensor/eft/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// The distance of neighbouring floats near x: 2^(e - p + 1) for 2^e <= |x| < 2^(e+1). For x = 0
/// and subnormal x it is the smallest subnormal. For a NaN or an infinity it is NaN. Source: Muller
/// et al., Handbook of Floating-Point Arithmetic, definition 2.6.
template <class T>
MCT_HD inline T ulp(T x) {
  static_assert(is_component_v<T>, "ulp takes a component: double, float, half or bfloat16");
  using std::ilogb;
  using std::ldexp;
  using Traits = FloatTraits<T>;
  if (!(x - x == 0)) return Traits::nan;
  const T ax = detail::magnitude(x);
  if (ax < pow2<T>(Traits::emin + Traits::p)) return Traits::eta;
  return ldexp(T(1), ilogb(ax) - Traits::p + 1);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
