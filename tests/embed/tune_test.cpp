// Settings that are chosen on held-out edges.
#include "mctensor/embed/tune.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/usual_graph.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

using namespace testing;

std::shared_ptr<const Graph> tree() {
  Edges edges;
  for (int v = 1; v < 80; ++v) edges.emplace_back(v, (v - 1) / 3);
  return std::make_shared<const Graph>(transitive_closure(graph_of(80, edges)));
}

TrainOptions options_for(const Graph& graph) {
  EmbeddingSpace space;
  space.storage = PointStorage::half_space;
  space.components = 1;
  return usual_options(space, Optimizer::rsgd, graph.edge_count());
}

TEST(Tune, TakesTheBestOfItsTrialsTheSameEachTime) {
  const auto graph = tree();
  const TrainOptions given = options_for(*graph);
  double passed = 0;
  TuneOptions how{.seconds = 1000, .progress = [&](double seconds) { passed = seconds; }};
  const TuneReport report = tune(graph, given, how);
  EXPECT_GT(passed, 0);
  EXPECT_EQ(report.held_out, graph->edge_count() / 20);
  EXPECT_EQ(report.rounds, 3);  // of 7, 4 and 2
  ASSERT_EQ(report.trials.size(), 7u);
  EXPECT_EQ(report.trials[0].epochs, 64);
  EXPECT_EQ(report.trials[1].epochs, 64);
  EXPECT_EQ(report.trials[2].epochs, 32);
  EXPECT_EQ(report.trials[6].epochs, 16);
  EXPECT_GE(report.trials[0].mean_average_precision, report.trials[1].mean_average_precision);
  EXPECT_GT(report.trials[0].mean_average_precision, 0.2);
  EXPECT_EQ(report.options.sharpness, report.trials[0].sharpness);
  EXPECT_EQ(report.options.lr, report.trials[0].lr);
  EXPECT_EQ(report.options.epochs, given.epochs);
  EXPECT_EQ(report.options.burn_in, given.burn_in);
  const TuneReport again = tune(graph, given, {.seconds = 1000});
  EXPECT_EQ(again.options.lr, report.options.lr);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_EQ(again.trials[i].mean_average_precision, report.trials[i].mean_average_precision);
}

TEST(Tune, ChangesOnlyWhatItMay) {
  const auto graph = tree();
  const TrainOptions given = options_for(*graph);
  const TuneReport rates = tune(graph, given, {.seconds = 1000, .sharpness = false});
  EXPECT_EQ(rates.options.sharpness, given.sharpness);
  ASSERT_EQ(rates.trials.size(), 3u);
  std::set<double> tried;
  for (const TuneTrial& trial : rates.trials) tried.insert(trial.lr);
  EXPECT_EQ(tried, (std::set<double>{given.lr / 2, given.lr, 2 * given.lr}));
  EXPECT_EQ(tune(graph, given, {.seconds = 1000, .rate = false}).options.lr, given.lr);
}

TEST(Tune, KeepsWhatIsGivenWhereThereIsNoTime) {
  const auto graph = tree();
  const TrainOptions given = options_for(*graph);
  const TuneReport report = tune(graph, given, {.seconds = 1e-9});
  EXPECT_EQ(report.rounds, 0);
  EXPECT_EQ(report.trials[0].epochs, 0);
  EXPECT_EQ(report.options.lr, given.lr);
  EXPECT_EQ(report.options.sharpness, given.sharpness);
}

TEST(Tune, AsksForTheTimeBeforeTrainersBatchesAndRanks) {
  const auto graph = tree();
  int calls = 0;
  TuneOptions how{.seconds = 1000, .sharpness = false, .progress = [&](double) { ++calls; }};
  const TuneReport report = tune(graph, options_for(*graph), how);
  // three settings for 16 epochs and two for 32, of one piece of batches each; 20 held-out edges
  // have from 2 to 20 sources, which are ranked 16 at a time
  const int turns = 3 + 2;
  const int pieces = 3 * 16 + 2 * 16;
  EXPECT_EQ(report.rounds, 2);
  EXPECT_GE(calls, turns + pieces + turns);
  EXPECT_LE(calls, turns + pieces + 2 * turns);
  int left = calls;
  how.progress = [&](double) {
    if (--left == 0) throw std::runtime_error("enough");  // in the middle of the last ranking
  };
  EXPECT_EQ(message_of<std::runtime_error>([&] { tune(graph, options_for(*graph), how); }),
            "enough");
}

TEST(Tune, HoldsOutAnEdgeWithItsOpposite) {
  Edges ring;
  for (int v = 0; v < 40; ++v) ring.emplace_back(v, (v + 1) % 40);
  const auto graph = std::make_shared<const Graph>(both_directions(graph_of(40, ring)));
  const TuneReport report = tune(graph, options_for(*graph), {.seconds = 1e-9});
  EXPECT_EQ(report.held_out % 2, 0u);
  EXPECT_GE(report.held_out, 4u);  // of 80 edges 4 are drawn
}

TEST(Tune, RefusesWhatMakesNoSense) {
  const auto graph = tree();
  const TrainOptions given = options_for(*graph);
  for (const double seconds : {0.0, -1.0, double(NAN), HUGE_VAL})
    EXPECT_THROW(tune(graph, given, {.seconds = seconds}), DomainError);
  EXPECT_EQ(
      message_of<DomainError>([&] { tune(graph, given, {.sharpness = false, .rate = false}); }),
      "tuning: sharpness and rate are given, so that nothing is to be chosen");
  EXPECT_THROW(tune(nullptr, given), DomainError);
  EXPECT_THROW(tune(std::make_shared<const Graph>(), given), DomainError);
  const auto single = std::make_shared<const Graph>(graph_of(2, {{0, 1}}));
  EXPECT_EQ(message_of<DomainError>([&] { tune(single, given); }),
            "tuning: a graph of 1 edges leaves none to train on");
}

}  // namespace
}  // namespace mct::embed
