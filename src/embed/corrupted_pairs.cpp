// Pairs of nodes that no edge connects.
#include "src/embed/corrupted_pairs.hpp"

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

}  // namespace mct::embed
