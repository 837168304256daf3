// The GPT: data order, a run that is stopped and resumed, files of another run.
#include "apps/mct/train/gpt_train.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_report.hpp"
#include "mctensor/error.hpp"
#include "tests/files.hpp"
#include "tests/train/tiny_gpt.hpp"

namespace mct::test {
namespace {

using namespace cli::train;
using mct::testing::bytes_of;
using mct::testing::message_of;
using mct::testing::TemporaryDirectory;
namespace fs = std::filesystem;

struct Stop {};

TEST(Gpt, StoppedAndResumedIsTheSameBitForBit) {
  const Corpus corpus = tiny_corpus();
  for (const char* name : {"plus", "residual-states", "master", "split8"}) {
    const TemporaryDirectory directory;
    const auto arm = strategy_arms({name})[0];
    const auto options = tiny_options();
    const auto run = [&](const char* place, bool resume, std::int64_t stop) {
      return train_gpt(corpus, arm, options, directory / place, resume, [&](std::int64_t done) {
        if (done == stop) throw Stop();
      });
    };
    const auto whole = run("whole", false, -1);
    EXPECT_THROW(run("parts", false, 7), Stop);
    EXPECT_THROW(run("parts", true, 15), Stop);
    const auto parts = run("parts", true, -1);
    for (const char* file : {"weights.safetensors", "checkpoint.safetensors", "metrics.jsonl"})
      EXPECT_EQ(bytes_of(directory / "whole" / file), bytes_of(directory / "parts" / file)) << name;
    EXPECT_EQ(whole.validation_perplexity(), parts.validation_perplexity());
    EXPECT_EQ(whole.mean().lost, parts.mean().lost);
    // one that is complete has nothing to do
    EXPECT_EQ(run("parts", true, -1).rows.size(), whole.rows.size());
  }
}

/// Seconds of a run are those of all its processes, up to the last checkpoint of each.
TEST(Gpt, SecondsOfAllProcessesCount) {
  const Corpus corpus = tiny_corpus();
  const TemporaryDirectory directory;
  const auto run = [&](bool resume, std::int64_t stop) {
    return train_gpt(corpus, strategy_arms({"plus"})[0], tiny_options(), directory / "run", resume,
                     [&](std::int64_t done) {
                       if (done == stop) throw Stop();
                     });
  };
  EXPECT_THROW(run(false, 7), Stop);
  const double first = load_seconds(directory / "run");
  EXPECT_GT(first, 0);
  // as if it had taken an hour
  save_seconds(directory / "run", 3600);
  const auto whole = run(true, -1);
  EXPECT_GT(whole.seconds, 3600);
  EXPECT_LT(whole.seconds, 3600 + 600);
  EXPECT_EQ(load_seconds(directory / "run"), whole.seconds);
  EXPECT_GT(run(true, -1).seconds, whole.seconds);
  for (const char* bad : {"{}", "{\"seconds\": -1}", "{\"seconds\": \"nan\"}", "[]", ""}) {
    std::ofstream(directory / "run" / "seconds.json") << bad;
    EXPECT_NE(message_of<IoError>([&] { load_seconds(directory / "run"); }).find("seconds.json"),
              std::string::npos)
        << bad;
  }
  fs::remove(directory / "run" / "seconds.json");
  EXPECT_EQ(load_seconds(directory / "run"), 0);
}

/// JSON has no NaN: metrics that are not finite are written by name, read back and spoken of.
TEST(Gpt, MetricsThatAreNotFiniteAreSaid) {
  const TemporaryDirectory directory;
  GptResult result;
  GptRow row;
  row.step = 2;
  row.train_loss = std::nan("");
  row.validation_loss = HUGE_VAL;
  row.descent_quality = -HUGE_VAL;
  result.rows = {row};
  const optim::McAdamW<bfloat16> optimizer(
      std::vector{Variable<float>(Tensor<float>::from_values({1}), true)}, optim::Strategy::plain);
  save_checkpoint(directory.path(), result.rows, 1, optimizer);
  const std::string text = bytes_of(directory / "metrics.jsonl");
  EXPECT_EQ(text.find("null"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("train_loss":"nan")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("validation_loss":"inf")"), std::string::npos) << text;
  const auto rows = load_rows(directory.path(), 2);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(std::isnan(rows[0].train_loss));
  EXPECT_EQ(rows[0].validation_loss, HUGE_VAL);
  EXPECT_EQ(rows[0].descent_quality, -HUGE_VAL);

  const std::vector<GptComparison> runs{{strategy_arms({"plain"})[0], 0.999, 1, result}};
  EXPECT_NE(
      format_warnings(runs).find("plain, beta2 0.999, seed 1: metrics are not finite at step 2"),
      std::string::npos)
      << format_warnings(runs);
  write_comparison(directory.path(), runs);
  EXPECT_EQ(bytes_of(directory / "gpt.jsonl").find("null"), std::string::npos);
  GptComparison good = runs[0];
  good.result.rows[0] = {};
  EXPECT_EQ(format_warnings({good}), "");
  good.result.skipped_steps = 3;
  EXPECT_NE(format_warnings({good}).find("3 steps were skipped"), std::string::npos);
}

/// Runs with the same seed are pairs: the mean of their differences, and its standard error.
TEST(Gpt, ComparesRunsOfTheSameSeeds) {
  const auto arms = strategy_arms({"master", "plus"});
  std::vector<GptComparison> runs;
  // perplexities: master 2, 4, 8; plus 1, 2 and 3 per cent above
  for (const std::uint64_t seed : {5, 6, 7})
    for (std::size_t arm = 0; arm < 2; ++arm) {
      GptRow row;
      row.step = 20;
      row.validation_loss =
          std::log(std::pow(2, double(seed) - 4) * (1 + 0.01 * double(arm) * double(seed - 4)));
      GptResult result;
      result.rows = {row};
      result.seconds = 10;
      runs.push_back({arms[arm], 0.999, seed, result});
    }
  const std::string text = format_comparison(runs);
  EXPECT_NE(text.find("+2.00 +- 0.58"), std::string::npos) << text;  // 1 / sqrt(3)
  EXPECT_NE(text.find("+0.00 +- 0.00"), std::string::npos) << text;
  EXPECT_NE(text.find(" 30 |"), std::string::npos) << text;  // seconds of three runs
  // a run of "plus" without its pair does not count
  GptComparison alone = runs[1];
  alone.seed = 9;
  runs.push_back(alone);
  EXPECT_NE(format_comparison(runs).find("+2.00 +- 0.58"), std::string::npos);
  const TemporaryDirectory directory;
  write_comparison(directory.path(), {runs.begin(), runs.begin() + 6});
  EXPECT_TRUE(fs::exists(directory / "gpt-difference.svg"));
}

/// The model in bfloat16 learns too, holds what the strategy needs, and resumes bit for bit.
TEST(Gpt, InBfloat16LearnsAndIsResumed) {
  const Corpus corpus = tiny_corpus();
  auto options = tiny_options();
  options.bfloat16_model = true;
  options.steps = 60;
  options.lr = 0.01;
  for (const bool release : {false, true}) {
    options.release = release;
    const TemporaryDirectory directory;
    const auto run = [&](const char* place, bool resume, std::int64_t stop) {
      return train_gpt(corpus, strategy_arms({"light"})[0], options, directory / place, resume,
                       [&](std::int64_t done) {
                         if (done == stop) throw Stop();
                       });
    };
    const auto whole = run("whole", false, -1);
    EXPECT_LT(whole.validation_perplexity(), 0.7 * double(corpus.vocabulary));
    EXPECT_EQ(whole.bytes.weights, 2 * whole.parameters);
    // besides, a mark of four bytes for each 128 parameters of a tensor
    EXPECT_GE(whole.bytes.states, 6 * whole.parameters + 4 * whole.parameters / 128);
    EXPECT_LE(whole.bytes.states, 6 * whole.parameters + 4 * (whole.parameters / 128 + 16));
    EXPECT_LE(whole.bytes.gradients, (release ? 1 : 2) * whole.parameters);
    EXPECT_THROW(run("parts", false, 31), Stop);
    run("parts", true, -1);
    for (const char* file : {"weights.safetensors", "checkpoint.safetensors"})
      EXPECT_EQ(bytes_of(directory / "whole" / file), bytes_of(directory / "parts" / file));
  }
}

TEST(Gpt, RefusesWhatBelongsToAnotherRun) {
  const Corpus corpus = tiny_corpus();
  const TemporaryDirectory directory;
  auto options = tiny_options();
  options.steps = 4;
  options.warmup = 1;
  const auto train = [&](const char* strategy, bool resume) {
    train_gpt(corpus, strategy_arms({strategy})[0], options, directory / "run", resume,
              [](std::int64_t) {});
  };
  const auto message = [&](const char* strategy, bool resume) {
    return message_of<DomainError>([&] { train(strategy, resume); });
  };
  train("plus", false);
  EXPECT_NE(message("plus", false).find("--resume"), std::string::npos);
  EXPECT_NE(message("light", true).find("its strategy is \"plus\", expected \"light\""),
            std::string::npos);
  options.shape.width = 32;
  EXPECT_NE(message("plus", true).find("its width is 16, expected 32"), std::string::npos);
  // a checkpoint that was put there by hand
  const TemporaryDirectory other;
  train_gpt(corpus, strategy_arms({"plus"})[0], options, other / "run", false, [](std::int64_t) {});
  fs::copy_file(other / "run" / "checkpoint.safetensors",
                directory / "run" / "checkpoint.safetensors", fs::copy_options::overwrite_existing);
  options.shape.width = 16;
  EXPECT_NE(message_of<IoError>([&] { train("plus", true); }).find("checkpoint.safetensors"),
            std::string::npos);
}

/// What stands in the directory may come from anywhere: 100000 brackets overflowed the stack.
TEST(Gpt, BrokenDescriptionsAreNamed) {
  const Corpus corpus = tiny_corpus();
  const TemporaryDirectory directory;
  const auto message = [&](const std::string& description, const std::string& rows) {
    fs::create_directories(directory / "run");
    std::ofstream(directory / "run" / "run.json") << description;
    std::ofstream(directory / "run" / "metrics.jsonl") << rows;
    return message_of<IoError>([&] {
      open_run(directory / "run", {{"strategy", "plus"}}, true);
      load_rows(directory / "run", 2);
    });
  };
  const std::string good = R"({"strategy": "plus"})";
  const std::string deep =
      R"({"strategy": )" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_NE(message(deep, "").find("run.json': arrays and objects are nested"), std::string::npos);
  EXPECT_NE(message("{", "").find("run.json' is not valid JSON: parse error"), std::string::npos);
  const std::string rest =
      R"("train_loss": 1, "lost_percent": 1, "lost_v_percent": 1, "relative_descent_quality": 1})";
  EXPECT_NE(message(good, R"({"step": 1e300, )" + rest).find("metrics.jsonl:1: the step"),
            std::string::npos);
  EXPECT_NE(message(good, R"({"stop": 2, )" + rest).find("metrics.jsonl:1: key 'step'"),
            std::string::npos);
  EXPECT_EQ(message(good, R"({"step": 2, )" + rest), "");
}

TEST(Gpt, LearnsAndTheDataOrderDependsOnSeedAndStep) {
  const Corpus corpus = tiny_corpus();
  auto options = tiny_options();
  options.steps = 60;
  options.lr = 0.01;
  const auto result =
      train_gpt(corpus, strategy_arms({"light"})[0], options, "", false, [](std::int64_t) {});
  EXPECT_LT(result.validation_perplexity(), 0.7 * double(corpus.vocabulary));
  EXPECT_EQ(result.skipped_steps, 0);
  const auto batch = training_batch(corpus, 4, 8, 1, 3);
  EXPECT_EQ(batch.inputs, training_batch(corpus, 4, 8, 1, 3).inputs);
  EXPECT_NE(batch.inputs, training_batch(corpus, 4, 8, 1, 4).inputs);
  EXPECT_NE(batch.inputs, training_batch(corpus, 4, 8, 2, 3).inputs);
  for (std::size_t i = 0; i + 1 < 8; ++i) EXPECT_EQ(batch.inputs[i + 1], batch.targets[i]);
}

TEST(Corpus, Errors) {
  const TemporaryDirectory directory;
  EXPECT_NE(message_of<IoError>([&] { load_corpus(directory / "none", 8); }).find("none"),
            std::string::npos);
  EXPECT_THROW(load_corpus(directory / "", 8), IoError);
  EXPECT_NE(message_of<IoError>([] { load_corpus("/dev/zero", 8); }).find("not a regular file"),
            std::string::npos);
  const fs::path pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(message_of<IoError>([&] { load_corpus(pipe, 8); }).find("not a regular file"),
            std::string::npos);
  std::ofstream(directory / "long").close();
  fs::resize_file(directory / "long", (std::uint64_t(1) << 30) + 1);
  EXPECT_NE(message_of<IoError>([&] { load_corpus(directory / "long", 8); }).find("at most"),
            std::string::npos);
  std::ofstream(directory / "short") << "too short";
  EXPECT_NE(message_of<DomainError>([&] { load_corpus(directory / "short", 8); }).find("9 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::test
