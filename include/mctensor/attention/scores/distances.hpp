// Scores by hyperbolic distance.
//
// Error: each score states the error of its value; derivatives have errors of a few u. Domain: all
// numbers that belong to points. Source: each score names its own; derivatives by hand.
#pragma once

#include "mctensor/attention/scores/parts.hpp"

namespace mct::attention::inline MCT_ISA_NAMESPACE {

/// The hyperbolic distance d with sinh(d / 2)^2 = s = t a b, and its derivative by s.
template <class V>
struct HyperbolicDistance {
  V a_b, s;

  MCT_HD MCT_ALWAYS_INLINE HyperbolicDistance(const V& t, const V* a, const V* b)
      : a_b(*a * *b), s(t * a_b) {}
  MCT_HD MCT_ALWAYS_INLINE V length() const {
    return number<V>(2.0) * score_detail::asinh_of_root(s);
  }
  /// 1 / sqrt(s + s^2), or `at_zero` for s = 0.
  MCT_HD MCT_ALWAYS_INLINE V slope(const V& at_zero) const {
    // for larger s the square may overflow, and sqrt(s + s^2) rounds to s
    const V root = blend(s > number<V>(0x1p500), s, score_detail::root_of(V(s + s * s)));
    return blend(root > number<V>(0.0), score_detail::inverse_of(root), at_zero);
  }
  /// Derivatives by t, a and b from the derivatives by s and beta.
  MCT_HD MCT_ALWAYS_INLINE Slopes<V, 2, 1> slopes(const V& t, const V* a, const V* b, const V& by_s,
                                                  const V& by_beta) const {
    return {by_s * a_b, {by_s * (t * *b), by_beta}, {by_s * (t * *a)}};
  }
};

/// -beta d with the hyperbolic distance d: sinh(d / 2)^2 = t a b, where t = |x - y|^2 over all
/// coordinates. In the half-space a and b are 1 / (2 height); in the ball they are 1 / (1 - |x|^2).
/// The query supplies a and beta, the key supplies b. Error <= 5 u: 3 from asinh, half of the 2 of
/// s, and 1 from beta. Source: Gulcehre et al. 2019, eq. 2.
struct Distance {
  static constexpr bool from_distance = true, has_corner = true, in_double = true;
  static constexpr int queries = 2, keys = 1;

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    return -(a[1] * HyperbolicDistance<V>(t, a, b).length());
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V* a,
                                                                  const V* b) {
    const HyperbolicDistance<V> d(t, a, b);
    return d.slopes(t, a, b, V(-a[1] * d.slope(number<V>(0.0))), V(-d.length()));
  }
};

/// -beta d^2 with the same distance. It is smooth where points coincide: d^2 = 4 s (1 - s / 3 +
/// ..). Error <= 10 u. Source: Geometric Foundations, with tau = 1 / beta (docs/attention.md); the
/// derivative of d^2 by s, 2 d / sqrt(s + s^2), by hand.
struct DistanceSquared {
  static constexpr bool from_distance = true, has_corner = false, in_double = true;
  static constexpr int queries = 2, keys = 1;

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    const V d = HyperbolicDistance<V>(t, a, b).length();
    return -(a[1] * (d * d));
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V* a,
                                                                  const V* b) {
    const HyperbolicDistance<V> d(t, a, b);
    const V length = d.length();
    const V zero = number<V>(0.0);
    // the limit 4 where the distance is 0
    const V slope =
        blend(length > zero, V(number<V>(2.0) * length * d.slope(zero)), number<V>(4.0));
    return d.slopes(t, a, b, V(-a[1] * slope), V(-(length * length)));
  }
};

}  // namespace mct::attention::inline MCT_ISA_NAMESPACE
