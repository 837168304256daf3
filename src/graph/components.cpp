#include "mctensor/graph/components.hpp"

#include <algorithm>
#include <numeric>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

/// Tarjan's search, with a stack of its own: a chain may be as long as memory allows.
class StrongSearch {
 public:
  explicit StrongSearch(const Adjacency& successors)
      : successors_(successors), entered_(successors.size(), 0), lowest_(successors.size(), 0) {
    result_.of.assign(successors.size(), -1);
  }

  Components run() {
    for (std::size_t v = 0; v < entered_.size(); ++v) {
      if (entered_[v] != 0) continue;
      enter(std::int32_t(v));
      while (!path_.empty()) advance();
    }
    return std::move(result_);
  }

 private:
  struct Step {
    std::int32_t node;
    std::size_t next;  // of its successors
  };

  void enter(std::int32_t node) {
    entered_[std::size_t(node)] = lowest_[std::size_t(node)] = ++clock_;
    open_.push_back(node);
    path_.push_back({node, 0});
  }

  void advance() {
    Step& step = path_.back();
    const std::int32_t node = step.node;
    const auto row = successors_[node];
    if (step.next < row.size()) {
      const std::int32_t to = row[step.next++];
      if (entered_[std::size_t(to)] == 0) {
        enter(to);  // step is no longer valid
      } else if (result_.of[std::size_t(to)] < 0) {
        lower(node, entered_[std::size_t(to)]);
      }
      return;
    }
    path_.pop_back();
    if (!path_.empty()) lower(path_.back().node, lowest_[std::size_t(node)]);
    if (lowest_[std::size_t(node)] == entered_[std::size_t(node)]) close(node);
  }

  void lower(std::int32_t node, std::uint32_t clock) {
    lowest_[std::size_t(node)] = std::min(lowest_[std::size_t(node)], clock);
  }

  /// The nodes that were entered since this node and are not closed are its component.
  void close(std::int32_t node) {
    for (std::int32_t member = -1; member != node;) {
      member = open_.back();
      open_.pop_back();
      result_.of[std::size_t(member)] = result_.count;
    }
    ++result_.count;
  }

  const Adjacency& successors_;
  std::vector<std::uint32_t> entered_;  // when; 0: not yet
  std::vector<std::uint32_t> lowest_;   // of the open nodes that it reaches
  std::vector<std::int32_t> open_;
  std::vector<Step> path_;
  std::uint32_t clock_ = 0;
  Components result_;
};

/// A shortest way from a node back to itself within its strong component, by breadth.
std::vector<std::int32_t> shortest_cycle(const Adjacency& successors, const Components& strong,
                                         std::int32_t start) {
  std::vector<std::int32_t> before(successors.size(), -1);
  std::vector<std::int32_t> open = {start};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const std::int32_t node = open[next];
    for (const std::int32_t to : successors[node]) {
      if (to == start) {
        std::vector<std::int32_t> cycle = {node};
        while (cycle.back() != start) cycle.push_back(before[std::size_t(cycle.back())]);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      const bool within = strong.of[std::size_t(to)] == strong.of[std::size_t(start)];
      if (!within || before[std::size_t(to)] >= 0) continue;
      before[std::size_t(to)] = node;
      open.push_back(to);
    }
  }
  return {};
}

/// 1 for each strong component that has a cycle.
std::vector<std::uint8_t> cyclic_ones(const Graph& graph, const Components& strong) {
  const std::vector<std::int32_t> sizes = strong.sizes();
  std::vector<std::uint8_t> cyclic(sizes.size(), 0);
  for (std::size_t c = 0; c < sizes.size(); ++c) cyclic[c] = sizes[c] > 1 ? 1 : 0;
  for (std::size_t i = 0; i < graph.edge_count(); ++i)
    if (const auto v = std::size_t(graph.sources()[i]); graph.sources()[i] == graph.targets()[i])
      cyclic[std::size_t(strong.of[v])] = 1;
  return cyclic;
}

}  // namespace

std::vector<std::int32_t> Components::sizes() const {
  std::vector<std::int32_t> sizes(std::size_t(count), 0);
  for (const std::int32_t c : of) ++sizes[std::size_t(c)];
  return sizes;
}

Components weak_components(const Graph& graph) {
  // a forest whose trees are the components; the lowest number of each is its root
  std::vector<std::int32_t> above(graph.node_count());
  std::iota(above.begin(), above.end(), 0);
  const auto root_of = [&](std::int32_t node) {
    while (above[std::size_t(node)] != node) {
      std::int32_t& up = above[std::size_t(node)];
      up = above[std::size_t(up)];
      node = up;
    }
    return node;
  };
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    const std::int32_t a = root_of(graph.sources()[i]);
    const std::int32_t b = root_of(graph.targets()[i]);
    above[std::size_t(std::max(a, b))] = std::min(a, b);
  }
  Components result;
  result.of.resize(graph.node_count());
  for (std::size_t v = 0; v < result.of.size(); ++v) {
    const std::int32_t root = root_of(std::int32_t(v));
    result.of[v] = root == std::int32_t(v) ? result.count++ : result.of[std::size_t(root)];
  }
  return result;
}

Components strong_components(const Adjacency& successors) { return StrongSearch(successors).run(); }

Graph largest_component(const Graph& graph) {
  const Components weak = weak_components(graph);
  if (weak.count <= 1) return graph;
  const std::vector<std::int32_t> sizes = weak.sizes();
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  std::vector<std::uint8_t> keep(graph.node_count());
  for (std::size_t v = 0; v < keep.size(); ++v) keep[v] = weak.of[v] == largest ? 1 : 0;
  return nodes_where(graph, keep);
}

Cycles find_cycles(const Graph& graph) {
  const Adjacency up = successors(graph);
  return find_cycles(graph, up, strong_components(up));
}

Cycles find_cycles(const Graph& graph, const Adjacency& up, const Components& strong) {
  const std::vector<std::uint8_t> cyclic = cyclic_ones(graph, strong);
  Cycles cycles;
  cycles.components = std::size_t(std::count(cyclic.begin(), cyclic.end(), 1));
  for (std::size_t v = 0; v < strong.of.size(); ++v) {
    if (cyclic[std::size_t(strong.of[v])] == 0) continue;
    if (cycles.nodes++ == 0) cycles.example = shortest_cycle(up, strong, std::int32_t(v));
  }
  return cycles;
}

std::string cycle_text(const Graph& graph, const std::vector<std::int32_t>& cycle) {
  if (cycle.empty()) return "";
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, cycle.size()); ++i)
    text += shortened(graph.name(cycle[i])) + " -> ";
  if (cycle.size() > shown) text += "... -> ";
  text += shortened(graph.name(cycle.front()));
  return cycle.size() > shown ? text + " (" + std::to_string(cycle.size()) + " nodes)" : text;
}

std::vector<std::int32_t> order_from_roots(const Graph& graph) {
  const Adjacency up = successors(graph);
  const Components strong = strong_components(up);
  const Cycles cycles = find_cycles(graph, up, strong);
  if (cycles.components > 0)
    throw DomainError("the graph has cycles through " + std::to_string(cycles.nodes) +
                      " of its nodes: " + cycle_text(graph, cycles.example));
  std::vector<std::int32_t> order(graph.node_count());
  for (std::size_t v = 0; v < order.size(); ++v) order[std::size_t(strong.of[v])] = std::int32_t(v);
  return order;
}

}  // namespace mct::embed
