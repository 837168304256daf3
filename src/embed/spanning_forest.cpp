// A tree for every root of a graph.
#include "mctensor/embed/spanning_forest.hpp"

#include <cstddef>

namespace mct::embed {
namespace {

/// The search by breadth, which goes on where it stopped.
class Search {
 public:
  Search(const Graph& graph, SpanningForest& forest)
      : below_(predecessors(graph)), forest_(forest), reached_(graph.node_count(), 0) {}

  void add_root(std::int32_t node) {
    if (reached_[std::size_t(node)] == 0) reach(node, -1, 0);
  }
  void run() {
    for (; next_ < forest_.order.size(); ++next_) {
      const std::int32_t node = forest_.order[next_];
      for (const std::int32_t child : below_[node])
        if (reached_[std::size_t(child)] == 0)
          reach(child, node, forest_.depth[std::size_t(node)] + 1);
    }
  }

 private:
  void reach(std::int32_t node, std::int32_t parent, std::int32_t depth) {
    reached_[std::size_t(node)] = 1;
    forest_.parent[std::size_t(node)] = parent;
    forest_.depth[std::size_t(node)] = depth;
    forest_.order.push_back(node);
  }

  Adjacency below_;
  SpanningForest& forest_;
  std::vector<std::uint8_t> reached_;
  std::size_t next_ = 0;
};

}  // namespace

SpanningForest spanning_forest(const Graph& graph) {
  const std::size_t count = graph.node_count();
  SpanningForest forest;
  forest.parent.resize(count);
  forest.depth.resize(count);
  forest.size.assign(count, 1);
  forest.order.reserve(count);
  std::vector<std::uint8_t> has_parent(count, 0);
  for (const std::int32_t source : graph.sources()) has_parent[std::size_t(source)] = 1;
  Search search(graph, forest);
  for (std::size_t v = 0; v < count; ++v)
    if (has_parent[v] == 0) search.add_root(std::int32_t(v));
  search.run();
  for (std::size_t v = 0; v < count; ++v) {
    search.add_root(std::int32_t(v));
    search.run();
  }
  for (std::size_t i = count; i-- > 0;) {
    const std::int32_t node = forest.order[i];
    const std::int32_t parent = forest.parent[std::size_t(node)];
    if (parent >= 0) forest.size[std::size_t(parent)] += forest.size[std::size_t(node)];
  }
  return forest;
}

}  // namespace mct::embed
