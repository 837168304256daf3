// Functions of the number type in which half-space representations compute: lengths without over-
// or underflow, e^x - 1 and log(1 + x). The number may be a scalar, a SIMD batch, an expansion or a
// number of a CUDA thread.
#pragma once

#include "mctensor/eft/half.hpp"
#include "mctensor/geometry/scalar.hpp"
#include "mctensor/math/all.hpp"

// MCT_LARGE_CALL marks large functions. They are called, which keeps their values out of the
// caller's registers. On a GPU they are inlined, because there a call costs more than it saves.
#if defined(__CUDACC__)
#define MCT_LARGE_CALL MCT_ALWAYS_INLINE inline
#else
#define MCT_LARGE_CALL MCT_NOINLINE inline
#endif

namespace mct::geometry {

template <class T>
struct SingleOf {
  using type = T;
};
template <>
struct SingleOf<half> {
  using type = float;
};
template <>
struct SingleOf<bfloat16> {
  using type = float;
};

/// The type of quantities that need only one component (distances, gradients, steps): T, or float
/// for half and bfloat16.
template <class T>
using single_t = typename SingleOf<T>::type;

inline namespace MCT_ISA_NAMESPACE {
namespace halfspace_detail {

using geometry::detail::asinh_by_log1p;
using geometry::detail::expm1_of;
using geometry::detail::log1p_of;
using mct::detail::base_scalar_t;
using mct::detail::blend;
using mct::detail::is_finite_mask;
using mct::detail::lead;
using mct::detail::magnitude;
using mct::detail::number;
using mct::detail::square_root;

template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V larger(const V& a, const V& b) {
  return blend(a < b, b, a);
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V smaller(const V& a, const V& b) {
  return blend(b < a, b, a);
}

/// The height h, or NaN if it is not positive.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V positive(const V& h) {
  return blend(h > number<V>(0), h, number<V>(FloatTraits<double>::nan));
}

/// a, or 1 if a is zero; for divisors.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V nonzero(const V& a) {
  return blend(a == number<V>(0), number<V>(1), a);
}

/// sqrt(a^2 + b^2) of finite numbers, without overflow or underflow on the way. Error below 4u.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V length_of(const V& a, const V& b) {
  const V x = magnitude(a);
  const V y = magnitude(b);
  const V scale = larger(x, y);
  const V ratio = blend(y == scale, x, y) / nonzero(scale);  // the smaller one, or NaN
  return scale * square_root(V(number<V>(1) + ratio * ratio));
}

/// The Euclidean length of coordinate(0), ..., coordinate(count - 1), without overflow or underflow
/// on the way. Each coordinate is evaluated twice. Error below (count / 2 + 4) u.
template <class V, class Coordinate>
MCT_HD MCT_ALWAYS_INLINE inline V length_of(int count, const Coordinate& coordinate) {
  V scale = number<V>(0);
  for (int i = 0; i < count; ++i) scale = larger(scale, V(magnitude(coordinate(i))));
  const V divisor = nonzero(scale);
  V sum = number<V>(0);
  for (int i = 0; i < count; ++i) {
    const V x = coordinate(i) / divisor;
    sum = sum + x * x;
  }
  return scale * square_root(sum);
}

/// For longer steps s, e^s leaves the range, and every step leads out of the range, too.
template <class S>
inline constexpr S longest_step = FloatTraits<S>::emax == 1024 ? S(709) : S(88);

/// The factor that brings all coordinates of a vector within longest_step; 1 if they are within it.
/// So a longer step leads to the end of the range, and keeps its direction.
template <class V, class Coordinate>
MCT_HD MCT_ALWAYS_INLINE inline V shortening(int count, const Coordinate& coordinate) {
  const V limit(longest_step<base_scalar_t<V>>);
  V largest = limit;
  for (int i = 0; i < count; ++i) largest = larger(largest, V(magnitude(coordinate(i))));
  // expansions of huge numbers have no quotient: the leading components are enough
  if constexpr (is_expansion_v<V>) {
    return V(limit.limb[0] / largest.limb[0]);
  } else {
    return limit / largest;
  }
}

}  // namespace halfspace_detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
