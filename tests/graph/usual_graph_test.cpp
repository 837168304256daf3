// What is taken for a hierarchy, and what is embedded of others.
#include "mctensor/graph/usual_graph.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "mctensor/graph/closure.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

HierarchyVerdict verdict_of(const Graph& graph) {
  return hierarchy_verdict(graph, statistics(graph));
}

Edges edges_of_random_tree(int nodes, unsigned seed) {
  std::mt19937 random(seed);
  Edges edges;
  for (int v = 1; v < nodes; ++v) edges.emplace_back(v, int(random() % unsigned(v)));
  return edges;
}

Edges turned(Edges edges) {
  for (auto& [from, to] : edges) std::swap(from, to);
  return edges;
}

TEST(Hierarchy, IsWhatTreesAreWhicheverWayTheyAreWritten) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Edges tree = edges_of_random_tree(300, seed);
    for (const Edges& edges : {tree, turned(tree)}) {
      const Graph graph = graph_of(300, edges);
      EXPECT_TRUE(verdict_of(graph).is_hierarchy);
      EXPECT_TRUE(verdict_of(transitive_closure(graph)).is_hierarchy);
    }
  }
}

TEST(Hierarchy, MayHaveSeveralParentsRootsLongChainsAndNodesWithoutEdges) {
  EXPECT_TRUE(verdict_of(graph_of(4, {{3, 1}, {3, 2}, {1, 0}, {2, 0}})).is_hierarchy);
  Edges chain;
  for (int v = 1; v < 200; ++v) chain.emplace_back(v, v - 1);
  EXPECT_TRUE(verdict_of(graph_of(200, chain)).is_hierarchy);
  EXPECT_TRUE(verdict_of(transitive_closure(graph_of(200, chain))).is_hierarchy);
  EXPECT_TRUE(verdict_of(graph_of(9, {{1, 0}, {2, 0}, {4, 3}})).is_hierarchy);
}

TEST(Hierarchy, HasFewEndsBesideThoseOfItsComponents) {
  // a tree with one root, and others that its nodes lead to as well
  const auto with_roots = [](int nodes, int more) {
    Edges edges = edges_of_random_tree(nodes - more, 1);
    for (int root = nodes - more; root < nodes; ++root)
      for (int v = 1; v < nodes - more; ++v) edges.emplace_back(v, root);
    return graph_of(nodes, edges);
  };
  EXPECT_EQ(statistics(with_roots(40, 4)).roots, 5u);
  EXPECT_TRUE(verdict_of(with_roots(40, 4)).is_hierarchy);
  EXPECT_FALSE(verdict_of(with_roots(40, 5)).is_hierarchy);
  EXPECT_TRUE(verdict_of(with_roots(100, 6)).is_hierarchy);
  EXPECT_FALSE(verdict_of(with_roots(100, 7)).is_hierarchy);
  EXPECT_EQ(verdict_of(graph_of(4, {{1, 0}, {2, 0}, {3, 1}})).reason,
            "no cycles, chains of 2 edges at most, few ends: 1 above, 2 below, in 1 component");
}

TEST(Hierarchy, IsNoUndirectedListThatIsOrderedByNumber) {
  // every pair once, from the larger number to the smaller
  std::mt19937 random(3);
  Edges edges;
  for (int a = 0; a < 200; ++a)
    for (int b = 0; b < a; ++b)
      if (random() % 60 == 0) edges.emplace_back(a, b);
  const GraphStatistics s = statistics(graph_of(200, edges));
  const HierarchyVerdict verdict = verdict_of(graph_of(200, edges));
  EXPECT_FALSE(verdict.is_hierarchy);
  EXPECT_EQ(verdict.reason, std::to_string(s.roots) + " of 200 nodes have nothing above them, " +
                                std::to_string(s.leaves) + " nothing below, in " +
                                std::to_string(s.components) +
                                (s.components == 1 ? " component" : " components"));
}

TEST(Hierarchy, IsNoGridThoughItHasOneRootAndOneLeaf) {
  Edges edges;
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 30; ++j) {
      if (i > 0) edges.emplace_back(30 * i + j, 30 * (i - 1) + j);
      if (j > 0) edges.emplace_back(30 * i + j, 30 * i + j - 1);
    }
  EXPECT_EQ(verdict_of(graph_of(900, edges)).reason,
            "it has chains of 58 edges among 900 nodes, and is not a tree");
}

TEST(Hierarchy, HasNoCycles) {
  const Graph mutual = graph_of(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}});
  EXPECT_EQ(statistics(mutual).both_ways, 4u);
  EXPECT_EQ(verdict_of(mutual).reason, "4 of 5 edges are there in both directions");
  EXPECT_EQ(verdict_of(graph_of(3, {{0, 1}, {1, 2}, {2, 0}})).reason,
            "there are cycles, such as '0' -> '1' -> '2' -> '0'");
}

TEST(BothDirections, HaveEveryEdgeOnceWithItsWeight) {
  const Graph one = graph_of(4, {{2, 0}, {0, 1}, {1, 0}, {3, 3}});
  EXPECT_EQ(text_of(both_directions(one)), "0>1 0>2 1>0 2>0 3>3");
  EXPECT_FALSE(both_directions(one).has_weights());
  const Graph weighted(one.names(), one.sources(), one.targets(), {2, 3, 4, 5});
  EXPECT_EQ(both_directions(weighted).weights(), (std::vector<double>{3, 2, 4, 2, 5}));
  EXPECT_EQ(both_directions(Graph()).edge_count(), 0u);
}

TEST(UsualGraph, IsTheClosureOfAHierarchyAndBothDirectionsOfAnother) {
  const UsualGraph chain = usual_graph(graph_of(3, {{2, 1}, {1, 0}}));
  EXPECT_EQ(text_of(chain.graph), "1>0 2>0 2>1");
  EXPECT_EQ(chain.what, "the closure, 3 edges from each node to all above it");
  const Graph list = graph_of(3, {{2, 1}, {1, 0}});
  EXPECT_EQ(usual_graph(Graph(list.names(), list.sources(), list.targets(), {2, 3})).what,
            chain.what + "; it has no weights, so those of the list are not used");
  const UsualGraph closed = usual_graph(graph_of(3, {{2, 1}, {2, 0}, {1, 0}}));
  EXPECT_EQ(text_of(closed.graph), "2>1 2>0 1>0");
  EXPECT_EQ(closed.what, "the edges, which are their own closure");
  const UsualGraph cycle = usual_graph(graph_of(3, {{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(text_of(cycle.graph), "0>1 0>2 1>0 1>2 2>0 2>1");
  EXPECT_EQ(cycle.what,
            "no hierarchy (there are cycles, such as '0' -> '1' -> '2' -> '0'), so the edges as "
            "they are, not closed, and neighbours count on both sides");
  EXPECT_FALSE(cycle.is_hierarchy);
  EXPECT_FALSE(usual_neighbours(cycle.graph).is_hierarchy);
  EXPECT_TRUE(chain.is_hierarchy);
  EXPECT_EQ(usual_neighbours(graph_of(3, {{2, 1}, {1, 0}})).what, "the edges");
  EXPECT_EQ(text_of(usual_neighbours(graph_of(3, {{2, 1}, {1, 0}})).graph), "2>1 1>0");
}

}  // namespace
}  // namespace mct::embed
