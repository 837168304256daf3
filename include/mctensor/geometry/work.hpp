// The number type in which the geometry of a value type is computed.
//
// Formulas are written once, for double, for expansions of doubles and for SIMD batches of them.
// Coordinates of narrower components (float, half, bfloat16) are converted to the same number of
// doubles, which is exact. Then products and squares of coordinates neither overflow nor lose
// digits. Nearly the whole error comes from rounding the result once.
#pragma once

#include <algorithm>
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/wide.hpp"

namespace mct::geometry {

/// WorkOf<V>::type: double for a component, Expansion<double, N> for N components. Batches of
/// doubles and expansions of batches stay as they are.
template <class V>
struct WorkOf {
  using type = std::conditional_t<is_component_v<V>, double, V>;
};
template <class T, int N>
struct WorkOf<Expansion<T, N>> {
  using Limb = typename WorkOf<T>::type;
  using type = std::conditional_t<N == 1, Limb, Expansion<Limb, N>>;
};
template <class V>
using work_t = typename WorkOf<V>::type;

/// A number of N components V; for N = 1 it is V itself.
template <class V, int N>
using value_of = typename std::conditional_t<N == 1, std::enable_if<true, V>,
                                             std::enable_if<true, Expansion<V, N>>>::type;

/// True where V is its own work type, so that no result is rounded again.
template <class V>
inline constexpr bool is_work_v = std::is_same_v<V, work_t<V>>;

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

using ::mct::detail::base_scalar_t;
using ::mct::detail::blend;
using ::mct::detail::doubled;
using ::mct::detail::halved;
using ::mct::detail::lead;
using ::mct::detail::limb_t;
using ::mct::detail::limbs_of;
using ::mct::detail::magnitude;
using ::mct::detail::mul_limbs;
using ::mct::detail::multiply_add;
using ::mct::detail::number;
using ::mct::detail::scale_to_unit;
using ::mct::detail::scaled;

/// u^N of a value type as a double.
template <class V>
MCT_HD constexpr double unit_roundoff() {
  using L = limb_t<V>;
  double u = 1;
  for (int i = 0; i < limbs_of<V>; ++i) u *= double(FloatTraits<L>::u);
  return u;
}

/// True for numbers that record how they are computed (traced.hpp).
template <class W>
inline constexpr bool is_traced_v = false;

/// True for symbolic numbers, from which a program is made (src/geometry/programs).
template <class W>
inline constexpr bool is_symbolic_v = false;

/// True for doubles and SIMD batches of them.
template <class W>
inline constexpr bool is_plain = !is_expansion_v<W> && !is_traced_v<W>;
/// True where multiply_add(a, b, c) is a b + c rounded once: plain numbers on a machine with fma.
template <class W>
inline constexpr bool rounds_once = MCT_HAS_FMA && !is_expansion_v<W> && !is_traced_v<W> &&
                                    !is_symbolic_v<W> && std::is_floating_point_v<scalar_t<W>>;

/// A value in its work type, exactly.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr work_t<V> to_work(const V& x) {
  if constexpr (is_work_v<V>) {
    return x;
  } else if constexpr (is_component_v<V>) {
    return double(x);
  } else if constexpr (V::components == 1) {
    return to_work(x.limb[0]);
  } else {
    return work_t<V>(x);
  }
}

/// A result, rounded once to V.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V from_work(const work_t<V>& x) {
  if constexpr (is_work_v<V>) {
    return x;
  } else if constexpr (is_expansion_v<V> && std::is_same_v<work_t<V>, limb_t<work_t<V>>>) {
    return V(from_work<limb_t<V>>(x));  // V has one component
  } else {
    return V(x);
  }
}

/// A number of twice as many limbs as W (five at most), for the few sums that cancel.
template <class W>
using long_t = Expansion<limb_t<W>, limbs_of<W> == 1 ? 2 : std::min(2 * limbs_of<W>, 5)>;

template <class W>
MCT_HD MCT_ALWAYS_INLINE constexpr long_t<W> lengthened(const W& x) {
  if constexpr (is_expansion_v<W>) {
    return ::mct::detail::widen<long_t<W>::components>(x);
  } else {
    return long_t<W>(x);
  }
}

/// A sum of more limbs than W has, rounded.
template <class W, int M>
MCT_HD MCT_ALWAYS_INLINE constexpr W shortened(const Expansion<limb_t<W>, M>& x) {
  if constexpr (is_expansion_v<W>) {
    return ::mct::detail::round_limbs<limbs_of<W>>(x);
  } else {
    return x.limb[0];
  }
}

/// x * y in M limbs: exact for a number of one limb (M is 2 then), else with the error of mul of M
/// limbs.
template <int M, class W>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<limb_t<W>, M> product_in(const W& x, const W& y) {
  if constexpr (is_expansion_v<W>) {
    return ::mct::detail::mul_widening<M>(x, y);
  } else {
    static_assert(M == 2);
    const auto [hi, lo] = two_prod(x, y);
    return Expansion<limb_t<W>, M>::from_limbs(hi, lo);
  }
}
/// x * y: exact for one limb, else with the error of mul in 4 limbs (N = 2) or 5 (N = 3, 4).
template <class W>
MCT_HD MCT_ALWAYS_INLINE constexpr long_t<W> long_product(const W& x, const W& y) {
  return product_in<long_t<W>::components>(x, y);
}

template <class L>
MCT_HD MCT_ALWAYS_INLINE constexpr L long_sum(const L& x, const L& y) {
  return ::mct::detail::add_limbs(x, y);
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
