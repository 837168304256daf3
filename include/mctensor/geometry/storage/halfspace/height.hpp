// Three ways to store the height of a half-space point: one component, several, or its logarithm.
#pragma once

#include <algorithm>

#include "mctensor/geometry/storage/halfspace/coordinate.hpp"
#include "mctensor/geometry/storage/halfspace/formulas.hpp"

namespace mct::geometry {

/// The height is stored as a number of type H.
template <class H>
struct NumberHeight {
  using Value = H;
};

/// One component. Range of log h in double: -707 to 707.
template <class T>
using PlainHeight = NumberHeight<T>;

/// An expansion. Heights are kept in the range where the last component is a normal number. In
/// double this means that log h is at least -707 + 37 (M - 1).
template <class T, int M>
using LongHeight = NumberHeight<Expansion<T, M>>;

/// log h in two components, which never overflows or underflows. A step adds to log h, so the
/// relative error that it adds to h is the same for every height.
template <class T>
struct LogHeight {
  using Value = Expansion<T, 2>;
};

inline namespace MCT_ISA_NAMESPACE {
namespace halfspace_detail {

/// Heights stay between these limits: a point with the height zero would lie at infinity, and every
/// distance from it would be NaN.
template <class T, int M>
inline constexpr T lowest_height = pow2<T>(FloatTraits<T>::emin + M * FloatTraits<T>::p);
template <class T>
inline constexpr T highest_height = pow2<T>(FloatTraits<T>::emax - 4);

/// h times a factor, in SIMD lanes. The product uses all components of h if is_long, else only the
/// leading one. The result is kept in the range of heights. Where it would be NaN, it is
/// `otherwise`.
template <bool is_long, class W, class V>
MCT_HD MCT_ALWAYS_INLINE inline W stretched_in_range(const W& h, const V& factor,
                                                     const W& otherwise) {
  using S = base_scalar_t<V>;
  const V lowest(lowest_height < S, is_long ? mct::detail::limbs_of<W> : 1 >);
  const V highest(highest_height<S>);
  // When an expansion overflows, its leading component is lost. The plain product `about` shows
  // which limit was passed.
  const V about = lead(h) * factor;
  W r(about);
  if constexpr (is_long) r = h * factor;
  r = blend(about <= lowest, W(lowest), r);
  r = blend(about >= highest, W(highest), r);
  return blend(about == about, r, otherwise);
}

/// The HalfSpaceGap (formulas.hpp) of two points whose heights are numbers.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline HalfSpaceGap<V> gap_of(const V& across, const V& given_h,
                                                       const V& given_k, const V& drop) {
  const V h = positive(given_h);
  const V k = positive(given_k);
  return {across, drop, V(h + k), h, V(square_root(h) * square_root(k)), number<V>(1)};
}
template <class H, class W>
MCT_HD inline auto gap_of(NumberHeight<H>, const W& across, const H& h, const H& k) {
  return gap_of(across, leading(h), leading(k), difference_of(h, k));
}

/// e^x, as accurate as std::exp of the leading component.
template <class T>
MCT_HD inline T exp_of(const Expansion<T, 2>& x) {
  const T e = std::exp(x.limb[0]);
  return e - e == T(0) ? e + e * x.limb[1] : e;
}

/// The logarithm of the largest of |x - y|, h and k. Lengths that are divided by the largest one
/// cannot overflow.
template <class T>
MCT_HD inline T log_of_largest(T across, const Expansion<T, 2>& log_h,
                               const Expansion<T, 2>& log_k) {
  const T heights = std::max(log_h.limb[0], log_k.limb[0]);
  return across > T(0) ? std::max(heights, T(std::log(across))) : heights;
}
template <class T>
MCT_HD inline Expansion<T, 2> log_middle(const Expansion<T, 2>& log_h,
                                         const Expansion<T, 2>& log_k) {
  return (log_h + log_k) * T(0.5);
}

/// The HalfSpaceGap of two points with logarithmic heights. Its lengths are divided by the largest
/// of them.
template <class T>
MCT_HD inline HalfSpaceGap<T> gap_of(LogHeight<T>, T across, const Expansion<T, 2>& log_h,
                                     const Expansion<T, 2>& log_k) {
  const T largest = log_of_largest(across, log_h, log_k);
  // without a horizontal distance the unit is not used; it could overflow
  const T root_unit = across > T(0) ? std::exp(-largest / 2) : T(1);
  const T h = exp_of(Expansion<T, 2>(log_h - largest));
  const T k = exp_of(Expansion<T, 2>(log_k - largest));
  const T middle = exp_of(Expansion<T, 2>(log_middle(log_h, log_k) - largest));
  const T ratio = sub(log_h, log_k).limb[0];
  const T drop = std::fabs(ratio) > T(1) ? h - k : 2 * std::sinh(ratio / 2) * middle;
  return {T(across * root_unit * root_unit), drop, T(h + k), h, middle, root_unit};
}

/// d / K. Where e^(d / 2) would leave the range, the distance is computed from logarithms.
template <class Height, class Work, class Value>
MCT_HD inline Work distance_of(Height height, Work across, const Value& h, const Value& k) {
  return half_space_distance(gap_of(height, across, h, k));
}
template <class T>
MCT_HD inline T distance_of(LogHeight<T> height, T across, const Expansion<T, 2>& h,
                            const Expansion<T, 2>& k) {
  const HalfSpaceGap<T> gap = gap_of(height, across, h, k);
  if (gap.middle > pow2<T>(FloatTraits<T>::emin / 2)) return half_space_distance(gap);
  const T deficit = Expansion<T, 2>(log_of_largest(across, h, k) - log_middle(h, k)).limb[0];
  return 2 * (std::log(length_of(gap.across, gap.drop)) + deficit);
}

/// True for a valid height.
template <class H>
MCT_HD inline bool is_height(NumberHeight<H>, const H& h) {
  return leading(h) > decltype(leading(h))(0);
}
template <class T>
MCT_HD inline bool is_height(LogHeight<T>, const Expansion<T, 2>& log_h) {
  return log_h.limb[0] == log_h.limb[0];
}

/// The height as a number of type V. For a logarithmic height that is out of the range of V, it is
/// 0 or infinite.
template <class V, class H>
MCT_HD inline V height_value(NumberHeight<H>, const H& h) {
  if constexpr (is_expansion_v<V>) {
    return V(h);
  } else {
    return leading(h);
  }
}
template <class V, class T>
MCT_HD inline V height_value(LogHeight<T>, const Expansion<T, 2>& h) {
  if constexpr (is_expansion_v<V>) {
    return exp(V(h));
  } else {
    return exp_of(h);
  }
}

/// The height after a step. across and up are the arguments of half_space_stride.
template <class T, class V>
MCT_HD inline T stretched(PlainHeight<T>, T h, const HalfSpaceStride<V>& stride, const V&,
                          const V&) {
  using W = single_t<T>;
  const W product = W(V(V(W(h)) * stride.stretch));
  if (!(product == product)) return h;
  return T(std::clamp(product, W(lowest_height<T, 1>), W(highest_height<T>)));
}
template <class T, int M, class V>
MCT_HD inline Expansion<T, M> stretched(LongHeight<T, M>, const Expansion<T, M>& h,
                                        const HalfSpaceStride<V>& stride, const V&, const V&) {
  using W = single_t<T>;
  const Expansion<T, M> stretch(stride.stretch);
  // an expansion that overflows loses its leading component: this product shows which limit was
  // passed
  const W about = W(h.limb[0]) * W(stretch.limb[0]);
  if (about <= W(lowest_height<T, M>)) return Expansion<T, M>(lowest_height<T, M>);
  if (about >= W(highest_height<T>)) return Expansion<T, M>(highest_height<T>);
  return about == about ? h * stretch : h;
}
/// log(h'/h) = -log(cosh s - up sinh(s) / s). For short steps the logarithm is computed from its
/// argument minus 1. So its relative error stays small, however short the step is.
template <class T, class V>
MCT_HD inline Expansion<T, 2> stretched(LogHeight<T>, const Expansion<T, 2>& log_h,
                                        const HalfSpaceStride<V>& stride, const V& across,
                                        const V& up) {
  const V s = length_of(across, up);
  if (!(s < number<V>(0.5))) {
    using std::log;
    return log_h + Expansion<T, 2>(log(stride.stretch));
  }
  using std::sinh;
  const V root = sinh(V(s * number<V>(0.5)));
  const V slope = s == number<V>(0) ? number<V>(1) : V(sinh(s) / nonzero(s));
  const V change = number<V>(2) * root * root - slope * up;
  return log_h + Expansion<T, 2>(V(number<V>(0) - log1p_of(change)));
}

}  // namespace halfspace_detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
