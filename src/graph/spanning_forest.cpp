#include "mctensor/graph/spanning_forest.hpp"

#include <cstddef>

#include "mctensor/graph/components.hpp"

namespace mct::embed {
namespace {

/// The lowest node of every strong component that no edge leaves, ascending.
std::vector<std::int32_t> roots_of(const Graph& graph) {
  const Components strong = strong_components(successors(graph));
  std::vector<std::uint8_t> done(std::size_t(strong.count), 0);
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    const std::int32_t from = strong.of[std::size_t(graph.sources()[i])];
    if (from != strong.of[std::size_t(graph.targets()[i])]) done[std::size_t(from)] = 1;
  }
  std::vector<std::int32_t> roots;
  for (std::size_t v = 0; v < graph.node_count(); ++v) {
    std::uint8_t& of_component = done[std::size_t(strong.of[v])];
    if (of_component == 0) roots.push_back(std::int32_t(v));
    of_component = 1;
  }
  return roots;
}

}  // namespace

SpanningForest spanning_forest(const Graph& graph) {
  const std::size_t count = graph.node_count();
  constexpr std::int32_t unreached = -1;
  SpanningForest forest;
  forest.parent.assign(count, -1);
  forest.depth.assign(count, unreached);
  forest.size.assign(count, 1);
  forest.order = roots_of(graph);
  forest.order.reserve(count);
  for (const std::int32_t root : forest.order) forest.depth[std::size_t(root)] = 0;
  const Adjacency below = predecessors(graph);
  for (std::size_t i = 0; i < forest.order.size(); ++i) {
    const std::int32_t node = forest.order[i];
    for (const std::int32_t child : below[node]) {
      if (forest.depth[std::size_t(child)] != unreached) continue;
      forest.parent[std::size_t(child)] = node;
      forest.depth[std::size_t(child)] = forest.depth[std::size_t(node)] + 1;
      forest.order.push_back(child);
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    const std::int32_t node = forest.order[i];
    const std::int32_t parent = forest.parent[std::size_t(node)];
    if (parent >= 0) forest.size[std::size_t(parent)] += forest.size[std::size_t(node)];
  }
  return forest;
}

}  // namespace mct::embed
