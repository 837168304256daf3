// Counts and Gromov's delta.
#include "mctensor/graph/statistics.hpp"

#include <gtest/gtest.h>

#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

Graph cycle(int nodes) {
  Edges edges;
  for (int v = 0; v < nodes; ++v) edges.emplace_back(v, (v + 1) % nodes);
  return graph_of(nodes, edges);
}

Graph random_tree(int nodes, unsigned seed) {
  std::mt19937 random(seed);
  Edges edges;
  for (int v = 1; v < nodes; ++v) edges.emplace_back(v, int(random() % unsigned(v)));
  return graph_of(nodes, edges);
}

TEST(Statistics, OfASmallHierarchy) {
  // 0 <- 1 <- 3, 0 <- 2, 3 -> 2 as well; 4 <- 5; 6 alone
  const Graph graph = graph_of(7, {{1, 0}, {2, 0}, {3, 1}, {3, 2}, {5, 4}});
  const GraphStatistics s = statistics(graph);
  EXPECT_EQ(s.nodes, 7u);
  EXPECT_EQ(s.edges, 5u);
  EXPECT_EQ(s.roots, 3u);   // 0, 4, 6
  EXPECT_EQ(s.leaves, 3u);  // 3, 5, 6
  EXPECT_EQ(s.depth, 2);
  EXPECT_EQ(s.mean_children, 1.25);
  EXPECT_EQ(s.most_children, 2u);
  EXPECT_EQ(s.most_children_at, 0);
  EXPECT_EQ(s.components, 3u);
  EXPECT_EQ(s.largest_component, 4u);
  EXPECT_EQ(s.cycles.components, 0u);
}

TEST(Statistics, DepthIsThatOfTheClosure) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Graph graph = random_graph(25, 0.1, true, seed);
    EXPECT_EQ(statistics(graph).depth, statistics(transitive_closure(graph)).depth);
  }
}

TEST(Statistics, OfCyclesAndOfNothing) {
  const GraphStatistics s = statistics(cycle(5));
  EXPECT_FALSE(s.depth.has_value());
  EXPECT_EQ(s.cycles.nodes, 5u);
  EXPECT_EQ(s.roots, 0u);
  const GraphStatistics nothing = statistics(Graph());
  EXPECT_EQ(nothing.nodes, 0u);
  EXPECT_EQ(nothing.most_children_at, -1);
  const GraphStatistics one = statistics(graph_of(1, {}));
  EXPECT_EQ(one.depth, 0);
  EXPECT_EQ(one.components, 1u);
}

TEST(Hyperbolicity, OfATreeIsZero) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Hyperbolicity h = hyperbolicity(random_tree(300, seed), {60, seed, {}});
    EXPECT_EQ(h.largest, 0);
    EXPECT_EQ(h.mean, 0);
    EXPECT_EQ(h.nodes, 60u);
    EXPECT_EQ(h.of_nodes, 300u);
    EXPECT_EQ(h.quadruples, 60u * 59 * 58 * 57 / 24);
    EXPECT_GT(h.diameter, 0);
  }
}

TEST(Hyperbolicity, OfACycle) {
  for (int n = 4; n <= 30; ++n) {
    const Hyperbolicity h = hyperbolicity(cycle(n));
    // a quarter of the way round; 4 k + 1 nodes have no four at equal distances
    const double expected = n % 4 == 1 ? double(n / 4) - 0.5 : double(n / 4);
    EXPECT_EQ(h.largest, expected) << n << " nodes";
    EXPECT_EQ(h.diameter, n / 2);
    EXPECT_EQ(h.nodes, std::size_t(n));
  }
  // of the three sums of C_4's only quadruple the larger are 4 and 2
  const Hyperbolicity square = hyperbolicity(cycle(4));
  EXPECT_EQ(square.mean, 1);
  EXPECT_EQ(square.relative(square.largest), 1);
}

TEST(Hyperbolicity, MeanByDefinition) {
  const Graph graph = random_graph(12, 0.25, false, 3);
  const Graph connected = largest_component(graph);
  const std::size_t n = connected.node_count();
  constexpr int far = 1000;
  std::vector<std::vector<int>> d(n, std::vector<int>(n, far));
  for (std::size_t v = 0; v < n; ++v) d[v][v] = 0;
  for (const auto& [a, b] : edges_of(connected))
    d[std::size_t(a)][std::size_t(b)] = d[std::size_t(b)][std::size_t(a)] = 1;
  for (std::size_t k = 0; k < n; ++k)  // Floyd 1962
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  double sum = 0;
  double count = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      for (std::size_t c = b + 1; c < n; ++c)
        for (std::size_t e = c + 1; e < n; ++e) {
          std::vector<int> sums = {d[a][b] + d[c][e], d[a][c] + d[b][e], d[a][e] + d[b][c]};
          std::sort(sums.begin(), sums.end());
          sum += (sums[2] - sums[1]) / 2.0;
          ++count;
        }
  EXPECT_GT(sum, 0);
  EXPECT_DOUBLE_EQ(hyperbolicity(graph).mean, sum / count);
}

TEST(Hyperbolicity, DependsOnTheSeedNotOnTheThreads) {
  const Graph graph = random_graph(400, 0.008, false, 1);
  const int threads = num_threads();
  set_num_threads(1);
  const Hyperbolicity one = hyperbolicity(graph, {30, 7, {}});
  set_num_threads(4);
  const Hyperbolicity four = hyperbolicity(graph, {30, 7, {}});
  set_num_threads(threads);
  EXPECT_EQ(one.mean, four.mean);
  EXPECT_EQ(one.diameter, four.diameter);
  EXPECT_NE(one.mean, hyperbolicity(graph, {30, 8, {}}).mean);
  EXPECT_TRUE(contains(message_of<DomainError>([&] {
                         hyperbolicity(graph, {501, 0, {}});
                       }),
                       "501 nodes; at most 500 are possible"));
  EXPECT_EQ(hyperbolicity(Graph()).nodes, 0u);
}

}  // namespace
}  // namespace mct::embed
