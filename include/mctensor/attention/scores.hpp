// Scores of attention: how near a query is to a key, and the derivatives, for numbers and SIMD
// batches alike.
//
// A score is a function of one number t that belongs to the pair, the inner product x.y or the
// squared distance |x - y|^2 of two vectors, of numbers a of the query and of numbers b of the key.
// Whatever scales them (temperature, radius of a light, curvature) is multiplied into x, a and b
// before (softmax_attention.hpp), where its gradient is the tape's business.
// So there are no other parameters, and a tile of pairs is one matrix product and one pass.
//
// Each score has
//   from_distance   whether t is the squared distance
//   queries, keys   how many numbers a and b are
//   in_double       whether float's is computed in double
//   value(t, a, b)  the score; softmax of it over keys is the weight
//   slopes(t, a, b) its derivatives
// Error of value: a few u times the score (each says how many), for t, a and b as they are; roots
// of floats on a GPU, which have 2 u instead of 1, are within it.
//
// Source: the formulas of Tseng et al. 2023 and Gulcehre et al. 2019 that each names; their
// derivatives by hand. Domain: every finite t, a and b of real points; docs/attention.md has the
// range.
#pragma once

#include <cmath>

#include "mctensor/attention/dual.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/value.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/math/plain.hpp"

namespace mct::attention {

/// The scores that are compiled: enumerators of the types below.
enum class Score { dot_product, gaussian, laplacian, umbral, penumbral, distance };

inline namespace MCT_ISA_NAMESPACE {

/// The derivatives of a score by t, a and b; where it has a kink, one of those that belong to it.
template <class V, int Queries, int Keys>
struct Slopes {
  V t;
  V query[Queries + 1];  // at least one
  V key[Keys + 1];
};

namespace score_detail {

using mct::detail::blend;
using mct::detail::number;

/// The larger number, a if one is NaN: a single instruction of batches. Of floats on a GPU, where
/// that takes two, NaN if one is.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V larger(const V& a, const V& b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float r;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
#endif
  if constexpr (is_expansion_v<V> || std::is_arithmetic_v<V>) {
    return blend(a < b, b, a);
  } else {
    return max(b, a);
  }
}

/// The smaller number, in the same way.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V smaller(const V& a, const V& b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
#endif
  if constexpr (is_expansion_v<V> || std::is_arithmetic_v<V>) {
    return blend(b < a, b, a);
  } else {
    return min(b, a);
  }
}

template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V size_of(const V& a) {
  if constexpr (is_expansion_v<V>) {
    return abs(a);
  } else {
    return mct::detail::magnitude(a);
  }
}

/// a b + c, fused where plain numbers are.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V plus_product(const V& a, const V& b, const V& c) {
  if constexpr (is_expansion_v<V>) {
    return mul_add(a, b, c);
  } else {
    return mct::detail::multiply_add(a, b, c);
  }
}

/// The square root of t >= 0, correctly rounded. Of floats on a GPU by its unit for roots, one
/// instruction instead of six: relative error 2 u, 0 for subnormal numbers.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V root_of(const V& t) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(t));
    return root;
  }
#endif
  using std::sqrt;
  return sqrt(t);
}

/// 1 / x, correctly rounded. Of floats on a GPU only for |x| in [2^-126, 2^126], as root_of.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V inverse_of(const V& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(y, fmaf(-x, y, 1.0F), y);
  }
#endif
  return number<V>(1.0) / x;
}

/// Squares of distances below it are as good as nothing, and have no inverse, or none with all
/// components.
template <class V>
inline constexpr double least_square = is_expansion_v<V>                            ? 0x1p-900
                                       : sizeof(mct::detail::base_scalar_t<V>) == 4 ? 0x1p-126
                                                                                    : 0x1p-1022;

/// sqrt(t) and 1 / sqrt(t) of t >= 0; both 0 for t = 0: what is in a direction that points have
/// none of moves none.
template <class V>
struct Roots {
  V root, inverse;

  MCT_HD MCT_ALWAYS_INLINE explicit Roots(const V& t) {
    root = root_of(t);
    const V zero = number<V>(0.0);
    inverse = blend(root > zero, inverse_of(root), zero);
  }
};

/// asinh(sqrt(s)) for s >= 0, V of doubles, as log(1 + what needs no branch). Error <= 3 u, of
/// expansions 60 u^N.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V asinh_of_root(const V& s) {
  using std::sqrt;
  const V one = number<V>(1.0);
  const V above = sqrt(s) + s / (one + sqrt(V(one + s)));
  if constexpr (is_expansion_v<V>) {
    return log1p(above);
  } else {
    return mct::detail::plain_log1p(above);
  }
}

/// |x - y|^2 as |x|^2 + |y|^2 - 2 x.y.
template <class V>
struct DistanceOfProduct {
  V lengths;   // |x|^2 + |y|^2
  V distance;  // below 0, perhaps, if nearly nothing is left

  MCT_HD MCT_ALWAYS_INLINE DistanceOfProduct(const V& product, const V& x_length, const V& y_length)
      : lengths(x_length + y_length), distance(plus_product(number<V>(-2.0), product, lengths)) {}

  /// Above 0 if so much cancelled that differences are better: streaming.hpp.
  MCT_HD MCT_ALWAYS_INLINE V lost() const { return least(lengths) - distance; }
  /// The distance of so long vectors that is not lost.
  MCT_HD MCT_ALWAYS_INLINE static V least(const V& lengths) {
    return lengths * number<V>(1.0 / 32);
  }
};

}  // namespace score_detail

using mct::detail::blend;
using score_detail::number;

/// x.y, with 1 / sqrt(d) and the like in x (Vaswani et al. 2017).
struct DotProduct {
  static constexpr bool from_distance = false, in_double = false;
  static constexpr int queries = 0, keys = 0;

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V*, const V*) {
    return t;
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V&, const V*, const V*) {
    return {number<V>(1.0), {}, {}};
  }
};

/// -|x - y|^2.
struct Gaussian {
  static constexpr bool from_distance = true, in_double = false;
  static constexpr int queries = 0, keys = 0;

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V*, const V*) {
    return -t;
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V&, const V*, const V*) {
    return {number<V>(-1.0), {}, {}};
  }
};

/// -|x - y|. Error <= 1 u, of floats on a GPU 2 u (root_of).
struct Laplacian {
  static constexpr bool from_distance = true, in_double = false;
  static constexpr int queries = 0, keys = 0;

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V*, const V*) {
    return -score_detail::Roots<V>(t).root;
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V*, const V*) {
    return {number<V>(-0.5) * score_detail::Roots<V>(t).inverse, {}, {}};
  }
};

/// Minus the height of the lowest common ancestor of two points of the half-space in the order of
/// umbral cones, with the light at infinity: -max(a, b, |x - y| + (a + b) / 2) for heights a and b
/// and horizontal coordinates divided by 2 sinh(r), r the radius of the points' balls. Error <= 3
/// u. Source: Tseng et al. 2023 (Coneheads), definition 2.
struct Umbral {
  static constexpr bool from_distance = true, in_double = false;
  static constexpr int queries = 1, keys = 1;  // heights

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    // of negative numbers, so that no result is negated, which would be one more instruction a pair
    const V above =
        score_detail::plus_product(number<V>(-0.5), V(*a + *b), V(-score_detail::Roots<V>(t).root));
    return score_detail::smaller(score_detail::smaller(V(-*a), V(-*b)), above);
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

/// Minus the height of the lowest common ancestor in the order of penumbral cones, whose light is
/// the horosphere of height r: cones are half-discs of radius r about points of the boundary. Of
/// the query come its height, its reach sqrt(r^2 - height^2) and r, of the key height and reach.
///
/// With D = |x - y|, A and B the reaches: where D <= |A - B|, one point lies in the other's cone,
/// which is the ancestor; else where D <= A + B, the ancestor's reach is m = (A + B - D) / 2; else
/// no cone holds both, and the height is that of the lowest light for which one does, sqrt(q^2 +
/// b^2) with q = (D^2 + a^2 - b^2) / (2 D). Continuous, and equal on both sides of either border.
/// Error <= 6 u (1 + (r / height)^2): the height of a common ancestor comes from its reach.
/// None where one point is the ancestor.
/// Source: Tseng et al. 2023, definition 1, with the condition corrected (docs/errata.md).
struct Penumbral {
  static constexpr bool from_distance = true, in_double = false;
  static constexpr int queries = 3, keys = 2;

  /// The reach of a common ancestor, and which pairs have one.
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

  /// The lowest light of pairs without a common ancestor. Lanes that have one hold anything finite.
  template <class V>
  struct Edge {
    V foot;    // how far q is in units of D, so that there is no quotient but by D^2
    V square;  // of the light's height

    MCT_HD MCT_ALWAYS_INLINE Edge(const Ancestor<V>& top, const V& t, const V* a, const V* b) {
      const V half = number<V>(0.5);
      const V beside = (half * (a[0] - b[0])) * (a[0] + b[0]);
      foot = blend(top.common, half, score_detail::plus_product(beside, inverse_square(t), half));
      square = score_detail::plus_product(V(foot * foot), t, V(b[0] * b[0]));
    }
  };

  /// 1 / D^2. What vanishes counts as something: where it is divided by, there is no distance.
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V inverse_square(const V& t) {
    return score_detail::inverse_of(
        score_detail::larger(t, number<V>(score_detail::least_square<V>)));
  }

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
      const V by_distance = top.root * inverse_square(t);
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

/// -beta d of the hyperbolic distance d with sinh(d / 2)^2 = t a b: of the half-space with t over
/// all coordinates and a, b = 1 / (2 height); of the ball with a, b = 1 / (1 - |x|^2). Of the query
/// come a and beta, of the key b. Error <= 4 u. Source: Gulcehre et al. 2019, eq. 2.
struct Distance {
  static constexpr bool from_distance = true, in_double = true;
  static constexpr int queries = 2, keys = 1;

  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V distance(const V& t, const V* a, const V* b) {
    return number<V>(2.0) * score_detail::asinh_of_root(V(t * (*a * *b)));
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static V value(const V& t, const V* a, const V* b) {
    return -(a[1] * distance(t, a, b));
  }
  template <class V>
  MCT_HD MCT_ALWAYS_INLINE static Slopes<V, queries, keys> slopes(const V& t, const V* a,
                                                                  const V* b) {
    const V s = t * (*a * *b);
    // beyond, the square may be no number, and 1 counts no more beside s
    const V root = blend(s > number<V>(0x1p500), s, score_detail::root_of(V(s + s * s)));
    const V zero = number<V>(0.0);
    const V by_s = -a[1] * blend(root > zero, score_detail::inverse_of(root), zero);
    return {by_s * (*a * *b), {by_s * (t * *b), -distance(t, a, b)}, {by_s * (t * *a)}};
  }
};

}  // namespace MCT_ISA_NAMESPACE

/// Calls f(S()) with the type of a score.
template <class F>
decltype(auto) with_score(Score score, const F& f) {
  switch (score) {
    case Score::dot_product:
      return f(DotProduct());
    case Score::gaussian:
      return f(Gaussian());
    case Score::laplacian:
      return f(Laplacian());
    case Score::umbral:
      return f(Umbral());
    case Score::penumbral:
      return f(Penumbral());
    default:
      return f(Distance());
  }
}

}  // namespace mct::attention
