// Measures how well an embedding predicts edges that it was not trained on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "mctensor/embed/binary_scores.hpp"
#include "mctensor/embed/evaluate.hpp"

namespace mct::embed {

struct LinkPredictionOptions {
  /// How many pairs without an edge each edge gets, as in labelled_pairs.
  int negatives = 10;
  std::uint64_t seed = 0;  ///< seed of the replaced nodes
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< of the ranking
};

struct LinkPredictionReport {
  RankingReport ranking;  ///< of the held-out edges, among nodes without an edge in any list
  double threshold = 0;   ///< the distance with the best F1 on the validation edges
  /// Scores of the classifier "two nodes have an edge if their distance is at most the threshold".
  BinaryScores validation, held_out;
};

/// Ranks and classifies `held_out` edges of an embedding that was trained on `train`. Negatives are
/// pairs of nodes without an edge in any of the three graphs; they depend on the seed alone. The
/// threshold is the distance with the best F1 on the edges of `validation` and the same number of
/// negatives for each edge. If `validation` has no edges, `train` takes its place.
///
/// Throws ShapeError unless all graphs have the nodes of the points. Throws DomainError if `train`
/// or `held_out` has no edges, and if `negatives` is outside 1 to 1000.
LinkPredictionReport link_prediction(const HalfSpacePoints& points, const Graph& train,
                                     const Graph& validation, const Graph& held_out,
                                     const LinkPredictionOptions& options = {});

}  // namespace mct::embed
