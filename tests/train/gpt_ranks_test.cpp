// GPT runs on ranks that are threads: files, options, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_train.hpp"
#include "mctensor/error.hpp"
#include "tests/distributed/ranks_in_threads.hpp"
#include "tests/files.hpp"
#include "tests/train/tiny_gpt.hpp"

namespace mct::test {
namespace {

using namespace cli::train;
using mct::testing::bytes_of;
using mct::testing::message_of;
using mct::testing::on_ranks;
using mct::testing::TemporaryDirectory;
using Ranks = std::shared_ptr<distributed::Communicator>;
namespace fs = std::filesystem;

/// Parts of batches that nothing divides, for ranks to share.
GptOptions parted_options() {
  GptOptions options = tiny_options();
  options.shape.width = 32;
  options.steps = 12;
  options.batch = 5;
  options.validation_sequences = 7;
  options.micro_batch = 2;
  return options;
}

void train(const Corpus& corpus, const GptOptions& options, const char* strategy,
           const fs::path& place, int size) {
  const auto arm = strategy_arms({strategy})[0];
  if (size == 0) {
    train_gpt(corpus, arm, options, place, false, [](std::int64_t) {});
    return;
  }
  on_ranks(size, [&](const Ranks& ranks) {
    const auto result = train_gpt(
        corpus, arm, options, place, false, [](std::int64_t) {}, ranks);
    EXPECT_EQ(result.rows.back().step, options.steps);
  });
}

void expect_same(const fs::path& one, const fs::path& other) {
  for (const char* file :
       {"weights.safetensors", "checkpoint.safetensors", "metrics.jsonl", "run.json"})
    EXPECT_TRUE(bytes_of(one / file) == bytes_of(other / file)) << file << " in " << other;
}

TEST(GptRanks, AnyNumberHasTheSameFiles) {
  const Corpus corpus = tiny_corpus();
  const TemporaryDirectory directory;
  train(corpus, parted_options(), "plus", directory / "alone", 0);
  for (const int size : {1, 2, 3, 4}) {
    const auto place = directory / std::to_string(size);
    train(corpus, parted_options(), "plus", place, size);
    expect_same(directory / "alone", place);
  }
}

TEST(GptRanks, AModelOfBfloat16) {
  const Corpus corpus = tiny_corpus();
  const TemporaryDirectory directory;
  GptOptions options = parted_options();
  options.bfloat16_model = true;
  train(corpus, options, "residual-states", directory / "alone", 0);
  train(corpus, options, "residual-states", directory / "3", 3);
  expect_same(directory / "alone", directory / "3");
}

/// A micro-batch that is the batch has nearly the losses of whole batches: the gradient is scaled
/// elsewhere.
TEST(GptRanks, OneMicroBatchIsNearlyTheBatch) {
  const Corpus corpus = tiny_corpus();
  const auto arm = strategy_arms({"master"})[0];
  GptOptions options = parted_options();
  options.micro_batch = options.batch;
  const auto parts = train_gpt(corpus, arm, options, "", false, [](std::int64_t) {});
  options.micro_batch = 0;
  const auto whole = train_gpt(corpus, arm, options, "", false, [](std::int64_t) {});
  EXPECT_NEAR(parts.rows.back().train_loss, whole.rows.back().train_loss, 1e-2);
  EXPECT_NEAR(parts.rows.back().validation_loss.value(), whole.rows.back().validation_loss.value(),
              1e-2);
}

TEST(GptRanks, RefuseWhatDoesNotGoTogether) {
  const Corpus corpus = tiny_corpus();
  const auto arm = strategy_arms({"plus"})[0];
  GptOptions options = parted_options();
  options.release = true;
  const auto run = [&] { train_gpt(corpus, arm, options, "", false, [](std::int64_t) {}); };
  EXPECT_THROW(run(), DomainError);
  options.release = false;
  options.micro_batch = 0;
  options.compressed_gradients = true;
  EXPECT_THROW(run(), DomainError);
}

/// A run of micro-batches is not one of whole batches, either way.
TEST(GptRanks, MicroBatchesBelongToTheRun) {
  const TemporaryDirectory directory;
  const Corpus corpus = tiny_corpus();
  const auto arm = strategy_arms({"plus"})[0];
  GptOptions whole = parted_options();
  whole.micro_batch = 0;
  const auto parts = describe_run(corpus, arm, parted_options());
  const auto batches = describe_run(corpus, arm, whole);
  EXPECT_FALSE(batches.contains("micro_batch"));
  open_run(directory / "parts", parts, false);
  open_run(directory / "whole", batches, false);
  EXPECT_NE(message_of<DomainError>([&] {
              open_run(directory / "parts", batches, true);
            }).find("its micro_batch is 2, expected none"),
            std::string::npos);
  EXPECT_NE(message_of<DomainError>([&] {
              open_run(directory / "whole", parts, true);
            }).find("its micro_batch is missing, expected 2"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::test
