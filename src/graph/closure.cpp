// Closure and reduction, node by node from the roots on.
#include "mctensor/graph/closure.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mctensor/error.hpp"
#include "mctensor/graph/components.hpp"

namespace mct::embed {
namespace {

/// Nodes of a graph that have been seen since the last forget(), which costs nothing.
class Marks {
 public:
  explicit Marks(std::size_t nodes) : seen_(nodes, 0) {}
  void forget() { ++now_; }
  /// True for the first time.
  bool set(std::int32_t node) { return std::exchange(seen_[std::size_t(node)], now_) != now_; }

 private:
  std::vector<std::uint32_t> seen_;
  std::uint32_t now_ = 1;
};

/// The places of the nodes in an order.
std::vector<std::int32_t> places_in(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[std::size_t(order[i])] = std::int32_t(i);
  return place;
}

}  // namespace

Graph transitive_closure(const Graph& graph, std::uint64_t most_edges,
                         const std::function<void(std::size_t)>& progress) {
  const std::vector<std::int32_t> order = order_from_roots(graph);
  const Adjacency up = successors(graph);
  // row v: reached[begin[v]] ... reached[end[v] - 1], in the order in which nodes are done
  std::vector<std::size_t> begin(graph.node_count());
  std::vector<std::size_t> end(graph.node_count());
  std::vector<std::int32_t> reached;
  Marks marks(graph.node_count());
  std::size_t done = 0;
  for (const std::int32_t v : order) {
    marks.forget();
    begin[std::size_t(v)] = reached.size();
    for (const std::int32_t to : up[v]) {
      if (!marks.set(to)) continue;  // and so are the nodes that it reaches
      reached.push_back(to);
      for (std::size_t i = begin[std::size_t(to)]; i < end[std::size_t(to)]; ++i)
        if (marks.set(reached[i])) reached.push_back(reached[i]);
    }
    end[std::size_t(v)] = reached.size();
    std::sort(reached.begin() + std::ptrdiff_t(begin[std::size_t(v)]), reached.end());
    if (reached.size() > most_edges)
      throw DomainError("the transitive closure has more than " + std::to_string(most_edges) +
                        " edges");
    if (progress) progress(++done);
  }
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;
  sources.reserve(reached.size());
  targets.reserve(reached.size());
  for (std::size_t v = 0; v < graph.node_count(); ++v)
    for (std::size_t i = begin[v]; i < end[v]; ++i) {
      sources.push_back(std::int32_t(v));
      targets.push_back(reached[i]);
    }
  return {graph.names(), std::move(sources), std::move(targets)};
}

std::vector<std::uint8_t> basic_edges(const Graph& graph,
                                      const std::function<void(std::size_t)>& progress) {
  const std::vector<std::int32_t> place = places_in(order_from_roots(graph));
  const auto place_of = [&](std::int32_t v) { return place[std::size_t(v)]; };
  const Adjacency up = successors(graph);
  const std::size_t nodes = graph.node_count();
  // basic[v]: the nearest targets of v, to which no longer way leads
  std::vector<std::vector<std::int32_t>> basic(nodes);
  Marks marks(nodes);
  std::vector<std::int32_t> open;
  for (std::size_t v = 0; v < nodes; ++v) {
    const auto row = up[std::int32_t(v)];
    std::vector<std::int32_t> targets(row.begin(), row.end());
    std::sort(targets.begin(), targets.end(),
              [&](std::int32_t a, std::int32_t b) { return place_of(a) > place_of(b); });
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    marks.forget();
    for (const std::int32_t target : targets) {
      // nodes that reach this one stand behind it in the order, and have been examined
      if (!marks.set(target)) continue;
      basic[v].push_back(target);
      open.push_back(target);
      while (!open.empty()) {
        const std::int32_t at = open.back();
        open.pop_back();
        for (const std::int32_t to : up[at])
          if (place_of(to) >= place_of(targets.back()) && marks.set(to)) open.push_back(to);
      }
    }
    std::sort(basic[v].begin(), basic[v].end());
    if (progress) progress(v + 1);
  }
  std::vector<std::uint8_t> result(graph.edge_count(), 0);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& of_source = basic[std::size_t(graph.sources()[i])];
    const bool found = std::binary_search(of_source.begin(), of_source.end(), graph.targets()[i]);
    result[i] = found ? 1 : 0;
  }
  return result;
}

}  // namespace mct::embed
