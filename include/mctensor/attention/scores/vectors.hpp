// Scores of vectors in flat space.
//
// t is x.y, or |x - y|^2 for scores from distances. Error: each score states the error of its
// value; derivatives have errors of a few u. Domain: all finite t. Source: each score names its
// own; derivatives by hand.
#pragma once

#include "mctensor/attention/scores/parts.hpp"

namespace mct::attention::inline MCT_ISA_NAMESPACE {

/// x.y; x includes factors such as 1 / sqrt(d) (Vaswani et al. 2017).
struct DotProduct {
  static constexpr bool from_distance = false, has_corner = false, in_double = false;
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
  static constexpr bool from_distance = true, has_corner = false, in_double = false;
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

/// -|x - y|. Error <= 1 u, for floats on a GPU 2 u (root_of).
struct Laplacian {
  static constexpr bool from_distance = true, has_corner = true, in_double = false;
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

}  // namespace mct::attention::inline MCT_ISA_NAMESPACE
