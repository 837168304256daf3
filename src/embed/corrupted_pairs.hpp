// Pairs of nodes that no edge connects, made from pairs that one does.
#pragma once

#include <cstdint>

#include "mctensor/graph/labelled_pairs.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {

/// Which node of a pair is replaced.
enum class Replaced { descendant, ancestor };

/// Finds nodes for the place of another; edges lead from descendants to ancestors.
class CorruptedPairs {
 public:
  explicit CorruptedPairs(const Graph& related);

  /// A random node n, neither of both, such that n is not below the ancestor by an edge, or the
  /// descendant not below n; -1 if there is none. The draw with this number, of at most 2^57.
  std::int32_t draw(std::int32_t ancestor, std::int32_t descendant, Replaced replaced,
                    const Draws& draws, std::uint64_t number) const;

  /// Each edge, and beside it as many pairs as labelled_pairs has.
  LabelledPairs beside(const Graph& positives, int negatives, const Draws& draws) const;

 private:
  Adjacency ancestors_;
};

}  // namespace mct::embed
