// The disease tree, graph convolutions and what features learn of them.
#include "apps/mct/train/hyla_model.hpp"

#include <gtest/gtest.h>

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
  EXPECT_LT(max(abs(sum(tree.features, {1}) - 1.0)).item(), 1e-14);
  options.nodes = 1;
  EXPECT_THROW(make_sir_tree(options), DomainError);
}

TEST(SirTree, PropagationIsTheNormalizedAdjacency) {
  const NeighbourList edges{{0, 1}, {0, 2}};
  const auto s = propagate(edges, 3, eye<double>(3), 1);
  EXPECT_DOUBLE_EQ(s.at({0, 0}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(s.at({0, 2}), 1 / std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(s.at({2, 2}), 0.5);
  EXPECT_EQ(s.at({1, 2}), 0);
  EXPECT_LT(max(abs(propagate(edges, 3, eye<double>(3), 3) - matmul(s, matmul(s, s)))).item(),
            1e-15);
  EXPECT_THROW(propagate(edges, 3, eye<double>(2), 1), ShapeError);
}

TEST(Features, PointsLearnWhoIsInfected) {
  SirTreeOptions shape;
  shape.nodes = 300;
  shape.columns = 10;
  shape.seed = 2;
  const SirTree tree = make_sir_tree(shape);
  const NodeGraph graph = graph_of(tree);
  GraphTask task{
      propagate(graph.edges, shape.nodes, eye<double>(shape.nodes), 2), tree.infected, {}, {}, {}};
  split_nodes(task, 1);
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
    EXPECT_GT(after.test, 80);  // 54 % are infected
  }
}

}  // namespace
}  // namespace mct::test
