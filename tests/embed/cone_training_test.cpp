// Training of cones: what it learns, that it repeats itself, that it goes on where it stopped.
#include "mctensor/embed/cone_training.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/embed/quick_cones.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

using namespace testing;

/// The closure of a binary tree of this many nodes.
Graph tree(int nodes) {
  Edges edges;
  for (int v = 1; v < nodes; ++v) edges.emplace_back(v, (v - 1) / 2);
  return transitive_closure(graph_of(nodes, edges));
}
/// F1 of telling the edges of a hierarchy from all other pairs of nodes.
double f1_of_all_pairs(const ConeSystem& cones, const Tensor<double>& points,
                       const Graph& closure) {
  LabelledPairs pairs;
  const auto related = edges_of(closure);
  const std::set<std::pair<int, int>> known(related.begin(), related.end());
  for (int u = 0; u < int(closure.node_count()); ++u)
    for (int v = 0; v < int(closure.node_count()); ++v) {
      if (u == v) continue;
      pairs.ancestors.push_back(u);
      pairs.descendants.push_back(v);
      pairs.related.push_back(known.contains({v, u}) ? 1 : 0);
    }
  return classify(cones, points, pairs).f1();
}

TEST(ConeTraining, LearnsATree) {
  const Graph closure = tree(31);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  for (const ConeSystem& cones :
       {ConeSystem{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.1},
        ConeSystem{ConeKind::penumbral, PointStorage::half_space, 3, 1, 20},
        ConeSystem{ConeKind::umbral, PointStorage::ball, 5, 1, 0.1},
        ConeSystem{ConeKind::entailment, PointStorage::ball, 5, 1, 0.1}}) {
    ConeTrainingOptions options = quick(cones, 300);
    options.gamma_1 = 0.01;
    options.longest_step = 0.02;
    ConeTrainer trainer(split, closure, options);
    const double before = f1_of_all_pairs(cones, trainer.points(), closure);
    run(trainer, 300);
    const double after = f1_of_all_pairs(cones, trainer.points(), closure);
    EXPECT_LT(before, 0.5) << cones.text();
    EXPECT_GT(after, 0.8) << cones.text();
    EXPECT_EQ(trainer.last_epoch().stayed, 0) << cones.text();
  }
}

TEST(ConeTraining, MaxMarginLearnsToo) {
  const Graph closure = tree(15);
  const ConeSystem cones{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.1};
  ConeTrainingOptions options = quick(cones, 300);
  options.loss = ConeLoss::max_margin;
  options.gamma_1 = 0.01;
  ConeTrainer trainer(split_edges(closure, {100, 0, 0, 0}), closure, options);
  run(trainer, 1);
  const double first = trainer.last_epoch().loss;
  run(trainer, 300);
  EXPECT_LT(trainer.last_epoch().loss, first / 4);
}

TEST(ConeTraining, ThreadsDoNotChangeABit) {
  const Graph closure = tree(63);
  const EdgeSplit split = split_edges(closure, {50, 10, 10, 1});
  ConeTrainingOptions options = quick({}, 6);
  options.batch = 64;
  options.negatives = 400;  // so that a batch is worth a team
  std::vector<std::vector<double>> found;
  const int before = num_threads();
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    ConeTrainer trainer(split, closure, options);
    run(trainer, 6);
    found.push_back(trainer.points().values());
  }
  set_num_threads(before);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

/// A training that is stopped in the middle of an epoch, and one in one piece.
void expect_it_goes_on(const ConeTrainingOptions& options) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "state";
  const Graph closure = tree(31);
  const EdgeSplit split = split_edges(closure, {50, 10, 10, 1});
  ConeTrainer whole(split, closure, options);
  run(whole, 30);
  ConeTrainer part(split, closure, options);
  run(part, 13);
  part.advance(2);
  part.save(path);
  ConeTrainer other(split, closure, options);
  run(other, 1);  // what it has done is forgotten
  other.load(path);
  EXPECT_EQ(other.epochs(), 13);
  EXPECT_EQ(other.batches(), 2);
  run(other, 30);
  EXPECT_EQ(other.points().values(), whole.points().values());
  EXPECT_EQ(other.radius(), whole.radius());
  EXPECT_EQ(other.best_f1(), whole.best_f1());
  EXPECT_EQ(other.result().epoch, whole.result().epoch);
  EXPECT_EQ(other.result().test.true_positives, whole.result().test.true_positives);

  ConeTrainingOptions others = options;
  others.gamma_1 = 0.5;
  ConeTrainer different(split, closure, others);
  const std::string message = message_of<IoError>([&] { different.load(path); });
  EXPECT_NE(message.find("gamma_1"), std::string::npos) << message;
  EXPECT_EQ(different.epochs(), 0);
}

TEST(ConeTraining, GoesOnWhereItWasSaved) {
  ConeTrainingOptions options = quick({}, 30);
  expect_it_goes_on(options);
  options.optimizer = Optimizer::radam;
  options.radius_lr = 0.01;
  options.fresh_negatives = false;
  expect_it_goes_on(options);
}

TEST(ConeTraining, RefusesStatesOfOtherTrainings) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "state";
  const Graph closure = tree(7);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  ConeTrainer trainer(split, closure, quick({}, 2));
  const auto refused = [&] { return message_of<IoError>([&] { trainer.load(path); }); };
  SafetensorsWriter old;
  old.set_metadata("mctensor.cone_training", "1");
  old.save(path);
  EXPECT_NE(refused().find("cones of an earlier version"), std::string::npos) << refused();
  Trainer(std::make_shared<const Graph>(closure), trainer.options()).save(path);
  EXPECT_NE(refused().find("mctensor.training is '1', not 'cones 1'"), std::string::npos)
      << refused();
}

TEST(ConeTraining, KeptNegativesAreTheFirstOnes) {
  const Graph closure = tree(15);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  ConeTrainingOptions options = quick({}, 2);
  options.lr = 0;  // what an epoch costs depends on its negatives alone
  options.batch = 1;
  options.init = 0.2;
  const auto losses = [&] {
    ConeTrainer trainer(split, closure, options);
    run(trainer, 1);
    const double first = trainer.last_epoch().loss;
    run(trainer, 2);
    return std::pair(first, trainer.last_epoch().loss);
  };
  const auto fresh = losses();
  options.fresh_negatives = false;
  const auto kept = losses();
  EXPECT_NE(fresh.first, fresh.second);
  EXPECT_EQ(kept.first, fresh.first);
  EXPECT_NEAR(kept.second, kept.first, 1e-12);  // edges come in another order
}

TEST(ConeTraining, BeginsWhereAnEmbeddingIs) {
  const Graph closure = tree(15);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  const auto graph = std::make_shared<const Graph>(closure);
  TrainOptions near;
  near.space = {.storage = PointStorage::ball, .dimensions = 2, .components = 1};
  near.negatives = 5;
  near.init = 0.2;
  Trainer embedding(graph, near);
  const Tensor<double> points = embedding.embedding().coordinates();
  const ConeSystem ball{ConeKind::umbral, PointStorage::ball, 2, 1, 0.001};
  ConeTrainer same(split, closure, quick(ball, 2));
  same.start_from(embedding.embedding());
  for (std::int64_t i = 0; i < points.numel(); ++i)
    EXPECT_NEAR(same.points().data()[i], points.data()[i], 1e-15);
  // in another model points have the same distances
  ConeTrainer upper(split, closure, quick({}, 2));
  upper.start_from(embedding.embedding());
  const double* const x = upper.points().data();
  const double* const y = points.data();
  const auto gap = [&](int i) { return 1 - y[2 * i] * y[2 * i] - y[2 * i + 1] * y[2 * i + 1]; };
  const double in_half_space =
      (std::pow(x[0] - x[4], 2) + std::pow(x[1] - x[5], 2)) / (2 * x[1] * x[5]);
  const double in_ball =
      2 * (std::pow(y[0] - y[4], 2) + std::pow(y[1] - y[5], 2)) / (gap(0) * gap(2));
  EXPECT_NEAR(in_half_space, in_ball, 1e-14);
  run(upper, 1);
  EXPECT_NE(message_of<DomainError>([&] {
              upper.start_from(embedding.embedding());
            }).find("before the first batch"),
            std::string::npos);
  ConeTrainer flat(split, closure, quick({ConeKind::umbral, PointStorage::half_space, 3}, 2));
  EXPECT_NE(message_of<DomainError>([&] {
              flat.start_from(embedding.embedding());
            }).find("expected 3 dimensions"),
            std::string::npos);
}

TEST(ConeTraining, ALearnedRadiusTakesSizesAlong) {
  const Graph closure = tree(15);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  ConeTrainingOptions options = quick({ConeKind::umbral, PointStorage::half_space, 2, 2, 0.1}, 20);
  options.radius_lr = 0.1;
  ConeTrainer trainer(split, closure, options);
  run(trainer, 20);
  const ConeResult result = trainer.result();
  EXPECT_NE(trainer.radius(), 2);
  EXPECT_EQ(result.cones.radius, trainer.radius());
  EXPECT_NEAR(result.cones.size, 0.1 * trainer.radius() / 2, 1e-15);
  EXPECT_EQ(noted_cones(result.embedding), result.cones);
}

TEST(ConeTraining, SeedsDiffer) {
  const Graph closure = tree(15);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  ConeTrainingOptions options = quick({}, 2);
  ConeTrainer a(split, closure, options), b(split, closure, options);
  options.seed = 4;
  ConeTrainer c(split, closure, options);
  for (ConeTrainer* const trainer : {&a, &b, &c}) run(*trainer, 1);
  EXPECT_EQ(a.points().values(), b.points().values());
  EXPECT_NE(a.points().values(), c.points().values());
}

TEST(ConeTraining, TheChosenSizeIsTheBestOfValidation) {
  const Graph closure = tree(63);
  const EdgeSplit split = split_edges(closure, {80, 10, 10, 1});
  ConeTrainingOptions options = quick({}, 60);
  options.sizes = {0.001, 0.05, 0.1, 2};
  ConeTrainer trainer(split, closure, options);
  run(trainer, 60);
  const ConeResult result = trainer.result();
  const Tensor<double> points =
      result.embedding.coordinates().reshape({std::int64_t(closure.node_count()), 2});
  const LabelledPairs pairs = labelled_pairs(split.validation, closure, 10, options.seed);
  for (const double size : options.sizes) {
    ConeSystem cones = options.cones;
    cones.size = size;
    EXPECT_LE(classify(cones, points, pairs).f1(), result.validation.f1());
    EXPECT_TRUE(size != result.cones.size ||
                classify(cones, points, pairs).f1() == result.validation.f1());
  }
  EXPECT_EQ(result.embedding.name(5), closure.name(5));
  EXPECT_EQ(noted_cones(result.embedding), result.cones);
}

TEST(ConeTraining, RefusesNonsense) {
  const Graph closure = tree(7);
  const EdgeSplit split = split_edges(closure, {100, 0, 0, 0});
  const auto refused = [&](const auto& change) {
    ConeTrainingOptions options;
    change(options);
    return message_of<DomainError>([&] { ConeTrainer(split, closure, options); });
  };
  EXPECT_NE(refused([](auto& o) { o.batch = 0; }).find("batch 0"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.lr = std::nan(""); }).find("lr nan"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.cones.size = -1; }).find("size -1"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.sizes = {0}; }).find("size 0"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.cones.storage = PointStorage::lorentz; }).find("lorentz"),
            std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.cones.kind = ConeKind::entailment; }).find("entailment"),
            std::string::npos);
  EXPECT_EQ(refused([](auto&) {}), "");
}

TEST(ConeEvaluation, PairsAreWhatTheyAreCalled) {
  const Graph closure = transitive_closure(random_graph(60, 0.04, true, 5));
  const EdgeSplit split = split_edges(closure, {50, 20, 20, 1});
  ASSERT_GT(split.test.edge_count(), 10U);
  const LabelledPairs pairs = labelled_pairs(split.test, closure, 10, 7);
  ASSERT_EQ(pairs.related.size(), 11 * split.test.edge_count());
  const auto reaches = reachable(closure);
  for (std::size_t i = 0; i < pairs.related.size(); ++i) {
    const auto u = std::size_t(pairs.ancestors[i]), v = std::size_t(pairs.descendants[i]);
    EXPECT_NE(u, v);
    EXPECT_EQ(pairs.related[i] != 0, reaches[v][u]);
    EXPECT_EQ(pairs.related[i] != 0, i % 11 == 0);
    const std::size_t first = i - i % 11;
    EXPECT_EQ(pairs.ancestors[i] == pairs.ancestors[first], i % 11 <= 5);
  }
  EXPECT_EQ(labelled_pairs(split.test, closure, 10, 7).ancestors, pairs.ancestors);
  EXPECT_NE(labelled_pairs(split.test, closure, 10, 8).ancestors, pairs.ancestors);
  // everything is below the only ancestor: nothing can take a descendant's place
  const Graph star = graph_of(3, {{1, 0}, {2, 0}});
  EXPECT_EQ(labelled_pairs(star, star, 2, 0).related.size(), 4U);
}

TEST(ConeEvaluation, Scores) {
  const BinaryScores scores{3, 1, 2, 10};
  EXPECT_EQ(scores.precision(), 0.75);
  EXPECT_EQ(scores.recall(), 0.6);
  EXPECT_DOUBLE_EQ(scores.f1(), 2 * 0.75 * 0.6 / (0.75 + 0.6));
  EXPECT_EQ(BinaryScores().f1(), 0);
}

TEST(ConeEvaluation, PairsOfNoNodesAreRefused) {
  const auto points = Tensor<double>::from_values({0, 1, 0, 0.5, 3, 1}).reshape({3, 2});
  const auto refused = [&](const LabelledPairs& pairs) {
    return message_of<ShapeError>([&] { classify({}, points, pairs); });
  };
  EXPECT_EQ(refused({{0, 2}, {1, 0}, {1, 0}}), "");
  EXPECT_EQ(refused({{}, {}, {}}), "");
  EXPECT_EQ(refused({{100000000}, {1}, {1}}),
            "classify: ancestor 100000000, expected at least 0 and below 3");
  EXPECT_EQ(refused({{3}, {1}, {1}}), "classify: ancestor 3, expected at least 0 and below 3");
  EXPECT_EQ(refused({{-1}, {1}, {1}}), "classify: ancestor -1, expected at least 0 and below 3");
  EXPECT_EQ(refused({{0, 0}, {1, 3}, {1, 1}}),
            "classify: descendant 3, expected at least 0 and below 3");
  EXPECT_EQ(refused({{0}, {-1}, {1}}), "classify: descendant -1, expected at least 0 and below 3");
  EXPECT_EQ(refused({{0}, {1}, {1, 0}}),
            "classify: 1 ancestors, 1 descendants and 2 labels, expected as many of each");
  EXPECT_EQ(refused({{0, 1}, {1}, {1}}),
            "classify: 2 ancestors, 1 descendants and 1 labels, expected as many of each");
  EXPECT_EQ(refused({{0}, {1, 2}, {1}}),
            "classify: 1 ancestors, 2 descendants and 1 labels, expected as many of each");
}

TEST(ConeEvaluation, ClassesOfNoNodesAndNoAxesAreRefused) {
  const Graph closure = graph_of(3, {{1, 0}, {2, 0}});
  const auto points = Tensor<double>::from_values({0, 0.5, 0, 0.2, 0.3, 0.1}).reshape({3, 2});
  const auto accuracy = [&](PointStorage model, const std::vector<std::int32_t>& classes) {
    return class_accuracy(model, points, closure, classes);
  };
  EXPECT_EQ(accuracy(PointStorage::half_space, {0}), 1);
  EXPECT_EQ(message_of<ShapeError>([&] {
              accuracy(PointStorage::half_space, {0, 100000000});
            }),
            "class_accuracy: class 100000000, expected at least 0 and below 3");
  EXPECT_THROW(accuracy(PointStorage::ball, {3}), ShapeError);
  EXPECT_THROW(accuracy(PointStorage::ball, {-1}), ShapeError);
  EXPECT_EQ(message_of<DomainError>([&] { accuracy(PointStorage::h_tiling, {0}); }),
            "class_accuracy: there are no axes in the model 'h-tiling', only in half-space and "
            "ball");
  EXPECT_THROW(accuracy(PointStorage::lorentz, {0}), DomainError);
  EXPECT_THROW(accuracy(PointStorage::xmc_half_space, {0}), DomainError);
}

TEST(ConeEvaluation, ClassesByTheNearestAxis) {
  // 0 and 1 are classes; 2 and 3 below 0, 4 below 1, 5 below both, 6 below none
  const Graph closure = graph_of(7, {{2, 0}, {3, 0}, {4, 1}, {5, 0}, {5, 1}});
  const auto points =
      Tensor<double>::from_values({-1.0, 1.0, 1.0, 1.0, -2.0, 9.0, 0.5, 0.1, 0.2, 0.1, 0, 1, 0, 1})
          .reshape({7, 2});
  EXPECT_DOUBLE_EQ(class_accuracy(PointStorage::half_space, points, closure, {0, 1}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(class_accuracy(PointStorage::half_space, points, closure, {0}), 1);
  EXPECT_TRUE(std::isnan(class_accuracy(PointStorage::half_space, points, closure, {})));
  const auto turned = Tensor<double>::from_values({-0.5, 0.1, 0.4, 0.0, -0.2, 0.0, 0.0, -0.9, 0.8,
                                                   -0.2, 0.1, 0.1, 0.1, 0.1})
                          .reshape({7, 2});
  EXPECT_DOUBLE_EQ(class_accuracy(PointStorage::ball, turned, closure, {0, 1}), 2.0 / 3);
}

}  // namespace
}  // namespace mct::embed
