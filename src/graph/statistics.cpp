// Counts of a graph.
#include "mctensor/graph/statistics.hpp"

#include <algorithm>
#include <vector>

namespace mct::embed {
namespace {

/// Edges of the longest path of a graph without cycles, whose strong components are its nodes.
std::int32_t longest_path(const Adjacency& up, const Components& strong) {
  std::vector<std::int32_t> order(strong.of.size());  // roots first
  for (std::size_t v = 0; v < order.size(); ++v) order[std::size_t(strong.of[v])] = std::int32_t(v);
  std::vector<std::int32_t> depth(order.size(), 0);
  std::int32_t longest = 0;
  for (const std::int32_t v : order) {
    std::int32_t& own = depth[std::size_t(v)];
    for (const std::int32_t to : up[v]) own = std::max(own, depth[std::size_t(to)] + 1);
    longest = std::max(longest, own);
  }
  return longest;
}

std::vector<std::size_t> counts_of(const std::vector<std::int32_t>& ends, std::size_t nodes) {
  std::vector<std::size_t> counts(nodes, 0);
  for (const std::int32_t v : ends) ++counts[std::size_t(v)];
  return counts;
}

}  // namespace

GraphStatistics statistics(const Graph& graph) {
  GraphStatistics s;
  s.nodes = graph.node_count();
  s.edges = graph.edge_count();
  if (s.nodes == 0) return s;
  const auto parents = counts_of(graph.sources(), s.nodes);
  const auto children = counts_of(graph.targets(), s.nodes);
  s.roots = std::size_t(std::count(parents.begin(), parents.end(), 0u));
  s.leaves = std::size_t(std::count(children.begin(), children.end(), 0u));
  if (s.leaves < s.nodes) s.mean_children = double(s.edges) / double(s.nodes - s.leaves);
  const auto most = std::max_element(children.begin(), children.end());
  s.most_children = *most;
  s.most_children_at = std::int32_t(most - children.begin());
  const std::vector<std::int32_t> sizes = weak_components(graph).sizes();
  s.components = sizes.size();
  s.largest_component = std::size_t(*std::max_element(sizes.begin(), sizes.end()));
  const Adjacency up = successors(graph);
  for (std::size_t e = 0; e < s.edges; ++e)
    s.both_ways += up.contains(graph.targets()[e], graph.sources()[e]) ? 1u : 0u;
  const Components strong = strong_components(up);
  s.cycles = find_cycles(graph, up, strong);
  if (s.cycles.components == 0) s.depth = longest_path(up, strong);
  return s;
}

}  // namespace mct::embed
