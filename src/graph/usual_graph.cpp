#include "mctensor/graph/usual_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/components.hpp"

namespace mct::embed {
namespace {

/// "3 of 7 edges".
std::string share_text(std::size_t part, std::size_t all, const char* of_what) {
  return std::to_string(part) + " of " + std::to_string(all) + ' ' + of_what;
}

bool is_nearly_tree(const Graph& graph) {
  const auto flags = basic_edges(graph);
  const auto basic = std::accumulate(flags.begin(), flags.end(), std::size_t(0));
  return double(basic) <= 1.05 * double(graph.node_count());
}

std::string why_no_hierarchy(const Graph& graph, const GraphStatistics& s) {
  if (2 * s.both_ways > s.edges)
    return share_text(s.both_ways, s.edges, "edges are there in both directions");
  if (s.cycles.components > 0)
    return "there are cycles, such as " + cycle_text(graph, s.cycles.example);
  const std::size_t ends = std::min(s.roots, s.leaves);
  if (ends > s.components + 4 + s.nodes / 50)
    return share_text(s.roots, s.nodes, "nodes have nothing above them, ") +
           std::to_string(s.leaves) + " nothing below, in " + std::to_string(s.components) +
           (s.components == 1 ? " component" : " components");
  const std::int32_t depth = s.depth.value_or(0);
  if (s.nodes > 1 && double(depth) > 3 * std::log2(double(s.nodes)) && !is_nearly_tree(graph))
    return "it has chains of " + std::to_string(depth) + " edges among " + std::to_string(s.nodes) +
           " nodes, and is not a tree";
  return {};
}

struct Edge {
  std::int32_t from, to;
  bool turned;  ///< the other direction of a given one
  double weight;

  std::pair<std::int32_t, std::int32_t> ends() const { return {from, to}; }
};

}  // namespace

HierarchyVerdict hierarchy_verdict(const Graph& graph, const GraphStatistics& counts) {
  std::string why = why_no_hierarchy(graph, counts);
  if (!why.empty()) return {false, std::move(why)};
  return {true, "no cycles, chains of " + std::to_string(counts.depth.value_or(0)) +
                    " edges at most, few ends: " + std::to_string(counts.roots) + " above, " +
                    std::to_string(counts.leaves) + " below, in " +
                    std::to_string(counts.components) +
                    (counts.components == 1 ? " component" : " components")};
}

Graph both_directions(const Graph& graph) {
  std::vector<Edge> edges;
  edges.reserve(2 * graph.edge_count());
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    const std::int32_t from = graph.sources()[i], to = graph.targets()[i];
    edges.push_back({from, to, false, graph.weight(i)});
    edges.push_back({to, from, true, graph.weight(i)});
  }
  // a given edge comes before the edge that follows from its opposite
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::pair(a.ends(), a.turned) < std::pair(b.ends(), b.turned);
  });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const Edge& a, const Edge& b) { return a.ends() == b.ends(); }),
              edges.end());
  std::vector<std::int32_t> sources, targets;
  std::vector<double> weights;
  sources.reserve(edges.size());
  targets.reserve(edges.size());
  if (graph.has_weights()) weights.reserve(edges.size());
  for (const Edge& edge : edges) {
    sources.push_back(edge.from);
    targets.push_back(edge.to);
    if (graph.has_weights()) weights.push_back(edge.weight);
  }
  return {graph.names(), std::move(sources), std::move(targets), std::move(weights)};
}

UsualGraph usual_neighbours(const Graph& graph) {
  const HierarchyVerdict verdict = hierarchy_verdict(graph, statistics(graph));
  if (verdict.is_hierarchy) return {graph, "the edges"};
  return {both_directions(graph),
          "no hierarchy (" + verdict.reason +
              "), so the edges as they are, not closed, and neighbours count on both sides",
          false};
}

UsualGraph usual_graph(const Graph& graph, const std::function<void(std::size_t)>& progress) {
  UsualGraph chosen = usual_neighbours(graph);
  if (!chosen.is_hierarchy) return chosen;
  try {
    Graph closure = transitive_closure(graph, usual_closure_edges, progress);
    if (closure.edge_count() == graph.edge_count())
      return {graph, "the edges, which are their own closure"};
    std::string what = "the closure, " + std::to_string(closure.edge_count()) +
                       " edges from each node to all above it";
    if (graph.has_weights()) what += "; it has no weights, so those of the list are not used";
    return {std::move(closure), std::move(what)};
  } catch (const DomainError&) {
    return {graph, "the edges as they are, for their closure has more than " +
                       std::to_string(usual_closure_edges)};
  }
}

}  // namespace mct::embed
