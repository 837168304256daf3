// Runs: what is chosen, patience, files.
#include "apps/mct/embed/run.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "mctensor/error.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::cli {
namespace {

using testing::message_of;

bool is_over(const std::vector<double>& losses, std::int64_t burn_in, std::int64_t patience) {
  return is_patience_over(losses, burn_in, patience);
}

/// Lines of epochs with these losses, which save() then writes.
void log_losses(RunFiles& files, const std::vector<double>& losses) {
  for (const double loss : losses)
    files.log(
        0, {{"epoch", files.lines(0).size() + 1}, {"loss", loss}, {"radius", 1.0}, {"stayed", 0}});
}

TEST(Patience, EndsWhenTheLossGetsNoBetter) {
  EXPECT_FALSE(is_over({4, 3, 2, 1}, 0, 2));
  EXPECT_TRUE(is_over({4, 3, 1, 2, 1}, 0, 2));
  EXPECT_TRUE(is_over({4, 3, 1, 0.9995, 0.9993}, 0, 2));
  EXPECT_FALSE(is_over({4, 3, 1, 2, 0.9}, 0, 2));
  // the burn-in, where nothing happens yet, does not count
  EXPECT_FALSE(is_over({4, 4, 4, 4, 4}, 3, 2));
  EXPECT_TRUE(is_over({4, 4, 4, 4, 4, 4}, 3, 2));
  EXPECT_FALSE(is_over({1, 1, 1, 1}, 0, 0));
  // a loss that is none is no better
  EXPECT_TRUE(is_over({1, NAN, NAN}, 0, 2));
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
  EXPECT_EQ(train_options(settings, large).lr, 12.8);
  EXPECT_EQ(train_options(settings, large).epochs, 400);
  EXPECT_EQ(train_options(settings, small).space.components, 2);
  settings.model = "ball";
  settings.batch = 10;
  EXPECT_EQ(train_options(settings, small).space.components, 1);
  EXPECT_EQ(train_options(settings, small).lr, 1.0);
  EXPECT_EQ(train_options(settings, small).sharpness, 0.3);
  // a rate that is given stays, if nobody says otherwise, and one that stays has an end
  EXPECT_GT(train_options(settings, large).lr_peak, 1);
  EXPECT_EQ(patience_of(settings, train_options(settings, large)), 0);
  settings.lr = 2;
  EXPECT_EQ(train_options(settings, large).lr_peak, 1);
  settings.cool_down = 5;
  EXPECT_THROW(train_options(settings, large), DomainError);
  settings.cool_down.reset();
  EXPECT_EQ(patience_of(settings, train_options(settings, large)), 50);
  settings.lr_peak = 4;
  EXPECT_EQ(train_options(settings, small).lr_peak, 4);
  settings.dimensions = 5;
  EXPECT_EQ(train_options(settings, small).sharpness, 2);
  EXPECT_EQ(train_options(settings, small).longest_step, 1);
  settings.sharpness = 0.5;
  settings.longest_step = 2;
  EXPECT_EQ(train_options(settings, small).sharpness, 0.5);
  EXPECT_EQ(train_options(settings, small).longest_step, 2);
}

TEST(RunFiles, KeepOthersOutAsLongAsTheyLive) {
  const testing::TemporaryDirectory directory;
  const nlohmann::ordered_json description{{"epochs", 20}, {"lr", 0.5}};
  {
    EmbedFiles first(directory.path());
    first.open(description, false);
    EmbedFiles second(directory.path());
    EXPECT_EQ(message_of<DomainError>([&] { second.open(description, true); }),
              "another process is at work in '" + directory.path().string() +
                  "': wait for its end, or give another -o");
  }
  EmbedFiles third(directory.path());
  EXPECT_NO_THROW(third.open(description, true));
}

TEST(RunFiles, ReplaceNoFileOfSomebodyElse) {
  for (const char* name : {"points.tsv", "names.txt", "log.jsonl", "metrics.json"}) {
    const testing::TemporaryDirectory directory;
    std::ofstream(directory / name) << "a\tb\n";
    EmbedFiles files(directory.path());
    EXPECT_EQ(message_of<DomainError>([&] {
                files.open({{"epochs", 20}}, false);
              }),
              "'" + directory.path().string() + "' holds '" + name +
                  "' without 'run.json': a run would replace it; give another -o");
    EXPECT_FALSE(std::filesystem::exists(directory / "run.json"));
  }
}

TEST(RunFiles, GoOnWithTheEpochsThatTheyBeganWith) {
  const testing::TemporaryDirectory directory;
  EmbedFiles files(directory.path());
  EmbedSettings fresh;
  files.complete(fresh);
  EXPECT_FALSE(fresh.epochs || fresh.burn_in);
  files.open({{"burn-in", 4},
              {"epochs", 20},
              {"lr", 2.5},
              {"lr-peak", 8},
              {"cool-down", 3},
              {"sharpness", 0.7}},
             false);
  EmbedSettings settings;
  files.complete(settings);
  EXPECT_EQ(settings.lr, 2.5);
  EXPECT_EQ(settings.lr_peak, 8);
  EXPECT_EQ(settings.cool_down, 3);
  EXPECT_EQ(settings.sharpness, 0.7);
  EXPECT_EQ(settings.epochs, 20);
  EXPECT_EQ(settings.burn_in, 4);
  settings.epochs = 40;
  settings.burn_in = 8;
  files.complete(settings);
  EXPECT_EQ(settings.epochs, 40);
  EXPECT_EQ(settings.burn_in, 8);
  files.describe({{"burn-in", 4}, {"epochs", 40}});
  files.complete(fresh);
  EXPECT_EQ(fresh.epochs, 40);
  std::ofstream(directory / "run.json") << R"({"epochs": -1})";
  fresh.epochs.reset();
  EXPECT_EQ(message_of<IoError>([&] { files.complete(fresh); }),
            "'" + (directory / "run.json").string() + "': its epochs is -1, no number of epochs");
}

TEST(RunFiles, RefuseFewerEpochsThanThereAre) {
  const testing::TemporaryDirectory directory;
  const auto graph = std::make_shared<const embed::Graph>(testing::graph_of(4, {{1, 0}, {2, 0}}));
  embed::TrainOptions options;
  embed::Trainer trainer(graph, options);
  trainer.advance(1);
  trainer.advance(1);
  EmbedFiles files(directory.path());
  log_losses(files, {2, 1});
  files.save(0, trainer);
  options.epochs = 1;
  embed::Trainer other(graph, options);
  EXPECT_EQ(message_of<DomainError>([&] { files.load(0, other); }),
            "'" + directory.path().string() + "' has begun epoch 2 already: --epochs 1 is too few");
}

TEST(RunFiles, DropLinesThatTheStateDoesNotKnow) {
  const testing::TemporaryDirectory directory;
  const auto graph = std::make_shared<const embed::Graph>(testing::graph_of(4, {{1, 0}, {2, 0}}));
  embed::TrainOptions options;
  embed::Trainer trainer(graph, options);
  EmbedFiles files(directory.path());
  EXPECT_FALSE(files.load(0, trainer));
  trainer.advance(1);
  trainer.advance(1);
  log_losses(files, {2, 1, 0.5});
  files.save(0, trainer);
  EmbedFiles again(directory.path());
  again.read();
  EXPECT_EQ(again.lines(0).size(), 3u);
  embed::Trainer other(graph, options);
  EXPECT_TRUE(again.load(0, other));
  EXPECT_EQ(other.epochs(), 2);
  ASSERT_EQ(again.lines(0).size(), 2u);
  EXPECT_EQ(again.lines(0)[1].at("loss"), 1);
  EmbedFiles shorter(directory.path());
  log_losses(shorter, {2});
  EXPECT_EQ(
      message_of<IoError>([&] { shorter.load(0, other); }),
      "'" + (directory / "log.jsonl").string() + "' has 1 epochs, the checkpoint beside it 2");
}

TEST(RunFiles, KeepTheLinesOfSeveralRunsApart) {
  const testing::TemporaryDirectory directory;
  const std::vector<TrainingRun> runs = {{{{"seed", 3}}, " of seed 3", "3.checkpoint", {"3"}},
                                         {{{"seed", 4}}, " of seed 4", "4.checkpoint", {"4"}}};
  RunFiles files(directory.path(), {"runs.jsonl", {}, true}, runs);
  log_losses(files, {2, 1});
  files.finish(0, {{"test", 0.5}});
  files.log(1, {{"epoch", 1}, {"loss", NAN}, {"radius", 1.0}, {"stayed", 0}});
  files.finish(1, {{"test", 0.25}});
  std::ofstream(directory / "4.checkpoint") << "of a process that was killed";
  RunFiles again(directory.path(), {"runs.jsonl", {}, true}, runs);
  again.read();
  ASSERT_TRUE(again.is_done(0) && again.is_done(1));
  EXPECT_EQ(again.lines(0).size(), 3u);
  EXPECT_EQ(again.lines(1).back().at("test"), 0.25);
  EXPECT_FALSE(std::filesystem::exists(directory / "4.checkpoint"));
  RunFiles fewer(directory.path(), {"runs.jsonl", {}, true}, {runs.front()});
  EXPECT_EQ(message_of<IoError>([&] { fewer.read(); }),
            (directory / "runs.jsonl").string() + ":4: no run of these");
}

TEST(RunFiles, KeepTheCheckpointIfTheLastLineIsNoEpoch) {
  const testing::TemporaryDirectory directory;
  EmbedFiles files(directory.path());
  log_losses(files, {2, 1});
  std::ofstream(directory / "log.jsonl", std::ios::app) << "{}\n";
  std::ofstream(directory / "checkpoint.safetensors") << "a state";
  EmbedFiles again(directory.path());
  EXPECT_THROW(again.read(), IoError);
  EXPECT_TRUE(std::filesystem::exists(directory / "checkpoint.safetensors"));
}

TEST(RunFiles, NameTheLineThatIsNoEpoch) {
  const testing::TemporaryDirectory directory;
  std::ofstream(directory / "log.jsonl")
      << R"({"epoch": 1, "loss": 2.0, "radius": 1.0, "stayed": 0})"
      << "\n"
      << R"({"epoch": 2, "loss": "low", "radius": 1.0, "stayed": 0})"
      << "\n";
  EmbedFiles files(directory.path());
  const std::string message = message_of<IoError>([&] { files.read(); });
  EXPECT_NE(message.find("log.jsonl:2: "), std::string::npos) << message;
}

}  // namespace
}  // namespace mct::cli
