// The type of a horizontal coordinate in a half-space representation, and the two operations on it.
#pragma once

#include "mctensor/geometry/storage/halfspace/long_sum.hpp"
#include "mctensor/geometry/storage/halfspace/work.hpp"

namespace mct::geometry {

template <class T, int M>
struct HorizontalOf {
  static_assert(M > 4);
  using type = LongSum<T, M>;
};
template <class T, int M>
requires(M <= 4) struct HorizontalOf<T, M> {
  using type = Expansion<T, M>;
};

/// M components of T: Expansion<T, M> for M <= 4, else LongSum<T, M>.
template <class T, int M>
using Horizontal = typename HorizontalOf<T, M>::type;

inline namespace MCT_ISA_NAMESPACE {
namespace halfspace_detail {

/// Component k of x. A plain number has one component, x itself, for every k.
template <class X>
MCT_HD MCT_ALWAYS_INLINE inline auto& limb_of(X& x, [[maybe_unused]] int k) {
  if constexpr (requires { x.limb; }) {
    return x.limb[k];
  } else {
    return x;
  }
}

/// The leading component, in the type in which distances are computed.
template <class T>
requires is_component_v<T> MCT_HD MCT_ALWAYS_INLINE inline single_t<T> leading(const T& x) {
  return single_t<T>(x);
}
template <class T, int M>
MCT_HD MCT_ALWAYS_INLINE inline single_t<T> leading(const Expansion<T, M>& x) {
  if constexpr (std::is_same_v<single_t<T>, T>) {
    return x.limb[0];
  } else {  // a float holds two bfloat16 and more bits
    return single_t<T>(double(x));
  }
}
template <class T, int M>
MCT_HD MCT_ALWAYS_INLINE inline T leading(const LongSum<T, M>& x) {
  return x.limb[0];
}

/// x - y rounded to one number. The error is relative to the difference, also after cancellation.
template <class T>
requires is_component_v<T> MCT_HD MCT_ALWAYS_INLINE inline single_t<T> difference_of(const T& x,
                                                                                     const T& y) {
  return leading(x) - leading(y);
}
template <class T, int M>
MCT_HD MCT_ALWAYS_INLINE inline single_t<T> difference_of(const Expansion<T, M>& x,
                                                          const Expansion<T, M>& y) {
  if constexpr (!std::is_same_v<single_t<T>, T>) {
    return single_t<T>(double(x) - double(y));  // exact before the last rounding
  } else if constexpr (M == 1) {
    return x.limb[0] - y.limb[0];
  } else {
    return mct::detail::add_limbs(x, -y).limb[0];
  }
}
template <class T, int M>
MCT_HD MCT_ALWAYS_INLINE inline T difference_of(const LongSum<T, M>& x, const LongSum<T, M>& y) {
  return difference(x, y);
}

/// x + step, or x if the sum is not finite.
template <class T, int M, class Step>
MCT_HD MCT_ALWAYS_INLINE inline Expansion<T, M> moved(const Expansion<T, M>& x, const Step& step) {
  const Expansion<T, M> r = x + Expansion<T, M>(step);
  return blend(is_finite_mask(lead(r)), r, x);
}
template <class T, int M>
MCT_HD MCT_ALWAYS_INLINE inline LongSum<T, M> moved(const LongSum<T, M>& x, T step) {
  const LongSum<T, M> r = add(x, step);
  return r.limb[0] - r.limb[0] == T(0) ? r : x;
}

}  // namespace halfspace_detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
