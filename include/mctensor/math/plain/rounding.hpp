// The last rounding of functions of plain numbers.
//
// A result in double is rounded from the sum of two doubles (working.hpp). A result in a shorter
// format is rounded from a double that is exact to 2^-40. This is correct unless that double lies
// so near to a midpoint between two numbers of the format that its error decides. Such lanes, one
// in thousands, are computed again to 2^-53, and to 2^-100 if that is not enough. Source: Ziv: Fast
// evaluation of elementary mathematical functions with correctly rounded last bit, ACM TOMS 17(3),
// 1991.
#pragma once

#include "mctensor/eft/half.hpp"
#include "mctensor/math/plain/working.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// True in the lanes where y lies within `window` of a midpoint between two neighbours in T. y must
/// be normal in T. The window is a power of two, in units of the last bit of y.
template <class T, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr auto is_near_normal_midpoint(const V& y, std::uint64_t window) {
  using R = Representation<V>;
  using Bits = typename R::Bits;
  constexpr std::uint64_t half = std::uint64_t(1)
                                 << (FloatTraits<double>::p - FloatTraits<T>::p - 1);
  return R::disjoint(R::bits(y) + Bits(window - half), Bits(2 * half - 2 * window));
}

template <class T>
inline constexpr double least_normal = pow2<double>(FloatTraits<T>::emin + FloatTraits<T>::p - 1);

/// The same for every y.
template <class T, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr auto is_near_midpoint(const V& y, std::uint64_t window) {
  auto near = is_near_normal_midpoint<T>(y, window);
  const V size = magnitude(y);
  const auto normal = size >= V(least_normal<T>);
  if (all_lanes(normal)) return near;
  // below this limit all neighbours in T have the same distance
  constexpr double eta = pow2<double>(FloatTraits<T>::emin);
  const V shift(1.5 * eta * 0x1p52);
  const V rest = magnitude(V(y - ((y + shift) - shift)));
  const V distance = magnitude(V(rest - V(eta / 2)));
  const auto near_tiny = distance <= size * V(double(window) * 0x1p-52);
  return (size < V(least_normal<T>) && near_tiny) || (normal && near);
}

/// A double that rounds to every shorter format as the sum hi + lo does. If the sum is not a
/// double, the result is the neighbour with an odd last bit. Source: Boldo, Melquiond: Emulation of
/// FMA and correctly rounded sums, IEEE TC 57(4), 2008.
MCT_HD inline double rounded_to_odd(double hi, double lo) {
  const auto bits = std::bit_cast<std::uint64_t>(hi);
  if (lo == 0 || !(hi - hi == 0) || bits % 2 == 1) return hi;
  return std::bit_cast<double>((lo > 0) == (hi > 0) ? bits + 1 : bits - 1);
}

/// A double that rounds correctly to the value of F in T, for the few arguments where the first
/// double may round wrongly. For T = double it is computed with two limbs.
template <class T, class F, class... X>
MCT_HD inline double settled_value(const X&... x) {
  if constexpr (std::is_same_v<T, double>) {
    return F::of(Expansion<double, 2>(x)...).limb[0];
  } else {
    const double y = F::template at<2>(x...);
    if (!is_near_midpoint<T>(y, 2)) return y;
    const auto exact = F::of(Expansion<double, 2>(x)...);
    // a power may be exactly a midpoint; if it is so near to a double, it equals that double
    const bool tie =
        F::meets_midpoints && magnitude(exact.limb[1]) < magnitude(exact.limb[0]) * 0x1p-94;
    return rounded_to_odd(exact.limb[0], tie ? 0.0 : exact.limb[1]);
  }
}

/// The same in the lanes of a mask, and y in the others.
template <class T, class F, class V, class M, class... X>
MCT_HD MCT_NOINLINE V settled_lanes(const M& mask, const V& y, const X&... x) {
  if constexpr (std::is_arithmetic_v<V>) {
    return settled_value<T, F>(x...);
  } else {
    double chosen[V::size];
    double results[V::size];
    double operands[sizeof...(X)][V::size];
    blend(mask, V(1.0), V(0.0)).store_unaligned(chosen);
    y.store_unaligned(results);
    std::size_t count = 0;
    (x.store_unaligned(operands[count++]), ...);
    for (std::size_t i = 0; i < V::size; ++i) {
      if (chosen[i] == 0) continue;
      if constexpr (sizeof...(X) == 1) {
        results[i] = settled_value<T, F>(operands[0][i]);
      } else {
        results[i] = settled_value<T, F>(operands[0][i], operands[1][i]);
      }
    }
    return V::load_unaligned(results);
  }
}

/// The distance from a midpoint, in units of the last bit, within which the error of a double that
/// is exact to 2^-40 decides the rounding.
inline constexpr std::uint64_t midpoint_window = std::uint64_t(1) << 13;

/// F of a double or of a batch of doubles. If T is a shorter format, the result rounds correctly to
/// T. If T is double, the error is at most 0.51 ulp.
template <class T, class F, class V, class... X>
MCT_HD MCT_ALWAYS_INLINE constexpr V plain_value(const V& first, const X&... rest) {
  if constexpr (std::is_same_v<T, double>) {
    return F::template at<2>(first, rest...);
  } else {
    const V y = F::template at<1>(first, rest...);
    const auto near = is_near_midpoint<T>(y, midpoint_window);
    if (no_lane(near)) return y;
    return settled_lanes<T, F>(near, y, first, rest...);
  }
}

/// F of plain numbers of any format and of batches of doubles or floats.
template <class F, class V, class... X>
MCT_HD MCT_ALWAYS_INLINE constexpr V plain_function(const V& first, const X&... rest) {
  using T = scalar_t<V>;
  if constexpr (std::is_same_v<T, double>) {
    return plain_value<T, F>(first, rest...);
  } else if constexpr (std::is_same_v<V, T>) {
    return V(plain_value<T, F>(double(first), double(rest)...));
  } else {
    using Halves = DoubleHalves<V>;
    return Halves::joined(plain_value<T, F>(Halves::low(first), Halves::low(rest)...),
                          plain_value<T, F>(Halves::high(first), Halves::high(rest)...));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
