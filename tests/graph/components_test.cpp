// Components, cycles and order, against reachability.
#include "mctensor/graph/components.hpp"

#include <gtest/gtest.h>

#include "mctensor/error.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

TEST(Components, StrongOnesReachEachOther) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Graph graph = random_graph(1 + int(seed % 25), 0.004 * double(seed), false, seed);
    const auto reaches = reachable(graph);
    const Components strong = strong_components(successors(graph));
    for (std::size_t a = 0; a < reaches.size(); ++a)
      for (std::size_t b = 0; b < reaches.size(); ++b)
        EXPECT_EQ(strong.of[a] == strong.of[b], a == b || (reaches[a][b] && reaches[b][a]))
            << "seed " << seed << ", nodes " << a << " and " << b;
    for (const auto& [from, to] : edges_of(graph))
      EXPECT_GE(strong.of[std::size_t(from)], strong.of[std::size_t(to)]) << "seed " << seed;
    for (const std::int32_t size : strong.sizes()) EXPECT_GT(size, 0);
  }
}

TEST(Components, CyclesAreCountedAndShown) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Graph graph = random_graph(1 + int(seed % 25), 0.004 * double(seed), false, seed);
    const auto reaches = reachable(graph);
    const Cycles cycles = find_cycles(graph);
    std::size_t nodes = 0;
    for (std::size_t v = 0; v < reaches.size(); ++v) nodes += reaches[v][v] ? 1 : 0;
    EXPECT_EQ(cycles.nodes, nodes) << "seed " << seed;
    EXPECT_EQ(cycles.example.empty(), nodes == 0);
    EXPECT_EQ(cycles.components == 0, nodes == 0);
    const Edges edges = edges_of(graph);
    for (std::size_t i = 0; i < cycles.example.size(); ++i) {
      const std::pair<int, int> step(cycles.example[i],
                                     cycles.example[(i + 1) % cycles.example.size()]);
      EXPECT_NE(std::find(edges.begin(), edges.end(), step), edges.end()) << "seed " << seed;
    }
  }
}

TEST(Components, ExampleIsAShortestCycleThroughItsNode) {
  // a round of four nodes, with a short cut
  const Graph graph = graph_of(5, {{1, 2}, {2, 3}, {3, 4}, {4, 1}, {2, 1}, {0, 1}});
  const Cycles cycles = find_cycles(graph);
  EXPECT_EQ(cycles.components, 1u);
  EXPECT_EQ(cycles.nodes, 4u);
  EXPECT_EQ(cycles.example, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(cycle_text(graph, cycles.example), "'1' -> '2' -> '1'");
}

TEST(Components, LongCyclesAreShortened) {
  Edges edges;
  for (int v = 0; v < 100; ++v) edges.emplace_back(v, (v + 1) % 100);
  const Graph graph = graph_of(100, edges);
  EXPECT_EQ(cycle_text(graph, find_cycles(graph).example),
            "'0' -> '1' -> '2' -> '3' -> '4' -> '5' -> ... -> '0' (100 nodes)");
}

TEST(Components, NoCycleHasNoText) {
  const Graph graph = graph_of(2, {{0, 1}});
  EXPECT_EQ(cycle_text(graph, find_cycles(graph).example), "");
  EXPECT_EQ(cycle_text(Graph(), {}), "");
  EXPECT_EQ(cycle_text(graph, {1}), "'1' -> '1'");
  EXPECT_EQ(message_of<DomainError>([&] {
              cycle_text(graph, {0, 2});
            }),
            "name: number 2, expected at least 0 and below 2");
}

TEST(Components, WeakOnesAndTheLargest) {
  const Graph graph = graph_of(7, {{5, 1}, {6, 1}, {4, 0}, {6, 2}});
  const Components weak = weak_components(graph);
  EXPECT_EQ(weak.count, 3);
  EXPECT_EQ(weak.of, (std::vector<std::int32_t>{0, 1, 1, 2, 0, 1, 1}));
  EXPECT_EQ(weak.sizes(), (std::vector<std::int32_t>{2, 4, 1}));
  const Graph largest = largest_component(graph);
  EXPECT_EQ(largest.node_count(), 4u);
  EXPECT_EQ(text_of(largest), "5>1 6>1 6>2");
  EXPECT_EQ(largest_component(graph_of(2, {})).node_count(), 1u);
  EXPECT_EQ(largest_component(Graph()).node_count(), 0u);
}

TEST(Components, WeakOnesOfRandomGraphs) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Graph graph = random_graph(30, 0.002 * double(seed), false, seed);
    Edges both = edges_of(graph);
    for (const auto& [from, to] : edges_of(graph)) both.emplace_back(to, from);
    const auto reaches = reachable(graph_of(30, both));
    const Components weak = weak_components(graph);
    for (std::size_t a = 0; a < 30; ++a)
      for (std::size_t b = 0; b < 30; ++b)
        EXPECT_EQ(weak.of[a] == weak.of[b], a == b || reaches[a][b]) << "seed " << seed;
  }
}

TEST(Components, OrderHasRootsFirst) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Graph graph = random_graph(20, 0.15, true, seed);
    const auto order = order_from_roots(graph);
    std::vector<std::int32_t> place(20, -1);
    for (std::size_t i = 0; i < order.size(); ++i) place[std::size_t(order[i])] = int(i);
    for (const auto& [from, to] : edges_of(graph))
      EXPECT_GT(place[std::size_t(from)], place[std::size_t(to)]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mct::embed
