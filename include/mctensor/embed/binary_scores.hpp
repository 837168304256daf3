// Scores of a classifier with two classes.
#pragma once

#include <cstdint>

namespace mct::embed {

/// Counts of a classifier that separates related pairs of nodes from other pairs.
struct BinaryScores {
  std::uint64_t true_positives = 0, false_positives = 0, false_negatives = 0, true_negatives = 0;

  /// Adds the counts of another list of pairs.
  BinaryScores& operator+=(const BinaryScores& others);

  /// The number of related pairs, and the number of other pairs.
  std::uint64_t positives() const { return true_positives + false_negatives; }
  std::uint64_t negatives() const { return false_positives + true_negatives; }
  /// Precision: the part of the pairs classified as related that are related; 0 without such pairs.
  double precision() const;
  /// Recall: the part of the related pairs that are classified as related; 0 without such pairs.
  double recall() const;
  /// 2 precision recall / (precision + recall), their harmonic mean; 0 without true positives.
  double f1() const;
};

}  // namespace mct::embed
