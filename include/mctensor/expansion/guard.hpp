// The one final select of + - *: special values and the sign of zero, without a branch.
#pragma once

#include "mctensor/expansion/expansion.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// Replaces what an accumulation network makes of special operands by what IEEE 754 says of the
/// leading limbs. `naive` is the operation on the leading limbs alone:
/// - a result that is not finite becomes naive + naive with zero limbs behind it: the NaN or
///   infinity of the naive operation, or, where only the last rounding overflowed (naive is then
///   finite and above half of the largest float), the infinity that naive + naive overflows to;
/// - where both agree, naive is taken, because it keeps the sign of zero.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> guard_specials(Expansion<T, N> r, const T& naive) {
  const auto finite = is_finite_mask(r.limb[0]);
  const T lead = blend(r.limb[0] == naive, naive, r.limb[0]);
  r.limb[0] = blend(finite, lead, T(naive + naive));
  for (int i = 1; i < N; ++i) r.limb[i] = blend(finite, r.limb[i], T(scalar_t<T>(0)));
  return r;
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
