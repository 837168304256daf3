// The half-space model in terms of a few lengths: distance, its gradient, the exponential map.
//
// A point (x, h) has horizontal coordinates x and the height h > 0. The metric is K^2 (|dx|^2 +
// dh^2) / h^2, the curvature -1/K^2. The formulas below use only differences and lengths of
// horizontal coordinates. So a representation of points has to state only how it adds and
// subtracts.
//
// Domain: every finite point of positive height; each function states its range. Source: Yu 2024,
// sections 3.3.2 and B.2.2, with the corrections of docs/errata.md.
#pragma once

#include "mctensor/geometry/storage/halfspace/work.hpp"

namespace mct::geometry {

/// The position of two points (x, h) and (y, k) relative to each other: across = |x - y|,
/// drop = h - k, total = h + k, own = h, middle = sqrt(h k). All five may be multiplied by one
/// positive factor; root_unit is the square root of this factor. Before a difference x_i - y_i is
/// divided by one of these lengths, it must be multiplied by the factor, too.
template <class V>
struct HalfSpaceGap {
  V across, drop, total, own, middle, root_unit;
};

/// The direction that leads from a second point to a first one, in the frame of the first one.
/// Component i is (x_i - y_i) / by * times, without a factor on x_i - y_i; the last component is
/// `up`.
template <class V>
struct HalfSpaceDirection {
  V by, times, up;
};

/// The effect of the exponential map for a tangent vector v in units of the height h. The height is
/// multiplied by `stretch`; horizontal coordinate i grows by h * (v_i / by) * times.
template <class V>
struct HalfSpaceStride {
  V stretch, by, times;

  /// The growth of a coordinate. Error 3 u^N: one rounding for each of three operations.
  MCT_HD MCT_ALWAYS_INLINE V shift(const V& h, const V& side) const {
    return h * (side / by) * times;
  }
};

inline namespace MCT_ISA_NAMESPACE {

/// d / K = 2 asinh( |(x - y, h - k)| / (2 sqrt(h k)) ). It equals arcosh(1 + ...) of the
/// dissertation (section 3.3.2), because cosh d = 1 + 2 sinh^2(d / 2). The formula is accurate for
/// near points, and no product overflows for distances up to 1400 K in double (170 K in float). The
/// result is infinite beyond 1418 K in double. Error: 8 u more than the error of the gap.
template <class V>
MCT_HD inline V half_space_distance(const HalfSpaceGap<V>& gap) {
  const V length = halfspace_detail::length_of(gap.across, gap.drop);
  return halfspace_detail::number<V>(2) *
         halfspace_detail::asinh_by_log1p(
             V(length / gap.middle * halfspace_detail::number<V>(0.5)));
}

/// The gradient of d / K with respect to (x, h), as a vector of length 1 in the orthonormal frame
/// of the metric with K = 1. It is h times the Euclidean gradient:
///   h d_i = 2 h (x_i - y_i) / (G H), h d_n = ((h - k)(h + k) - |x - y|^2) / (G H),
/// with G = |(x - y, h - k)| and H = |(x - y, h + k)|. Every factor is a ratio of at most 2, so
/// nothing overflows. B.2.2 writes the gradient in terms of z = sinh d; those terms overflow and
/// cancel. Where both points coincide, the distance has no gradient; the result is then 0, the
/// shortest subgradient. The square of the distance has the gradient 0 there. Error of each
/// component: 12 u.
template <class V>
MCT_HD inline HalfSpaceDirection<V> half_space_direction(const HalfSpaceGap<V>& gap) {
  const V near = halfspace_detail::nonzero(halfspace_detail::length_of(gap.across, gap.drop));
  const V far = halfspace_detail::length_of(gap.across, gap.total);
  const V up = (gap.drop / near) * (gap.total / far) - (gap.across / near) * (gap.across / far);
  return {V(near / gap.root_unit / gap.root_unit), V((gap.own + gap.own) / far), up};
}

/// The exponential map for a tangent vector of length s with last component `up` (signed) and
/// horizontal length `across`, all in units of the height.
///   h' = h / (cosh s - up sinh(s) / s), x_i' = x_i + h v_i / (s coth s - up).
/// For up > 0 the denominators cancel. With c = s / sinh s and p = s coth s + up, the product (s
/// coth s - up) p is c^2 + across^2, which does not cancel. (c^2 is s^2 csch^2 s; B.2.2 prints
/// csc.) Neither c^2 nor across^2 is formed, so lengths from 1e-300 to 700 neither overflow nor
/// underflow. Shorten longer vectors first (halfspace_detail::shortening). Relative error of both
/// factors: (12 + 4 s) u. The part 4 s u comes from the error of s in e^s. It moves the result by 4
/// u of the step's length. The zero vector has the stretch 1.
template <class V>
MCT_HD inline HalfSpaceStride<V> half_space_stride(const V& across, const V& up) {
  using S = halfspace_detail::base_scalar_t<V>;
  const V one = halfspace_detail::number<V>(1);
  const V length = halfspace_detail::length_of(across, up);
  const V s = halfspace_detail::larger(length, V(std::numeric_limits<S>::min()));
  // beyond the range of e^s the height over- or underflows, so it saturates
  const V limit(halfspace_detail::longest_step<S>);
  const V e = halfspace_detail::expm1_of(halfspace_detail::smaller(s, limit));
  const V c = (s + s) / (e + e / (one + e));
  // s coth s = s + 2 s / (e^2s - 1); for large s the quotient may underflow, and the square would
  // not be finite
  const V coth = s + ((s + s) / e) / (e + halfspace_detail::number<V>(2));
  const auto rising = up > halfspace_detail::number<V>(0);
  const V p = coth + halfspace_detail::magnitude(up);
  const V root = halfspace_detail::length_of(c, across);
  HalfSpaceStride<V> r;
  const V stretch = halfspace_detail::blend(rising, V((c / root) * (p / root)), V(c / p));
  r.stretch = halfspace_detail::blend(length == halfspace_detail::number<V>(0), one, stretch);
  r.by = halfspace_detail::blend(rising, root, p);
  r.times = halfspace_detail::blend(rising, V(p / root), one);
  return r;
}

/// Turns a frame vector as parallel transport from (x, h) to (y, k) does. The upward direction
/// turns toward y by twice the angle whose tangent is |x - y| / (h + k). With f = |(x - y, h + k)|,
/// sine(i) is (y_i - x_i) / f, and cosine is (h + k) / f. Error: the length of the vector changes
/// by at most 16 u.
template <class V, class Sine, class Vector>
MCT_HD inline void turn_frame(int n, const Sine& sine, const V& cosine, const Vector& vector) {
  const V two = halfspace_detail::number<V>(2);
  V along = halfspace_detail::number<V>(0);
  V square = along;
  for (int i = 0; i + 1 < n; ++i) {
    along = along + sine(i) * vector(i);
    square = square + sine(i) * sine(i);
  }
  const V up = vector(n - 1);
  const V turn = two * (cosine * up - along);
  for (int i = 0; i + 1 < n; ++i) vector(i) = vector(i) + turn * sine(i);
  vector(n - 1) = up - two * (square * up + cosine * along);
}

/// Vectors of at most this length are short.
inline constexpr double longest_short_stride = 0.5;

/// The effect of the exponential map for a short vector of squared length s2 with last component
/// `up`:
///   h' = h / (cosh s - up sinh(s) / s), x_i' = x_i + h v_i (sinh(s) / s) / (cosh s - up sinh(s) /
///   s)
/// in the printed form. For s <= 1/2 the difference is at least e^-s, so it cancels by less than a
/// factor of e. The series of cosh s and sinh(s) / s in s2 need one division and no root;
/// half_space_stride needs a dozen of them. The result is {stretch, 1, stretch sinh(s) / s}.
/// Relative error of both factors: 8 u for double. For longer vectors the result is undefined.
template <class V>
MCT_HD inline HalfSpaceStride<V> short_half_space_stride(const V& s2, const V& up) {
  constexpr double cosh_series[] = {1.0,         1.0 / 2,       1.0 / 24,        1.0 / 720,
                                    1.0 / 40320, 1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200};
  constexpr double sinh_series[] = {1.0,          1.0 / 6,        1.0 / 120,       1.0 / 5040,
                                    1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800};
  const auto sum = [&](const auto& series) {
    constexpr int count = int(sizeof(series) / sizeof(series[0]));
    V r = halfspace_detail::number<V>(series[count - 1]);
    for (int i = count - 2; i >= 0; --i) r = halfspace_detail::number<V>(series[i]) + r * s2;
    return r;
  };
  const V slope = sum(sinh_series);
  const V stretch = halfspace_detail::number<V>(1) / (sum(cosh_series) - up * slope);
  return {stretch, halfspace_detail::number<V>(1), V(stretch * slope)};
}

namespace halfspace_detail {
template <class V>
MCT_HD MCT_LARGE_CALL HalfSpaceStride<V> long_stride(const V& across, const V& up) {
  return half_space_stride(across, up);
}
}  // namespace halfspace_detail

/// The effect of the exponential map for the frame vector side(0), ..., side(n - 1). The function
/// is fast if all lanes have short vectors. Expansions do not use the series, which has too few
/// digits for them. Error: as half_space_stride, or as short_half_space_stride where all lengths
/// are short.
template <class V, class Side>
MCT_HD MCT_ALWAYS_INLINE inline HalfSpaceStride<V> half_space_stride_of(int n, const Side& side) {
  using halfspace_detail::blend;
  const V up = side(n - 1);
  const auto across = [&] { return halfspace_detail::length_of<V>(n - 1, side); };
  if constexpr (is_expansion_v<V>) {
    return half_space_stride(across(), up);
  } else {
    V square = up * up;
    for (int i = 0; i + 1 < n; ++i) square = square + side(i) * side(i);
    const auto far = square > V(scalar_t<V>(longest_short_stride * longest_short_stride));
    const HalfSpaceStride<V> near = short_half_space_stride(square, up);
    if (!detail::somewhere(far)) return near;
    const HalfSpaceStride<V> all = halfspace_detail::long_stride(across(), up);
    return {V(blend(far, all.stretch, near.stretch)), V(blend(far, all.by, near.by)),
            V(blend(far, all.times, near.times))};
  }
}

/// The exponential map of the frame vector side(0), ..., side(n - 1) at a point of height h. The
/// caller's functions change the point as it is stored: move(i, shift) adds to horizontal
/// coordinate i, and stretch(stride) multiplies the height. Error: as half_space_stride_of.
template <class V, class Side, class Move, class Stretch>
MCT_HD MCT_ALWAYS_INLINE inline void half_space_step(int n, const Side& side, const V& h,
                                                     const Move& move, const Stretch& stretch) {
  const auto stride = half_space_stride_of<V>(n, side);
  for (int i = 0; i + 1 < n; ++i) move(i, stride.shift(h, side(i)));
  stretch(stride);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
