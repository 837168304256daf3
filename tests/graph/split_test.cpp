// Splits of edges.
#include "mctensor/graph/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

using namespace testing;

std::set<std::pair<int, int>> set_of(const Graph& graph) {
  const Edges edges = edges_of(graph);
  return {edges.begin(), edges.end()};
}
std::size_t basic_count(const Graph& graph) {
  const auto flags = basic_edges(graph);
  return std::size_t(std::count(flags.begin(), flags.end(), 1));
}

TEST(Split, PartsAreDisjointAndOfTheirSizes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Graph graph = transitive_closure(random_graph(40, 0.1, true, seed));
    const auto basic = edges_where(graph, basic_edges(graph));
    const std::size_t others = graph.edge_count() - basic.edge_count();
    for (const double percent : {0.0, 25.0, 90.0}) {
      const EdgeSplit split = split_edges(graph, {percent, 5, 5, seed});
      const auto share = [&](double p) {
        return std::size_t(std::floor(double(others) * p / 100));
      };
      EXPECT_EQ(split.train.edge_count(), basic.edge_count() + share(percent));
      EXPECT_EQ(split.validation.edge_count(), share(5));
      EXPECT_EQ(split.test.edge_count(), share(5));
      auto all = set_of(split.train);
      for (const auto& edge : set_of(basic)) EXPECT_TRUE(all.contains(edge));
      for (const Graph* const held : {&split.validation, &split.test})
        for (const auto& edge : set_of(*held)) {
          EXPECT_TRUE(all.insert(edge).second);  // nowhere else
          EXPECT_TRUE(set_of(graph).contains(edge));
        }
      EXPECT_EQ(split.train.names(), graph.names());
    }
  }
}

TEST(Split, DependsOnTheSeedAndGrowsWithThePercentage) {
  const Graph graph = transitive_closure(random_graph(60, 0.1, true, 3));
  const EdgeSplit a = split_edges(graph, {10, 5, 5, 1});
  const EdgeSplit again = split_edges(graph, {10, 5, 5, 1});
  const EdgeSplit other = split_edges(graph, {10, 5, 5, 2});
  const EdgeSplit more = split_edges(graph, {50, 5, 5, 1});
  EXPECT_EQ(edges_of(a.train), edges_of(again.train));
  EXPECT_EQ(edges_of(a.test), edges_of(again.test));
  EXPECT_NE(edges_of(a.test), edges_of(other.test));
  EXPECT_EQ(edges_of(a.test), edges_of(more.test));
  EXPECT_EQ(edges_of(a.validation), edges_of(more.validation));
  const auto larger = set_of(more.train);
  for (const auto& edge : set_of(a.train)) EXPECT_TRUE(larger.contains(edge));
}

/// The counts of Yu 2024, table A.1.
TEST(Split, MammalsWithoutTheirRoot) {
  const Graph graph = without_roots(read_graph(MCT_SOURCE_DATA_DIR "/wordnet_mammals.tsv"));
  EXPECT_EQ(graph.node_count(), 1179U);
  EXPECT_EQ(graph.edge_count(), 5361U);
  EXPECT_EQ(basic_count(graph), 1176U);
  EXPECT_EQ(graph.find("mammal.n.01"), -1);
  const EdgeSplit split = split_edges(graph, {90, 5, 5, 0});
  EXPECT_EQ(split.test.edge_count(), 209U);
  EXPECT_EQ(split.validation.edge_count(), 209U);
}

TEST(Split, WithoutRootsLeavesNodesThatHaveEdges) {
  // 0 is the root; 1 and 2 are below it, 3 below 2, 4 below the root alone, 5 alone
  const Graph graph = graph_of(6, {{1, 0}, {2, 0}, {3, 2}, {3, 0}, {4, 0}});
  EXPECT_EQ(text_of(without_roots(graph)), "3>2");
  EXPECT_EQ(without_roots(graph).node_count(), 2U);
}

TEST(Split, ReadsThoseOfOthers) {
  const TemporaryDirectory directory;
  const auto prefix = directory / "names.tsv";
  const auto write = [&](const std::string& ending, const std::string& lines) {
    std::ofstream(prefix.string() + "." + ending) << lines;
  };
  // d below c below b below a, e below b
  write("train_0percent", "a\tb\nb\tc\nc\td\nb\te\n");
  write("train_25percent", "a\tb\nb\tc\nc\td\nb\te\na\tc\n");
  write("valid", "a\td\n");
  write("test", "b\td\n");
  const Graph closure = read_split_closure(prefix);
  EXPECT_EQ(closure.edge_count(), 8U);
  const EdgeSplit split = read_split(prefix, 25, closure);
  EXPECT_EQ(split.train.edge_count(), 5U);
  ASSERT_EQ(split.test.edge_count(), 1U);
  EXPECT_EQ(split.test.name(split.test.sources()[0]), "d");
  EXPECT_EQ(split.test.name(split.test.targets()[0]), "b");
  EXPECT_EQ(split.validation.name(split.validation.targets()[0]), "a");
  EXPECT_EQ(read_split(prefix, 0, closure).train.edge_count(), 4U);
  EXPECT_THROW(read_split(prefix, 10, closure), IoError);
  write("test", "d\ta\n");
  const std::string message = message_of<IoError>([&] { read_split(prefix, 25, closure); });
  EXPECT_NE(message.find("names.tsv.test: the edge from 'd' to 'a' does not follow"),
            std::string::npos)
      << message;
}

TEST(Split, RefusesNonsense) {
  const Graph graph = graph_of(3, {{1, 0}, {2, 1}, {2, 0}});
  EXPECT_THROW(split_edges(graph, {-1, 5, 5, 0}), DomainError);
  EXPECT_THROW(split_edges(graph, {std::nan(""), 5, 5, 0}), DomainError);
  const std::string message = message_of<DomainError>([&] { split_edges(graph, {95, 5, 5, 0}); });
  EXPECT_NE(message.find("95"), std::string::npos) << message;
  EXPECT_THROW(split_edges(graph_of(2, {{0, 1}, {1, 0}})), DomainError);
}

}  // namespace
}  // namespace mct::embed
