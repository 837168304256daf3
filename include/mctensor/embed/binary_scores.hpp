// How good a classifier of two classes is.
#pragma once

#include <cstdint>

namespace mct::embed {

/// Counts of a classifier that takes pairs of nodes for related or not.
struct BinaryScores {
  std::uint64_t true_positives = 0, false_positives = 0, false_negatives = 0, true_negatives = 0;

  /// Pairs that are related, and that are not.
  std::uint64_t positives() const { return true_positives + false_negatives; }
  std::uint64_t negatives() const { return false_positives + true_negatives; }
  /// Of what is taken for related, the part that is; 0 where nothing is.
  double precision() const;
  /// Of what is related, the part that is taken for it; 0 where nothing is.
  double recall() const;
  /// 2 precision recall / (precision + recall), their harmonic mean; 0 for nothing found.
  double f1() const;
};

}  // namespace mct::embed
