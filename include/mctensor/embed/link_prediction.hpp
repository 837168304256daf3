// Measures how well an embedding predicts edges that it was not trained on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "mctensor/embed/binary_scores.hpp"
#include "mctensor/embed/evaluate.hpp"

namespace mct::embed {

struct LinkPredictionOptions {
  /// The number of negatives (pairs without an edge) for each edge, drawn as labelled_pairs draws
  /// them.
  int negatives = 10;
  std::uint64_t seed = 0;  ///< seed of the replaced nodes
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< of the ranking
};

struct LinkPredictionReport {
  /// The ranks of the held-out edges, among nodes to which the source has no edge in any graph.
  RankingReport ranking;
  double threshold = 0;  ///< the distance with the best F1 on the validation edges
  /// Scores of the classifier "two nodes have an edge if their distance is at most the threshold".
  BinaryScores validation, held_out;
};

/// Ranks and classifies `held_out` edges of an embedding that was trained on `train`. Negatives are
/// pairs of a source and a target that are not an edge of any of the three graphs; the opposite
/// pair may be an edge. They depend on the graphs and the seed, not on the points. The threshold is
/// the distance with the best F1 on the edges of `validation` and their negatives. If `validation`
/// has no edges, `train` takes its place.
///
/// Throws ShapeError unless all graphs have the nodes of the points. Throws DomainError if `train`
/// or `held_out` has no edges, and if `negatives` is outside 1 to 1000.
LinkPredictionReport link_prediction(const HalfSpacePoints& points, const Graph& train,
                                     const Graph& validation, const Graph& held_out,
                                     const LinkPredictionOptions& options = {});

}  // namespace mct::embed
