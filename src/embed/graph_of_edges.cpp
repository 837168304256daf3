// Graphs of edges that a program has.
#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/read_graph.hpp"
#include "mctensor/error.hpp"
#include "src/embed/edge_collector.hpp"

namespace mct::embed {

Graph graph_of_edges(std::span<const std::string> first, std::span<const std::string> second,
                     std::span<const double> weights, bool parent_first, EdgeListReport* report) {
  if (first.size() != second.size() || (!weights.empty() && weights.size() != first.size()))
    throw ShapeError("graph_of_edges: columns of " + std::to_string(first.size()) + ", " +
                     std::to_string(second.size()) + " and " + std::to_string(weights.size()) +
                     " edges");
  const auto fail = [](std::size_t edge, const std::string& what) {
    throw DomainError("edge " + std::to_string(edge) + ": " + what);
  };
  EdgeCollector edges(!weights.empty(), parent_first, fail);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    if (!std::isfinite(weight) || weight < 0) {
      edges.flush();  // what is wrong with those before comes first
      fail(i, "the weight is " + number_text(weight) + ", not a finite number >= 0");
    }
    edges.add(first[i], second[i], i, weight);
  }
  Graph graph = edges.graph();
  if (report != nullptr) {
    *report = {};
    report->edges = edges.added();
    report->duplicates = edges.duplicates();
    report->self_loops = edges.self_loops();
  }
  return graph;
}

}  // namespace mct::embed
