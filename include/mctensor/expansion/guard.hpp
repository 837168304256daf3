// The last step of + - *: it sets special values and the sign of zero, without a branch.
#pragma once

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// An accumulation network gives wrong results for special operands. This function replaces such a
/// result by the result that IEEE 754 defines for the leading limbs. `naive` is the result of the
/// operation on the leading limbs alone.
/// - A result that is not finite becomes (1 + 8u) naive, followed by zero limbs. For special
///   operands this is the NaN, infinity or zero of the naive operation. If only the last rounding
///   overflowed, naive is within a few ulps of the largest float, and the product is the correct
///   infinity. If an operand is the largest float itself, two_sum may overflow internally. Then the
///   product is the result with one limb's accuracy, or an infinity if the result is within 8 ulps
///   of overflow.
/// - If the network's result equals naive, the result is naive, because it has the sign of zero.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> guard_specials(Expansion<T, N> r, const T& naive) {
  const auto finite = is_finite_mask(r.limb[0]);
  const T lead = blend(r.limb[0] == naive, naive, r.limb[0]);
  constexpr scalar_t<T> beyond = 1 + 8 * FloatTraits<T>::u;
  r.limb[0] = blend(finite, lead, T(naive * T(beyond)));
  for (int i = 1; i < N; ++i) r.limb[i] = blend(finite, r.limb[i], T(scalar_t<T>(0)));
  return r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
