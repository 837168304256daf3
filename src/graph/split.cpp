// Splits of edges: basic edges are trained, and some of the others are held out.
#include "mctensor/graph/split.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

void check(const SplitOptions& options) {
  double sum = 0;
  for (const auto& [name, percent] :
       {std::pair("percent", options.percent), std::pair("validation", options.validation),
        std::pair("test", options.test)}) {
    if (!(percent >= 0 && percent <= 100))
      throw DomainError("split_edges: " + std::string(name) + " " + number_text(percent) +
                        " is not a percentage");
    sum += percent;
  }
  if (sum > 100)
    throw DomainError("split_edges: " + number_text(options.percent) + " for training, " +
                      number_text(options.validation) + " for validation and " +
                      number_text(options.test) + " for the test are more than 100 %");
}

}  // namespace

EdgeSplit split_edges(const Graph& graph, const SplitOptions& options) {
  check(options);
  std::vector<std::uint8_t> train = basic_edges(graph);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < train.size(); ++i)
    if (train[i] == 0) others.push_back(i);
  shuffle(others, Draws(options.seed, draws_of_splits));
  const auto share = [&](double percent) {
    return std::size_t(std::floor(double(others.size()) * percent / 100));
  };
  // test, validation, training, and the edges that are left out
  std::vector<std::uint8_t> validation(train.size(), 0);
  std::vector<std::uint8_t> test(train.size(), 0);
  std::size_t next = 0;
  for (const auto& [keep, percent] :
       {std::pair(&test, options.test), std::pair(&validation, options.validation),
        std::pair(&train, options.percent)})
    for (std::size_t end = std::min(next + share(percent), others.size()); next < end; ++next)
      (*keep)[others[next]] = 1;
  return {edges_where(graph, train), edges_where(graph, validation), edges_where(graph, test)};
}

Graph without_roots(const Graph& graph) {
  std::vector<std::uint8_t> has_parent(graph.node_count(), 0);
  for (const std::int32_t v : graph.sources()) has_parent[std::size_t(v)] = 1;
  std::vector<std::uint8_t> keep(graph.node_count(), 0);
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    const auto child = std::size_t(graph.sources()[i]);
    const auto parent = std::size_t(graph.targets()[i]);
    if (has_parent[parent] != 0) keep[child] = keep[parent] = 1;
  }
  return nodes_where(graph, keep);
}

}  // namespace mct::embed
