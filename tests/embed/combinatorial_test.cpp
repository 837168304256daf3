// Spanning trees by Sarkar's construction as embeddings.
#include "mctensor/embed/combinatorial.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/distances.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;
using testing::message_of;

CombinatorialOptions options_of(PointStorage model, double length, int components = 1) {
  CombinatorialOptions options;
  options.storage = model;
  options.edge_length = length;
  options.components = components;
  return options;
}

TEST(Combinatorial, EdgesOfTheTreeHaveTheirLength) {
  // two trees, an edge that follows from others and a second parent
  const Graph graph = graph_of(8, {{2, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 2}, {4, 3}, {6, 5}, {7, 5}});
  for (const PointStorage model : {PointStorage::h_tiling, PointStorage::l_tiling})
    for (const double length : {0.5, 3.0, 7.0}) {
      SCOPED_TRACE(std::string(name_of(model)) + " " + number_text(length));
      const Embedding embedding = combinatorial_embedding(graph, options_of(model, length));
      EXPECT_EQ(embedding.size(), 8u);
      EXPECT_EQ(embedding.names(), graph.names());
      const HalfSpacePoints points = embedding.half_space();
      const auto d = distances(points, {1, 2, 3, 4, 6, 7}, {0, 1, 1, 2, 5, 5});
      for (const double edge : d) EXPECT_NEAR(edge, length, 1e-13 * length);
      // the roots hang on opposite sides of what is left out
      EXPECT_NEAR(distances(points, {0}, {5})[0], 2 * length, 1e-12 * length);
      // the children of one node are different points
      EXPECT_GT(distances(points, {2}, {3})[0], length);
    }
}

TEST(Combinatorial, OneRootLiesAtTheOrigin) {
  const Embedding embedding = combinatorial_embedding(graph_of(3, {{0, 2}, {1, 2}}));
  const HalfSpacePoints points = embedding.half_space();
  const double* root = points.factors[0].data() + 4;
  EXPECT_EQ(root[0], 0);
  EXPECT_EQ(root[1], 1);
  EXPECT_EQ(combinatorial_embedding(graph_of(1, {})).size(), 1u);
}

TEST(Combinatorial, WholeNumbersAreExactOrRefused) {
  // a chain: distances of 8 edges are those of its ends
  constexpr int count = 9;
  testing::Edges edges;
  for (int v = 1; v < count; ++v) edges.emplace_back(v, v - 1);
  const Graph chain = graph_of(count, edges);
  // a leaf at each of its nodes: where edges turn, numbers are not short
  for (int v = 0; v < count; ++v) edges.emplace_back(count + v, v);
  const Graph bent = graph_of(2 * count, edges);
  for (const PointStorage model : {PointStorage::h_tiling, PointStorage::l_tiling}) {
    SCOPED_TRACE(name_of(model));
    const auto length_of = [&](int components) {
      const Embedding e = combinatorial_embedding(chain, options_of(model, 8, components));
      return distances(e.half_space(), {count - 1, 7}, {0, 1});
    };
    const auto message = message_of<DomainError>(
        [&] { (void)combinatorial_embedding(bent, options_of(model, 8, 1)); });
    EXPECT_NE(message.find("1 component does not hold"), std::string::npos);
    const auto d = length_of(2);
    EXPECT_NEAR(d[0], 64, 1e-11);
    EXPECT_NEAR(d[1], 48, 1e-11);
    EXPECT_EQ(length_of(3)[0], d[0]);
  }
}

TEST(Combinatorial, RefusesWhatIsNoTilingAndNoHierarchy) {
  const Graph graph = graph_of(2, {{0, 1}});
  EXPECT_EQ(message_of<DomainError>(
                [&] { combinatorial_embedding(graph, options_of(PointStorage::ball, 1)); }),
            "combinatorial_embedding: ball is not a tiling; expected h-tiling or l-tiling");
  for (const double length : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(combinatorial_embedding(graph, options_of(PointStorage::h_tiling, length)),
                 DomainError);
  EXPECT_THROW(combinatorial_embedding(graph_of(2, {{0, 1}, {1, 0}})), DomainError);
  EXPECT_THROW(combinatorial_embedding(graph_of(0, {})), DomainError);
}

/// Mammals without training: the closure, whose far ancestors lie behind all siblings, and the
/// edges of the tree themselves.
TEST(Combinatorial, OfMammalsIsAFloor) {
  const Graph closure = read_graph(MCT_SOURCE_DATA_DIR "/wordnet_mammals.tsv");
  const Graph basic = edges_where(closure, basic_edges(closure));
  struct Row {
    double length, precision, rank, of_parents;
  };
  // as docs/embed.md has them; trees have many exact ties, which rounding breaks
  for (const Row row :
       {Row{0.5, 0.0211, 258.1, 0.0268}, Row{1, 0.0346, 194.6, 0.0631}, Row{2, 0.1248, 72.9, 0.303},
        Row{3, 0.2574, 45, 0.6537}, Row{6, 0.3484, 43.2, 0.8739}})
    for (const PointStorage model : {PointStorage::h_tiling, PointStorage::l_tiling}) {
      SCOPED_TRACE(std::string(name_of(model)) + " " + number_text(row.length));
      const HalfSpacePoints points =
          combinatorial_embedding(closure, options_of(model, row.length, 2)).half_space();
      const RankingReport r = evaluate(points, closure);
      EXPECT_NEAR(r.mean_average_precision, row.precision, 1e-3);
      EXPECT_NEAR(r.mean_rank, row.rank, 0.005 * row.rank);
      EXPECT_NEAR(evaluate(points, basic).mean_average_precision, row.of_parents, 0.02);
    }
}

}  // namespace
}  // namespace mct::embed
