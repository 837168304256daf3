// Pairs of nodes that no edge connects.
#include "src/embed/corrupted_pairs.hpp"

#include <string>

#include "mctensor/error.hpp"
#include "mctensor/graph/labelled_pairs.hpp"

namespace mct::embed {

CorruptedPairs::CorruptedPairs(const Graph& related) : ancestors_(successors(related)) {}

std::int32_t CorruptedPairs::draw(std::int32_t ancestor, std::int32_t descendant, Replaced replaced,
                                  const Draws& draws, std::uint64_t number) const {
  constexpr std::uint64_t attempts = 64;
  const std::size_t nodes = ancestors_.size();
  const auto fits = [&](std::int32_t n) {
    if (n == ancestor || n == descendant) return false;
    return !(replaced == Replaced::descendant ? ancestors_.contains(n, ancestor)
                                              : ancestors_.contains(descendant, n));
  };
  std::int32_t n = -1;
  for (std::uint64_t i = 0; i < attempts; ++i) {
    n = std::int32_t(draws.below(nodes, number * attempts + i));
    if (fits(n)) return n;
  }
  // almost all nodes are related: the next one that is not
  for (std::size_t i = 0; i < nodes; ++i) {
    n = std::int32_t((std::size_t(n) + 1) % nodes);
    if (fits(n)) return n;
  }
  return -1;
}

LabelledPairs CorruptedPairs::beside(const Graph& positives, int negatives,
                                     const Draws& draws) const {
  LabelledPairs pairs;
  const auto add = [&](std::int32_t ancestor, std::int32_t descendant, bool related) {
    if (ancestor < 0 || descendant < 0) return;
    pairs.ancestors.push_back(ancestor);
    pairs.descendants.push_back(descendant);
    pairs.related.push_back(related ? 1 : 0);
  };
  for (std::size_t i = 0; i < positives.edge_count(); ++i) {
    const std::int32_t u = positives.targets()[i];
    const std::int32_t v = positives.sources()[i];
    add(u, v, true);
    for (int k = 0; k < negatives; ++k) {
      const std::uint64_t number = i * std::uint64_t(negatives) + std::uint64_t(k);
      if (2 * k < negatives) {
        add(u, draw(u, v, Replaced::descendant, draws, number), false);
      } else {
        add(draw(u, v, Replaced::ancestor, draws, number), v, false);
      }
    }
  }
  return pairs;
}

LabelledPairs labelled_pairs(const Graph& positives, const Graph& closure, int negatives,
                             std::uint64_t seed) {
  if (positives.node_count() != closure.node_count())
    throw ShapeError("labelled_pairs: graphs of " + std::to_string(positives.node_count()) +
                     " and " + std::to_string(closure.node_count()) + " nodes");
  return CorruptedPairs(closure).beside(positives, negatives, Draws(seed, draws_of_pairs));
}

}  // namespace mct::embed
