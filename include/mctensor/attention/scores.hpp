// Scores of attention: how near a query is to a key, and the derivatives of scores, for numbers and
// SIMD batches alike.
//
// A score is a function of a number t of the pair, of numbers a of the query, and of numbers b of
// the key. t is the inner product x.y of two vectors or their squared distance |x - y|^2. Before a
// score is computed, softmax_attention.hpp multiplies x, a and b by the temperature, the radius of
// a light and the curvature, so that autograd finds the gradients of these. So a score has no other
// parameters, and a block of pairs takes one matrix product and one pass.
//
// Each score has
//   from_distance   whether t is the squared distance
//   has_corner      whether it has a corner where points coincide, and no second derivative there
//   queries, keys   how many numbers a has, and how many b has
//   in_double       whether the score of floats is computed in double
//   value(t, a, b)  the score; softmax of it over keys is the weight
//   slopes(t, a, b) its derivatives
// Error of value: a few u times the score (each score states how many) for the given t, a and b.
// These bounds hold on a GPU, too, where roots of floats have an error of 2 u instead of 1.
//
// Source: the formulas of Tseng et al. 2023 and Gulcehre et al. 2019 that each score names;
// derivatives by hand. Domain: every finite t, a and b of real points; docs/attention.md has the
// range.
#pragma once

#include "mctensor/attention/scores/cones.hpp"
#include "mctensor/attention/scores/distances.hpp"
#include "mctensor/attention/scores/vectors.hpp"
#include "mctensor/base/names.hpp"

namespace mct::attention {

/// The compiled scores. There is an enumerator for each type in scores/.
enum class Score {
  dot_product,
  gaussian,
  laplacian,
  umbral,
  penumbral,
  entailment,
  distance,
  distance_squared
};

inline constexpr Names<Score, 8> score_names{{
    {Score::dot_product, "dot_product"},
    {Score::gaussian, "gaussian"},
    {Score::laplacian, "laplacian"},
    {Score::umbral, "umbral"},
    {Score::penumbral, "penumbral"},
    {Score::entailment, "entailment"},
    {Score::distance, "distance"},
    {Score::distance_squared, "distance_squared"},
}};

/// Calls f(S()), where S is the type of the score.
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
    case Score::entailment:
      return f(Entailment());
    case Score::distance:
      return f(Distance());
    default:
      return f(DistanceSquared());
  }
}

}  // namespace mct::attention
