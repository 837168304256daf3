// Graph attention along the edges of the disease tree.
#include "apps/mct/train/gat_model.hpp"

#include <gtest/gtest.h>

#include "apps/mct/train/sir_tree.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::test {
namespace {

using namespace cli::train;

TEST(Gat, LearnsFromNeighboursAndDependsOnTheSeedAlone) {
  SirTreeOptions tree;
  tree.nodes = 200;
  tree.columns = 40;
  const NodeGraph graph = graph_of(make_sir_tree(tree));
  GraphTask task{nullptr, graph.labels, {}, {}, {}, graph.classes};
  split_nodes(task, 0.2, 0.3, 1);
  GatOptions options;
  options.heads = 2;
  options.width = 3;
  options.dropout = 0.1;
  options.lr = 0.02;
  options.epochs = 30;
  const int before = num_threads();
  set_num_threads(1);
  const Accuracy once = train_gat(task, graph.features, graph.edges, options);
  set_num_threads(3);
  const Accuracy again = train_gat(task, graph.features, graph.edges, options);
  set_num_threads(before);
  EXPECT_EQ(once.validation, again.validation);
  EXPECT_EQ(once.test, again.test);
  EXPECT_GT(once.validation, 60);  // a guess is right in half of the cases
  // weights and biases of both layers; temperature and radius of each head
  EXPECT_EQ(parameters_of_gat(task, graph.features, options), 40 * 6 + 6 + 6 * 2 + 2 + 2 * (2 + 1));
}

}  // namespace
}  // namespace mct::test
