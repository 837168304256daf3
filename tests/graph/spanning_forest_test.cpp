// A tree for every root of a graph.
#include "mctensor/graph/spanning_forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;
using testing::random_graph;
using Nodes = std::vector<std::int32_t>;

TEST(SpanningForest, TakesTheShortestWay) {
  // 3 hangs on 0 directly and through 1, 4 on 1 and 2; 5 is alone
  const auto forest =
      spanning_forest(graph_of(6, {{1, 0}, {2, 1}, {3, 1}, {3, 0}, {4, 2}, {4, 1}}));
  EXPECT_EQ(forest.parent, (Nodes{-1, 0, 1, 0, 1, -1}));
  EXPECT_EQ(forest.depth, (Nodes{0, 1, 2, 1, 2, 0}));
  EXPECT_EQ(forest.size, (Nodes{5, 3, 1, 1, 1, 1}));
}

TEST(SpanningForest, BreaksCycles) {
  // 1 -> 2 -> 3 -> 1 with 0 below 3, and 4 <-> 5 above which is 6
  const auto forest =
      spanning_forest(graph_of(7, {{1, 2}, {2, 3}, {3, 1}, {0, 3}, {4, 5}, {5, 4}, {5, 6}}));
  EXPECT_EQ(forest.parent, (Nodes{3, -1, 3, 1, 5, 6, -1}));
  EXPECT_EQ(forest.size, (Nodes{1, 4, 1, 3, 1, 2, 3}));
}

TEST(SpanningForest, OfRandomGraphsIsOne) {
  for (const bool acyclic : {true, false})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Graph graph = random_graph(30, 0.06, acyclic, seed);
      const auto forest = spanning_forest(graph);
      ASSERT_EQ(forest.order.size(), 30u);
      const Adjacency above = successors(graph);
      std::vector<int> sizes(30, 1), seen(30, 0);
      for (std::size_t i = 30; i-- > 0;) {
        const auto node = std::size_t(forest.order[i]);
        EXPECT_EQ(++seen[node], 1);
        EXPECT_EQ(forest.size[node], sizes[node]);
        const std::int32_t parent = forest.parent[node];
        if (parent < 0) {
          EXPECT_EQ(forest.depth[node], 0);
          if (acyclic) {
            EXPECT_TRUE(above[std::int32_t(node)].empty());
          }
          continue;
        }
        sizes[std::size_t(parent)] += sizes[node];
        EXPECT_EQ(seen[std::size_t(parent)], 0) << "before its child";
        const auto row = above[std::int32_t(node)];
        EXPECT_TRUE(std::find(row.begin(), row.end(), parent) != row.end());
        for (const std::int32_t other : row) {
          EXPECT_EQ(forest.depth[node], forest.depth[std::size_t(parent)] + 1);
          if (acyclic) {
            EXPECT_LE(forest.depth[node], forest.depth[std::size_t(other)] + 1);
          }
        }
      }
    }
}

}  // namespace
}  // namespace mct::embed
