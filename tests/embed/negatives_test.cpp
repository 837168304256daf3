// Negatives, and the sums of a batch's gradients.
#include "src/embed/negatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "mctensor/tensor/philox.hpp"
#include "src/embed/row_sums.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;

std::vector<std::int32_t> drawn(const Negatives& negatives, std::int32_t source, int place,
                                bool by_count, int count) {
  Negatives::Scratch scratch;
  std::vector<std::int32_t> nodes(static_cast<std::size_t>(count));
  negatives.draw(source, std::uint64_t(place), 7, by_count, count, scratch, nodes.data());
  return nodes;
}

TEST(Negatives, AreDifferentNodesThatTheSourceHasNoEdgeTo) {
  const Graph graph = graph_of(30, {{0, 1}, {0, 2}, {0, 29}, {3, 0}});
  const Negatives negatives(graph, 5);
  for (const bool by_count : {false, true})
    for (int place = 0; place < 200; ++place) {
      const auto nodes = drawn(negatives, 0, place, by_count, 8);
      // by their number of edges only node 3 can be drawn
      const std::set<std::int32_t> different(nodes.begin(), nodes.end());
      EXPECT_EQ(different.size(), by_count ? 1u : 8u);
      for (const std::int32_t node : {0, 1, 2, 29}) EXPECT_EQ(different.count(node), 0u);
    }
}

TEST(Negatives, ThatAreTooFewComeAgain) {
  const Negatives two(graph_of(5, {{0, 1}, {0, 2}}), 1);
  const auto nodes = drawn(two, 0, 0, false, 7);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_TRUE(nodes[i] == 3 || nodes[i] == 4);
    EXPECT_EQ(nodes[i], nodes[i % 2]);
  }
  const Negatives none(graph_of(3, {{0, 1}, {0, 2}}), 1);
  EXPECT_EQ(drawn(none, 0, 0, false, 3), (std::vector<std::int32_t>{-1, -1, -1}));
}

TEST(Negatives, BelongToTheirPlace) {
  const Graph graph = graph_of(1000, {{0, 1}, {1, 2}});
  const Negatives negatives(graph, 5);
  EXPECT_EQ(drawn(negatives, 0, 3, false, 20), drawn(negatives, 0, 3, false, 20));
  EXPECT_NE(drawn(negatives, 0, 3, false, 20), drawn(negatives, 0, 4, false, 20));
  EXPECT_NE(drawn(negatives, 0, 3, false, 20), drawn(Negatives(graph, 6), 0, 3, false, 20));
  // what one example has taken is gone with the next
  Negatives::Scratch scratch;
  std::vector<std::int32_t> nodes(2);
  for (int place = 0; place < 200'000; ++place)
    negatives.draw(0, std::uint64_t(place), 7, false, 2, scratch, nodes.data());
  EXPECT_EQ(nodes, drawn(negatives, 0, 199'999, false, 2));
}

TEST(Negatives, AreTheWordsOfTheirCounters) {
  constexpr int count = 150;
  const Graph graph = graph_of(1'000'000, {{0, 1}});
  const std::uint64_t seed = 0x123456789abcdefu, place = 0x987654321u;
  std::vector<std::int32_t> expected;
  for (std::uint32_t counter = 0; int(expected.size()) < count; ++counter)
    for (const std::uint64_t word :
         philox4x32({std::uint32_t(place), std::uint32_t(place >> 32), 7, counter},
                    {std::uint32_t(seed), std::uint32_t(seed >> 32)})) {
      const auto node = std::int32_t(word * graph.node_count() >> 32);
      if (node > 1 && std::find(expected.begin(), expected.end(), node) == expected.end())
        expected.push_back(node);
    }
  expected.resize(count);
  Negatives::Scratch scratch;
  std::vector<std::int32_t> nodes(count);
  Negatives(graph, seed).draw(0, place, 7, false, count, scratch, nodes.data());
  EXPECT_EQ(nodes, expected);
}

TEST(NodeSet, HasWhatWasPutIn) {
  std::mt19937_64 random(4);
  NodeSet set;
  for (const int most : {1, 3, 200, 5000, 2}) {
    for (const std::int32_t step :
         {1, 64, 4096}) {  // near numbers, and such that differ in few bits
      set.clear(std::size_t(most));
      std::set<std::int32_t> expected;
      for (int i = 0; i < 3 * most && int(expected.size()) < most; ++i) {
        const auto node = std::int32_t(random() % std::uint64_t(2 * most)) * step;
        EXPECT_EQ(set.insert(node), expected.insert(node).second);
      }
      for (const std::int32_t node : expected) EXPECT_FALSE(set.insert(node));
    }
  }
}

TEST(Negatives, AreDrawnAsOftenAsTheyShould) {
  // nodes 2, 3, ... have 1, 2, 4, 8 and 16 edges
  testing::Edges edges;
  int other = 7;
  for (int k = 0; k < 5; ++k)
    for (int i = 0; i < 1 << k; ++i) edges.emplace_back(2 + k, other++);
  const Graph graph = graph_of(other, edges);
  const Negatives negatives(graph, 2);
  for (const bool by_count : {false, true}) {
    std::map<std::int32_t, int> counts;
    constexpr int draws = 200'000;
    for (int place = 0; place < draws; ++place)
      ++counts[drawn(negatives, 0, place, by_count, 1)[0]];
    double whole = by_count ? 31 : other - 1;
    for (int k = 0; by_count && k < 5; ++k) whole += std::pow(2, 0.75 * k);
    for (int k = 0; k < 5; ++k) {
      const double expected = draws * (by_count ? std::pow(2, 0.75 * k) : 1) / whole;
      EXPECT_NEAR(counts[2 + k], expected, 5 * std::sqrt(expected)) << k << by_count;
    }
  }
}

TEST(RowSums, AddWhatIsOfOneRowForAnyNumberOfOwners) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr int rows = 500, coordinates = 3;
  for (const int count : {0, 1, 700, 3000}) {
    std::vector<std::int32_t> named(static_cast<std::size_t>(count));
    const std::int64_t plane = padded_plane(count);
    std::vector<double> vectors(static_cast<std::size_t>(plane * coordinates));
    for (auto& row : named) row = std::int32_t(random() % (rows + 1)) - 1;
    for (double& v : vectors) v = uniform(random);
    std::map<std::int32_t, std::vector<double>> expected;
    for (int i = 0; i < count; ++i) {
      if (named[std::size_t(i)] < 0) continue;
      auto& sum = expected[named[std::size_t(i)]];
      const bool fresh = sum.empty();
      sum.resize(coordinates);
      for (int c = 0; c < coordinates; ++c) {
        const double v = vectors[std::size_t(c * plane + i)];
        sum[std::size_t(c)] = fresh ? v : sum[std::size_t(c)] + v;
      }
    }
    for (const int owners : {1, 2, 5}) {
      std::map<std::int32_t, std::vector<double>> found;
      for (int owner = 0; owner < owners; ++owner) {
        RowSums sums(rows, coordinates);
        for (int again = 0; again < 2; ++again)  // the first sums are forgotten
          sums.add({named.data(), count, vectors.data(), plane}, owner, owners);
        for (std::size_t i = 0; i < sums.rows().size(); ++i) {
          auto& sum = found[sums.rows()[i]];
          EXPECT_TRUE(sum.empty());
          for (int c = 0; c < coordinates; ++c)
            sum.push_back(sums.sums()[std::size_t(c * sums.plane()) + i]);
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(RowSums, KeepTheSignOfZeroOfARowThatComesOnce) {
  const std::vector<std::int32_t> rows{2, 0, 2};
  const std::vector<double> vectors{-0.0, -0.0, 0.0};
  RowSums sums(3, 1);
  sums.add({rows.data(), 3, vectors.data(), 3}, 0, 1);
  ASSERT_EQ(sums.rows(), (std::vector<std::int32_t>{2, 0}));
  EXPECT_FALSE(std::signbit(sums.sums()[0]));  // -0 + 0
  EXPECT_TRUE(std::signbit(sums.sums()[1]));
}

}  // namespace
}  // namespace mct::embed
