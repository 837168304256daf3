// Scores by the lowest common ancestor in an order of cones.
//
// Error: each score states the error of its value. Domain: all numbers that belong to points.
// Source: each score names its own; derivatives by hand.
#pragma once

#include "mctensor/attention/scores/parts.hpp"

namespace mct::attention::inline MCT_ISA_NAMESPACE {

/// Minus the height of the lowest common ancestor of two points of the half-space, in the order of
/// umbral cones with the light at infinity. It is -max(a, b, |x - y| + (a + b) / 2) for heights a
/// and b.
/// Horizontal coordinates are divided by 2 sinh(r), where r is the radius of the balls around
/// points. Error <= 3 u. Source: Tseng et al. 2023 (Coneheads), definition 2.
struct Umbral {
  static constexpr bool from_distance = true, has_corner = true, in_double = false;
  static constexpr int queries = 1, keys = 1;  // heights

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    // negative numbers save the negation of the result: one instruction for each pair
    const V above =
        score_detail::plus_product(number<V>(-0.5), V(*a + *b), V(-score_detail::Roots<V>(t).root));
    // `above` first: it is NaN where one of the numbers is
    return score_detail::smaller(above, score_detail::smaller(V(-*a), V(-*b)));
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V* a,
                                                                  const V* b) {
    const V zero = number<V>(0.0);
    const V one = number<V>(1.0);
    const V half = number<V>(0.5);
    const score_detail::Roots<V> d(t);
    const auto apart = score_detail::larger(*a, *b) < d.root + half * (*a + *b);
    const V by_a = -blend(apart, half, blend(*a < *b, zero, one));
    return {blend(apart, V(-half * d.inverse), zero), {by_a}, {-one - by_a}};
  }
};

/// Minus the height of the lowest common ancestor in the order of penumbral cones. Their light is
/// the horosphere of height r, and their boundaries are arcs of circles of radius r about points of
/// the boundary of the half-space. The query supplies its height, its reach sqrt(r^2 - height^2)
/// and r. The key supplies its height and reach.
///
/// Let D = |x - y|, a and b the heights, A and B the reaches. If D <= |A - B|, one point lies in
/// the cone of the other, and the other point is the ancestor. Otherwise, if D <= A + B, the
/// ancestor's reach is m = (A + B - D) / 2. Otherwise no cone holds both points. The result is then
/// the height of the lowest light for which a cone holds both points: sqrt(q^2 + b^2) with
/// q = (D^2 + a^2 - b^2) / (2 D). The score is continuous at both borders. Error <= 6 u (1 + (r /
/// height)^2), because the height of a common ancestor is computed from its reach. There is no
/// error if one point is the ancestor. Source: Tseng et al. 2023, definition 1, with the condition
/// corrected (docs/errata.md).
struct Penumbral {
  static constexpr bool from_distance = true, has_corner = true, in_double = false;
  static constexpr int queries = 3, keys = 2;

  /// The reach of a common ancestor, and the lanes whose pairs have a common ancestor.
  template <class V>
  struct Ancestor {
    V root, reach;  // D, m
    V square;       // r^2 - m^2
    decltype(V() < V()) above, common;
    bool all_common;  // none of the lanes needs an edge

    MCT_HD MCT_ALWAYS_INLINE Ancestor(const V& t, const V* a, const V* b) {
      root = score_detail::root_of(t);
      const V twice = (a[1] + b[1]) - root;
      above = root <= score_detail::size_of(V(a[1] - b[1]));
      common = number<V>(0.0) <= twice;
      all_common = mct::detail::all_lanes(common);
      reach = number<V>(0.5) * twice;
      square = (a[2] - reach) * (a[2] + reach);
    }
  };

  /// The lowest light for pairs without a common ancestor. Lanes with a common ancestor hold any
  /// finite number.
  template <class V>
  struct Edge {
    V foot;    // q in units of D, so that the only divisor is D^2
    V square;  // of the light's height

    MCT_HD MCT_ALWAYS_INLINE Edge(const Ancestor<V>& top, const V& t, const V* a, const V* b) {
      const V half = number<V>(0.5);
      const V beside = (half * (a[0] - b[0])) * (a[0] + b[0]);
      foot = blend(top.common, half,
                   score_detail::plus_product(beside, score_detail::some_inverse_of(t), half));
      square = score_detail::plus_product(V(foot * foot), t, V(b[0] * b[0]));
    }
  };

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    const Ancestor<V> top(t, a, b);
    V square = top.square;
    if (!top.all_common) square = blend(top.common, square, Edge<V>(top, t, a, b).square);
    return -blend(top.above, score_detail::larger(a[0], b[0]), score_detail::root_of(square));
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V* a,
                                                                  const V* b) {
    const Ancestor<V> top(t, a, b);
    const V zero = number<V>(0.0);
    const V one = number<V>(1.0);
    const V half = number<V>(0.5);
    const auto inverse_height = [&](const V& square) {
      return blend(top.above, zero, score_detail::Roots<V>(square).inverse);
    };
    // where one point is the ancestor
    const V by_query = blend(top.above, blend(a[0] < b[0], zero, -one), zero);
    const V by_key = blend(top.above, V(-one - by_query), zero);
    const auto slopes_of = [&](const V& inverse, const V& far_by_t, const V& far_query,
                               const V& far_key) {
      const V through_reach = half * top.reach * inverse;
      const V by_distance = top.root * score_detail::some_inverse_of(t);
      return Slopes<V, queries, keys>{
          -half * score_detail::plus_product(through_reach, by_distance, far_by_t),
          {V(by_query - far_query), through_reach, -(a[2] * inverse)},
          {V(by_key - far_key), through_reach}};
    };
    if (top.all_common) return slopes_of(inverse_height(top.square), zero, zero, zero);
    const Edge<V> edge(top, t, a, b);
    const V inverse = inverse_height(blend(top.common, top.square, edge.square));
    const V common = blend(top.common, inverse, zero);
    const V far = blend(top.common, zero, inverse);
    const V near = edge.foot * far;  // how far the ancestor's foot is from the query's
    const V rest = far - near;       // and from the key's
    return slopes_of(common, V(near * (one - edge.foot)), V(a[0] * near), V(b[0] * rest));
  }
};

/// gamma k^2. k is a distance from the centre in Klein's model: the distance of the lowest common
/// ancestor of two points of the ball in the order of entailment cones.
///
/// The light is the ball around the centre with the hyperbolic radius R, sinh R = 2 K for Ganea's
/// constant K. An entailment cone lies between the two lines through its apex that touch the light,
/// beyond the apex. In Klein's model lines are straight and the light has the radius T = tanh R.
/// For a point at the distance k, let delta be the angle, seen from the centre, between the point
/// and the place where its line touches the light. Then cos delta = T / k. v lies in the cone of u
/// if the angle alpha between u and v is at most delta_v - delta_u. If neither point is the
/// ancestor, the ancestor has delta = m = (delta_u + delta_v - alpha) / 2. If m < 0, no cone holds
/// both points. Then k is the distance of the centre from the line through both points: the radius
/// of the largest light for which a cone holds both.
///
/// x and y are the points' directions, scaled to the length 1/2, so that t = sin(alpha / 2)^2. The
/// query supplies cos(delta / 2), sin(delta / 2) and gamma T^2; the key supplies the first two of
/// these. Error <= 6 u (1 + 1 / cos m) for pairs with an ancestor. For pairs without an ancestor,
/// and where m is so near 0 that rounding decides, error <= 12 u (1 + 1 / (cos delta_u + cos
/// delta_v)). The score is continuous at both borders. Source: Ganea, Becigneul, Hofmann 2018, eq.
/// 26, for the cones; Tseng et al. 2023, eq. 4, for the score, with any cones and any function of
/// the depth. The formulas were derived by hand.
struct Entailment {
  static constexpr bool from_distance = true, has_corner = true, in_double = false;
  static constexpr int queries = 3, keys = 2;

  template <class V>
  struct Ancestor {
    V square, sine, cosine;  // of alpha / 2
    V sum_cosine, sum_sine;  // of (delta_u + delta_v) / 2
    V difference;            // sin((delta_v - delta_u) / 2)
    V query, key;            // cos delta
    V middle;                // cos m
    decltype(V() < V()) above, common;

    MCT_HD MCT_ALWAYS_INLINE Ancestor(const V& t, const V* a, const V* b)
        : square(score_detail::smaller(t, number<V>(1.0))),
          sine(score_detail::root_of(square)),
          cosine(score_detail::root_of(V(number<V>(1.0) - square))),
          sum_cosine(a[0] * b[0] - a[1] * b[1]),
          sum_sine(score_detail::plus_product(a[1], b[0], V(a[0] * b[1]))),
          difference(a[0] * b[1] - a[1] * b[0]),
          query((a[0] - a[1]) * (a[0] + a[1])),
          key((b[0] - b[1]) * (b[0] + b[1])) {
      above = sine <= score_detail::size_of(difference);
      common = sum_cosine * sine <= sum_sine * cosine;
      const V apart = score_detail::plus_product(sum_cosine, cosine, V(sum_sine * sine));
      // lanes of padding hold zeros, and their derivatives must be finite
      const V found = blend(above, score_detail::larger(query, key), apart);
      middle = blend(found > number<V>(0x1p-30), found, number<V>(1.0));
    }
    /// query - key
    MCT_HD MCT_ALWAYS_INLINE V gap() const { return number<V>(2.0) * sum_sine * difference; }
    /// The squared distance of the points' line from the centre is 4 t (1 - t) / rest, in units of
    /// T^2.
    MCT_HD MCT_ALWAYS_INLINE V rest() const {
      return score_detail::plus_product(gap(), gap(), V(number<V>(4.0) * query * key * square));
    }
    /// True if the score follows from m, not from the line, or if `rest` is too small for a
    /// division. Without an ancestor it is so small only if all angles are nearly 0; then both
    /// formulas give 1.
    MCT_HD MCT_ALWAYS_INLINE auto is_near(const V& rest) const {
      return common || above || rest < number<V>(score_detail::least_square<V>);
    }
    MCT_HD MCT_ALWAYS_INLINE V far(const V& inverse_rest) const {
      return number<V>(4.0) * square * (number<V>(1.0) - square) * inverse_rest;
    }
  };

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    const Ancestor<V> top(t, a, b);
    const V near = score_detail::some_inverse_of(V(top.middle * top.middle));
    const V rest = top.rest();
    return a[2] * blend(top.is_near(rest), near, top.far(score_detail::some_inverse_of(rest)));
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V* a,
                                                                  const V* b) {
    const Ancestor<V> top(t, a, b);
    const V zero = number<V>(0.0);
    const V one = number<V>(1.0);
    const V two = number<V>(2.0);
    const V rest = top.rest();
    const auto is_near = top.is_near(rest);
    // the derivatives of gamma T^2 / cos^2 m by cos m, and of cos m by the numbers
    const V inverse_middle = score_detail::some_inverse_of(top.middle);
    const V near = inverse_middle * inverse_middle;
    const V by_middle = blend(is_near, V(-two * a[2] * near * inverse_middle), zero);
    const auto by_query = blend(top.query < top.key, zero, one);
    const auto by_key = one - by_query;
    // the derivatives of the line's distance by the numbers; gap = 2 (a_0^2 b_1^2 - a_1^2 b_0^2)
    const V inverse_rest = score_detail::some_inverse_of(rest);
    const V line = top.far(inverse_rest);
    const V far = blend(is_near, zero, V(number<V>(-4.0) * a[2] * line * inverse_rest));
    const V gap = top.gap();
    const V turned = -gap;
    const auto slope = [&](const V& of_top, const V& through, const V& of_gap, const V& part,
                           const V& cosine, const V& number) {
      const V by_line = score_detail::plus_product(V(of_gap * part), part, V(top.square * cosine));
      return score_detail::plus_product(by_middle,
                                        blend(top.above, V(two * of_top * number), through),
                                        V(two * far * by_line * number));
    };
    const V half = number<V>(0.5);
    const V by_sine = half * score_detail::some_inverse_of(top.sine);
    const V by_cosine = half * score_detail::some_inverse_of(top.cosine);
    const V middle_by_t =
        blend(top.above, zero, V(top.sum_sine * by_sine - top.sum_cosine * by_cosine));
    const V gap_part = gap * inverse_rest;
    const V square_part = top.square * inverse_rest;
    const V far_by_t = number<V>(4.0) * a[2] *
                       ((one - two * top.square) * gap_part * gap_part -
                        number<V>(4.0) * top.query * top.key * square_part * square_part);
    return {blend(is_near, V(by_middle * middle_by_t), far_by_t),
            {slope(by_query, V(b[0] * top.cosine + b[1] * top.sine), gap, b[1], top.key, a[0]),
             slope(V(-by_query), V(b[0] * top.sine - b[1] * top.cosine), turned, b[0], V(-top.key),
                   a[1]),
             blend(is_near, near, line)},
            {slope(by_key, V(a[0] * top.cosine + a[1] * top.sine), turned, a[1], top.query, b[0]),
             slope(V(-by_key), V(a[0] * top.sine - a[1] * top.cosine), gap, a[0], V(-top.query),
                   b[1])}};
  }
};

}  // namespace mct::attention::inline MCT_ISA_NAMESPACE
