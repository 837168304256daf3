// Graphs for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::testing {

using embed::Graph;
using Edges = std::vector<std::pair<int, int>>;

/// Nodes "0", "1", ... and these edges.
inline Graph graph_of(int nodes, const Edges& edges) {
  auto names = std::make_shared<embed::NameTable>();
  for (int v = 0; v < nodes; ++v) names->enter(std::to_string(v));
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;
  for (const auto& [from, to] : edges) {
    sources.push_back(from);
    targets.push_back(to);
  }
  return {std::move(names), std::move(sources), std::move(targets)};
}

inline Edges edges_of(const Graph& graph) {
  Edges edges;
  for (std::size_t i = 0; i < graph.edge_count(); ++i)
    edges.emplace_back(graph.sources()[i], graph.targets()[i]);
  return edges;
}

/// "a>b a>c": the edges by name, in their order.
inline std::string text_of(const Graph& graph) {
  std::string text;
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    if (i > 0) text += ' ';
    text += graph.name(graph.sources()[i]);
    text += '>';
    text += graph.name(graph.targets()[i]);
  }
  return text;
}

/// Each pair is an edge with this probability; `acyclic`: along a hidden order of the nodes.
inline Graph random_graph(int nodes, double density, bool acyclic, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> order(std::size_t(nodes), 0);
  for (int v = 0; v < nodes; ++v) order[std::size_t(v)] = v;
  std::shuffle(order.begin(), order.end(), random);
  Edges edges;
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b) {
      const bool allowed = acyclic ? order[std::size_t(a)] > order[std::size_t(b)] : a != b;
      if (allowed && random() < density * 4294967296.0) edges.emplace_back(a, b);
    }
  std::shuffle(edges.begin(), edges.end(), random);
  return graph_of(nodes, edges);
}

/// reaches[a][b]: a path of at least one edge leads from a to b (Warshall 1962).
inline std::vector<std::vector<bool>> reachable(const Graph& graph) {
  const std::size_t n = graph.node_count();
  std::vector<std::vector<bool>> r(n, std::vector<bool>(n, false));
  for (const auto& [from, to] : edges_of(graph)) r[std::size_t(from)][std::size_t(to)] = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (r[i][k] && r[k][j]) r[i][j] = true;
  return r;
}

}  // namespace mct::testing
