// Names, rows of neighbours, parts of graphs.
#include "mctensor/graph/graph.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>

#include "mctensor/error.hpp"
#include "mctensor/graph/tree.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

std::vector<std::int32_t> row(const Adjacency& adjacency, std::int32_t node) {
  const auto entries = adjacency[node];
  return {entries.begin(), entries.end()};
}

TEST(NameTable, NumbersNamesAsTheyCome) {
  NameTable table;
  EXPECT_EQ(table.find("a"), -1);
  EXPECT_EQ(table.enter("a"), std::make_pair(0, true));
  EXPECT_EQ(table.enter(""), std::make_pair(1, true));
  EXPECT_EQ(table.enter("a"), std::make_pair(0, false));
  EXPECT_EQ(table.name(0), "a");
  EXPECT_EQ(table.name(1), "");
  EXPECT_EQ(table.find(""), 1);
}

TEST(NameTable, ManyNames) {
  NameTable table;
  std::unordered_map<std::string, std::int32_t> expected;
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    // of every length, with zeros at the end, which must not be taken for the end of a word
    std::string name(random() % 20, '\0');
    for (char& c : name) c = char(random() % 3);
    const auto [at, fresh] = expected.emplace(name, std::int32_t(expected.size()));
    EXPECT_EQ(table.enter(name), std::make_pair(at->second, fresh));
  }
  EXPECT_EQ(table.size(), expected.size());
  for (const auto& [name, number] : expected) {
    EXPECT_EQ(table.find(name), number);
    EXPECT_EQ(table.name(number), name);
  }
}

TEST(NameTable, NumbersWithoutNamesAreRefused) {
  NameTable table;
  const auto refused = [&](std::int32_t number) {
    return message_of<DomainError>([&] { (void)table.name(number); });
  };
  EXPECT_EQ(refused(0), "name: number 0, expected at least 0 and below 0");
  for (const char* name : {"a", "b", "c"}) table.enter(name);
  EXPECT_EQ(refused(2), "");
  EXPECT_EQ(refused(3), "name: number 3, expected at least 0 and below 3");
  EXPECT_EQ(refused(-1), "name: number -1, expected at least 0 and below 3");
  EXPECT_THROW(table.name(INT32_MIN), DomainError);
}

TEST(NameTable, SeveralNamesNeedAsManyNumbers) {
  NameTable table;
  const std::vector<std::string_view> names = {"a", "b", "a"};
  std::vector<std::int32_t> numbers(4, 77);
  EXPECT_EQ(message_of<ShapeError>([&] { table.enter_all(names, std::span(numbers).first(2)); }),
            "enter_all: 2 numbers for 3 names, expected at least 3");
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{77, 77, 77, 77}));
  table.enter_all(names, numbers);
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{0, 1, 0, 77}));
}

TEST(Tree, NumbersWithoutNodesAreRefused) {
  const Tree tree = Tree::from_parents({{"a", ""}, {"b", "a"}});
  EXPECT_EQ(tree.name(1), "b");
  EXPECT_EQ(message_of<DomainError>([&] { (void)tree.name(2); }),
            "name: node 2, expected at least 0 and below 2");
  EXPECT_EQ(message_of<DomainError>([&] { (void)tree.depth(std::size_t(tree.parent(0))); }),
            "depth: node -1, expected at least 0 and below 2");
  EXPECT_EQ(message_of<DomainError>([&] { (void)tree.parent(99); }),
            "parent: node 99, expected at least 0 and below 2");
  EXPECT_EQ(message_of<DomainError>([&] { (void)tree.children(2); }),
            "children: node 2, expected at least 0 and below 2");
}

TEST(Graph, RowsAreAscending) {
  const Graph graph = graph_of(4, {{0, 3}, {2, 3}, {0, 1}, {0, 2}, {1, 0}});
  EXPECT_EQ(row(successors(graph), 0), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(row(successors(graph), 3), (std::vector<std::int32_t>{}));
  EXPECT_EQ(row(predecessors(graph), 3), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(row(neighbours(graph), 0), (std::vector<std::int32_t>{1, 1, 2, 3}));
  EXPECT_EQ(row(neighbours(graph), 3), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(successors(graph).size(), 4u);
  EXPECT_EQ(successors(Graph()).size(), 0u);
}

TEST(Graph, RefusesWhatIsNone) {
  const auto names = std::make_shared<NameTable>();
  names->enter("a");
  const auto make = [&](std::vector<std::int32_t> sources, std::vector<std::int32_t> targets,
                        std::vector<double> weights) {
    const Graph graph(names, std::move(sources), std::move(targets), std::move(weights));
    return graph.edge_count();
  };
  EXPECT_TRUE(contains(message_of<DomainError>([&] {
                         make({0, 0}, {0, 1}, {});
                       }),
                       "edge 1: node 1 does not exist; the graph has 1 nodes, counted from 0"));
  EXPECT_TRUE(
      contains(message_of<DomainError>([&] { make({-1}, {0}, {}); }), "node -1 does not exist"));
  EXPECT_TRUE(
      contains(message_of<DomainError>([&] { make({0}, {0}, {-1}); }), "the weight -1 is not"));
  EXPECT_TRUE(contains(message_of<ShapeError>([&] { make({0}, {}, {}); }), "1 sources, 0 targets"));
  EXPECT_TRUE(contains(message_of<ShapeError>([&] { make({0}, {0}, {1, 2}); }), "2 weights"));
  EXPECT_EQ(message_of<DomainError>([] { Graph(nullptr, {}, {}); }),
            "graph: the names are a null pointer");
  EXPECT_EQ(message_of<DomainError>([] { renumbered(Graph(), nullptr); }),
            "renumbered: the names are a null pointer");
  const Graph graph(names, {}, {});
  EXPECT_EQ(message_of<DomainError>([&] { (void)graph.name(graph.find("b")); }),
            "name: number -1, expected at least 0 and below 1");
}

TEST(Graph, Parts) {
  auto names = std::make_shared<NameTable>();
  for (const char* name : {"a", "b", "c"}) names->enter(name);
  const Graph graph(names, {0, 2, 2}, {1, 0, 1}, {1, 2, 3});
  const Graph two = edges_where(graph, {1, 0, 1});
  EXPECT_EQ(text_of(two), "a>b c>b");
  EXPECT_EQ(two.weights(), (std::vector<double>{1, 3}));
  EXPECT_EQ(two.node_count(), 3u);
  const Graph part = nodes_where(graph, {0, 1, 1});
  EXPECT_EQ(text_of(part), "c>b");
  EXPECT_EQ(part.weights(), (std::vector<double>{3}));
  EXPECT_EQ(part.find("a"), -1);
  EXPECT_EQ(part.find("c"), 1);
  EXPECT_TRUE(
      contains(message_of<ShapeError>([&] { edges_where(graph, {1}); }), "1 flags, expected 3"));
  EXPECT_TRUE(
      contains(message_of<ShapeError>([&] { nodes_where(graph, {1}); }), "1 flags, expected 3"));
}

TEST(Graph, TakesTheNumbersOfOtherNames) {
  auto names = std::make_shared<NameTable>();
  for (const char* name : {"d", "c", "b", "a"}) names->enter(name);
  auto own = std::make_shared<NameTable>();
  for (const char* name : {"a", "b", "c"}) own->enter(name);
  const Graph graph(own, {0, 2}, {1, 1}, {1, 3});
  const Graph other = renumbered(graph, names);
  EXPECT_EQ(other.names(), names);
  EXPECT_EQ(text_of(other), "a>b c>b");
  EXPECT_EQ(other.sources(), (std::vector<std::int32_t>{3, 1}));
  EXPECT_EQ(other.weights(), graph.weights());
  auto fewer = std::make_shared<NameTable>();
  fewer->enter("b");
  EXPECT_EQ(message_of<DomainError>([&] { renumbered(graph, fewer); }),
            "the node 'a' is not among the 1 names; 2 of the 3 nodes are missing");
}

TEST(Graph, FingerprintsTellGraphsAndNamesApart) {
  const Graph graph = graph_of(3, {{0, 1}, {2, 0}});
  EXPECT_EQ(fingerprint(graph), "e1f9efb270fa118b");  // what checkpoints of version 0.2.0 have
  EXPECT_NE(fingerprint(graph), fingerprint(graph_of(3, {{2, 0}, {0, 1}})));
  EXPECT_NE(fingerprint(graph), fingerprint(graph_of(4, {{0, 1}, {2, 0}})));
  EXPECT_NE(fingerprint(graph),
            fingerprint(Graph(graph.names(), graph.sources(), graph.targets(), {1, 2})));
  const auto of_names = [](const std::vector<const char*>& all) {
    NameTable names;
    for (const char* name : all) names.enter(name);
    return fingerprint(names);
  };
  EXPECT_EQ(of_names({"ab", "c"}), of_names({"ab", "c"}));
  EXPECT_NE(of_names({"ab", "c"}), of_names({"a", "bc"}));
  EXPECT_NE(of_names({"ab", "c"}), of_names({"c", "ab"}));
}

}  // namespace
}  // namespace mct::embed
