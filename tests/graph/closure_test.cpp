// Closure and reduction, against the definition.
#include "mctensor/graph/closure.hpp"

#include <gtest/gtest.h>

#include "mctensor/error.hpp"
#include "mctensor/graph/components.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

Edges closure_by_definition(const Graph& graph) {
  const auto reaches = reachable(graph);
  Edges edges;
  for (std::size_t a = 0; a < reaches.size(); ++a)
    for (std::size_t b = 0; b < reaches.size(); ++b)
      if (reaches[a][b]) edges.emplace_back(int(a), int(b));
  return edges;
}

/// An edge is basic if no other node lies between its ends.
std::vector<std::uint8_t> basic_by_definition(const Graph& graph) {
  const auto reaches = reachable(graph);
  std::vector<std::uint8_t> basic;
  for (const auto& [a, b] : edges_of(graph)) {
    bool between = false;
    for (std::size_t v = 0; v < reaches.size(); ++v)
      between = between || (reaches[std::size_t(a)][v] && reaches[v][std::size_t(b)]);
    basic.push_back(between ? 0 : 1);
  }
  return basic;
}

TEST(Closure, RandomGraphsWithoutCycles) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int nodes = 1 + int(seed % 30);
    const Graph graph = random_graph(nodes, 0.02 * double(seed % 17), true, seed);
    const Graph closure = transitive_closure(graph);
    EXPECT_EQ(edges_of(closure), closure_by_definition(graph)) << "seed " << seed;
    EXPECT_EQ(closure.node_count(), graph.node_count());
    EXPECT_EQ(edges_of(transitive_closure(closure)), edges_of(closure));
    EXPECT_EQ(basic_edges(graph), basic_by_definition(graph)) << "seed " << seed;
    // the basic edges of the closure are those of the graph
    const Graph reduced = edges_where(graph, basic_edges(graph));
    Edges of_graph = edges_of(reduced);
    std::sort(of_graph.begin(), of_graph.end());
    EXPECT_EQ(edges_of(edges_where(closure, basic_edges(closure))), of_graph);
    EXPECT_EQ(edges_of(transitive_closure(reduced)), edges_of(closure));
  }
}

TEST(Closure, RefusesCycles) {
  const Graph graph = graph_of(5, {{4, 3}, {3, 2}, {2, 1}, {1, 3}, {0, 4}});
  for (const auto& message : {message_of<DomainError>([&] { transitive_closure(graph); }),
                              message_of<DomainError>([&] { basic_edges(graph); })})
    EXPECT_TRUE(contains(message, "cycles through 3 of its nodes: '1' -> '3' -> '2' -> '1'"))
        << message;
}

TEST(Closure, AnEdgeToItselfIsACycle) {
  const Graph graph = graph_of(2, {{0, 1}, {1, 1}});
  EXPECT_TRUE(contains(message_of<DomainError>([&] { transitive_closure(graph); }), "'1' -> '1'"));
}

TEST(Closure, StopsAtTheLimit) {
  const Graph chain = graph_of(4, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(transitive_closure(chain, 6).edge_count(), 6u);
  EXPECT_TRUE(contains(message_of<DomainError>([&] { transitive_closure(chain, 5); }),
                       "more than 5 edges"));
}

TEST(Closure, LongChainsNeedNoStack) {
  Edges edges;
  for (int v = 1; v < 200000; ++v) edges.emplace_back(v, v - 1);
  const Graph chain = graph_of(200000, edges);
  EXPECT_EQ(order_from_roots(chain).back(), 199999);
  const auto basic = basic_edges(chain);
  EXPECT_EQ(std::count(basic.begin(), basic.end(), 1), 199999);
}

TEST(Closure, ReportsProgress) {
  const Graph chain = graph_of(3, {{0, 1}, {1, 2}});
  std::vector<std::size_t> done;
  const auto note = [&](std::size_t n) { done.push_back(n); };
  transitive_closure(chain, 100, note);
  basic_edges(chain, note);
  EXPECT_EQ(done, (std::vector<std::size_t>{1, 2, 3, 1, 2, 3}));
}

}  // namespace
}  // namespace mct::embed
