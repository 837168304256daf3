// Runs: what is chosen, patience, files.
#include "apps/mct/embed/run.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mctensor/error.hpp"
#include "tests/embed/graphs.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::cli {
namespace {

std::vector<EpochRow> rows_of(const std::vector<double>& losses) {
  std::vector<EpochRow> rows;
  for (const double loss : losses)
    rows.push_back({std::int64_t(rows.size()) + 1, loss, 1, 0, {}, {}});
  return rows;
}

TEST(Patience, EndsWhenTheLossGetsNoBetter) {
  EXPECT_FALSE(is_patience_over(rows_of({4, 3, 2, 1}), 0, 2));
  EXPECT_TRUE(is_patience_over(rows_of({4, 3, 1, 2, 1}), 0, 2));
  EXPECT_TRUE(is_patience_over(rows_of({4, 3, 1, 0.9995, 0.9993}), 0, 2));
  EXPECT_FALSE(is_patience_over(rows_of({4, 3, 1, 2, 0.9}), 0, 2));
  // the burn-in, where nothing happens yet, does not count
  EXPECT_FALSE(is_patience_over(rows_of({4, 4, 4, 4, 4}), 3, 2));
  EXPECT_TRUE(is_patience_over(rows_of({4, 4, 4, 4, 4, 4}), 3, 2));
  EXPECT_FALSE(is_patience_over(rows_of({1, 1, 1, 1}), 0, 0));
  // a loss that is none is no better
  EXPECT_TRUE(is_patience_over(rows_of({1, NAN, NAN}), 0, 2));
}

TEST(Settings, SuitTheGraph) {
  testing::Edges edges;
  for (int i = 1; i < 30'000; ++i) edges.emplace_back(i, i / 2);
  const auto small = testing::graph_of(3, {{1, 0}, {2, 0}});
  const auto large = testing::graph_of(30'000, edges);
  EmbedSettings settings;
  EXPECT_EQ(train_options(settings, small).batch, 32);
  EXPECT_EQ(train_options(settings, small).epochs, 1000);
  EXPECT_EQ(train_options(settings, large).batch, 128);
  EXPECT_EQ(train_options(settings, large).lr, 25.6);
  EXPECT_EQ(train_options(settings, large).epochs, 1000);
  EXPECT_EQ(train_options(settings, small).space.components, 2);
  settings.model = "poincare";
  settings.batch = 10;
  EXPECT_EQ(train_options(settings, small).space.components, 1);
  EXPECT_EQ(train_options(settings, small).lr, 1.0);
}

TEST(RunFiles, DropRowsThatTheStateDoesNotKnow) {
  const testing::TemporaryDirectory directory;
  const auto graph = std::make_shared<const embed::Graph>(testing::graph_of(4, {{1, 0}, {2, 0}}));
  embed::TrainOptions options;
  embed::Trainer trainer(graph, options);
  const RunFiles files(directory.path());
  std::vector<EpochRow> rows;
  EXPECT_FALSE(files.load(trainer, rows));
  trainer.advance(1);
  trainer.advance(1);
  files.save(trainer, rows_of({2, 1, 0.5}));
  embed::Trainer other(graph, options);
  EXPECT_TRUE(files.load(other, rows));
  EXPECT_EQ(other.epochs(), 2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].loss, 1);
  files.save(trainer, rows_of({2}));
  EXPECT_THROW(files.load(other, rows), IoError);
}

}  // namespace
}  // namespace mct::cli
