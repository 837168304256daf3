// The disease tree, graph convolutions and what features learn of them.
#include "apps/mct/train/hyla_model.hpp"

#include <gtest/gtest.h>

#include "apps/mct/train/hyla_settings.hpp"
#include "apps/mct/train/sir_tree.hpp"
#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::test {
namespace {

using namespace cli::train;

TEST(SirTree, InfectionComesFromTheParent) {
  SirTreeOptions options;
  options.columns = 20;
  const SirTree tree = make_sir_tree(options);
  std::int64_t infected = 0;
  for (std::size_t v = 1; v < tree.parents.size(); ++v) {
    ASSERT_LT(tree.parents[v], std::int64_t(v));
    const bool caught = tree.infected.data()[v] == 1;
    infected += caught ? 1 : 0;
    if (caught) {
      EXPECT_EQ(tree.infected.data()[tree.parents[v]], 1);
    }
  }
  EXPECT_GT(infected, 100);
  EXPECT_LT(infected, 900);
  EXPECT_EQ(max(abs(sum(tree.features, {1}) - double(options.symptoms))).item(), 0);
  EXPECT_EQ(product(graph_of(tree).features, eye<double>(20)).values(), tree.features.values());
  options.nodes = 1;
  EXPECT_THROW(make_sir_tree(options), DomainError);
}

/// x as rows of all its elements.
SparseMatrix rows_of(const Tensor<double>& x) {
  SparseMatrix rows;
  rows.columns = x.size(1);
  for (std::int64_t r = 0; r < x.size(0); ++r) {
    for (std::int64_t c = 0; c < x.size(1); ++c) rows.add(c, x.at({r, c}));
    rows.end_row();
  }
  return rows;
}

TEST(SirTree, PropagationIsTheNormalizedAdjacency) {
  const auto rows = normalized_adjacency({{0, 1}, {0, 2}}, 3);
  const auto s = product(rows, eye<double>(3));
  EXPECT_DOUBLE_EQ(s.at({0, 0}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(s.at({0, 2}), 1 / std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(s.at({2, 2}), 0.5);
  EXPECT_EQ(s.at({1, 2}), 0);
  const auto cube = matmul(s, matmul(s, s));
  const auto of_nodes = Propagation(rows, 3)(Variable<double>(eye<double>(3)));
  EXPECT_LT(max(abs(of_nodes.value() - cube)).item(), 1e-15);
  EXPECT_THROW(product(rows, eye<double>(2)), ShapeError);
  EXPECT_THROW(Propagation(rows, 1, rows_of(randn<double>({2, 2}, 1))), ShapeError);
}

TEST(SirTree, PropagationOfColumnsHasItsGradient) {
  const auto rows = normalized_adjacency({{0, 1}, {0, 2}}, 3);
  const auto s = product(rows, eye<double>(3));
  const auto x = randn<double>({3, 4}, 1);
  const Propagation propagation(rows, 2, rows_of(x));
  const Variable<double> z(randn<double>({4, 5}, 2), true);
  const auto g = randn<double>({3, 5}, 3);
  const auto y = propagation(z);
  y.backward(g);
  const auto whole = matmul(s, matmul(s, x));
  EXPECT_LT(max(abs(y.value() - matmul(whole, z.value()))).item(), 1e-14);
  EXPECT_LT(max(abs(z.grad() - matmul(whole.t(), g))).item(), 1e-14);
  const auto divided = product(divided_by_sums(rows_of(x)), eye<double>(4));
  EXPECT_LT(max(abs(divided - x / sum(x, {1}, true))).item(), 1e-13);
}

TEST(Features, PointsLearnWhoIsInfected) {
  SirTreeOptions shape;
  shape.nodes = 300;
  shape.columns = 10;
  shape.seed = 2;
  const SirTree tree = make_sir_tree(shape);
  const NodeGraph graph = graph_of(tree);
  GraphTask task{
      std::make_shared<const Propagation>(normalized_adjacency(graph.edges, shape.nodes), 2),
      tree.infected,
      {},
      {},
      {}};
  split_nodes(task, 0.1, 0.6, 1);
  EXPECT_EQ(task.train.numel() + task.validation.numel() + task.test.numel(), shape.nodes);
  FeatureOptions options;
  options.dimensions = 3;
  options.waves = 30;
  options.epochs = 1;
  options.point_lr = 2;
  options.weight_lr = 0.1;
  for (const auto kind : {FeatureKind::fourier, FeatureKind::hyla}) {
    options.kind = kind;
    options.epochs = 1;
    const Accuracy before = train_features(task, options);
    options.epochs = 100;
    const Accuracy after = train_features(task, options);
    EXPECT_GE(after.validation, before.validation);
    EXPECT_GT(after.test, 75);  // half of the test's nodes are infected
  }
}

TEST(Features, TheSplitOfTwoClassesIsBalanced) {
  GraphTask task;
  task.labels = Tensor<std::int64_t>(Shape{100});
  for (int i = 0; i < 20; ++i) task.labels.data()[5 * i] = 1;
  split_nodes(task, 0.1, 0.6, 3);
  const auto infected = [&](const Tensor<std::int64_t>& nodes) {
    std::int64_t count = 0;
    for (const std::int64_t v : nodes.values()) count += task.labels.data()[v];
    return count;
  };
  EXPECT_EQ(task.validation.numel(), 4);
  EXPECT_EQ(infected(task.validation), 2);
  EXPECT_EQ(task.test.numel(), 24);
  EXPECT_EQ(infected(task.test), 12);
  EXPECT_EQ(task.train.numel(), 72);
  task.classes = 3;  // then shares are those of all
  split_nodes(task, 0.1, 0.6, 3);
  EXPECT_EQ(task.test.numel(), 60);
  EXPECT_THROW(split_nodes(task, 0.001, 0.6, 3), DomainError);
}

TEST(Features, EveryKnownGraphHasSettingsForEveryModel) {
  for (const auto* const graph :
       {"cora", "citeseer", "airport", "disease_nc", "disease_lp", "tree"})
    for (const bool of_nodes : {false, true})
      for (const auto kind : {FeatureKind::plain, FeatureKind::fourier, FeatureKind::hyla}) {
        if (of_nodes && kind == FeatureKind::plain) continue;
        EXPECT_EQ(hyla_settings(graph, kind, of_nodes, false).size(), 1u) << graph;
        EXPECT_GT(hyla_settings("unknown", kind, of_nodes, false).size(), 2u);
        EXPECT_EQ(hyla_settings(graph, kind, of_nodes, true).size(),
                  hyla_settings("unknown", kind, of_nodes, false).size());
      }
}

}  // namespace
}  // namespace mct::test
