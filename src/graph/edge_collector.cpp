// Edges between names, on their way to a graph.
#include "src/graph/edge_collector.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "src/graph/node_names.hpp"

namespace mct::embed {
namespace {

constexpr std::uint64_t most_edges = UINT32_MAX;
constexpr std::size_t most_pending_edges = 256;
constexpr std::size_t most_pending_characters = std::size_t(1) << 20;

/// 1 for each edge that is the first of its two nodes.
std::vector<std::uint8_t> first_ones(const Graph& graph) {
  const std::size_t nodes = graph.node_count();
  const std::size_t edges = graph.edge_count();
  std::vector<std::uint32_t> begin(nodes + 1, 0);
  for (const std::int32_t source : graph.sources()) ++begin[std::size_t(source) + 1];
  for (std::size_t v = 0; v < nodes; ++v) begin[v + 1] += begin[v];
  std::vector<std::uint32_t> edges_from(edges);
  {
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < edges; ++i)
      edges_from[next[std::size_t(graph.sources()[i])]++] = std::uint32_t(i);
  }
  std::vector<std::uint8_t> first(edges, 0);
  std::vector<std::int32_t> last_source(nodes, -1);  // that has an edge to this node
  for (std::size_t v = 0; v < nodes; ++v)
    for (std::uint32_t k = begin[v]; k < begin[v + 1]; ++k) {
      const std::uint32_t i = edges_from[k];
      std::int32_t& seen = last_source[std::size_t(graph.targets()[i])];
      first[i] = seen == std::int32_t(v) ? 0 : 1;
      seen = std::int32_t(v);
    }
  return first;
}

}  // namespace

void EdgeCollector::add(std::string_view first, std::string_view second, std::size_t place,
                        double weight) {
  if (++added_ > most_edges) fail_(place, "more than " + std::to_string(most_edges) + " edges");
  add_name(first);
  add_name(second);
  pending_.places.push_back(place);
  pending_.weights.push_back(weight);
  if (pending_.places.size() >= most_pending_edges ||
      pending_.characters.size() >= most_pending_characters)
    flush();
}

void EdgeCollector::add_name(std::string_view name) {
  pending_.characters += name;
  pending_.ends.push_back(pending_.characters.size());
}

void EdgeCollector::flush() {
  const std::string_view characters = pending_.characters;
  pending_.names.clear();
  for (std::size_t begin = 0; const std::size_t end : pending_.ends) {
    pending_.names.push_back(characters.substr(begin, end - begin));
    begin = end;
  }
  pending_.numbers.resize(pending_.names.size());
  try {
    names_->enter_all(pending_.names, pending_.numbers);
  } catch (const DomainError& error) {
    fail_(pending_.places.back(), error.what());
  }
  check_names();
  for (std::size_t i = 0; i < pending_.places.size(); ++i) {
    const std::int32_t source = pending_.numbers[2 * i + (parent_first_ ? 1 : 0)];
    const std::int32_t target = pending_.numbers[2 * i + (parent_first_ ? 0 : 1)];
    if (source == target) {
      ++self_loops_;
      continue;
    }
    sources_.push_back(source);
    targets_.push_back(target);
    if (weighted_) weights_.push_back(pending_.weights[i]);
  }
  pending_.characters.clear();
  pending_.ends.clear();
  pending_.places.clear();
  pending_.weights.clear();
}

/// New names have the next numbers, in the order of the edges.
void EdgeCollector::check_names() {
  for (std::size_t k = 0; checked_ < names_->size(); ++k) {
    if (std::size_t(pending_.numbers[k]) != checked_) continue;
    ++checked_;
    if (const std::string problem = problem_of_name(pending_.names[k]); !problem.empty())
      fail_(pending_.places[k / 2], problem);
  }
}

Graph EdgeCollector::graph() {
  flush();
  Graph all(std::move(names_), std::move(sources_), std::move(targets_), std::move(weights_));
  const std::vector<std::uint8_t> first = first_ones(all);
  duplicates_ = std::uint64_t(std::count(first.begin(), first.end(), 0));
  return duplicates_ == 0 ? std::move(all) : edges_where(all, first);
}

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
      edges.flush();  // faults of earlier edges come first
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
