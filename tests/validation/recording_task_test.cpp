// What every task records: the worst case, some violations, and lines that repeat a case.
#include "validation/core/recording_task.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"

namespace mct::validation {
namespace {

using mct::testing::message_of;

/// Case i has these errors in turn; so many are computed at a time.
class Sequence final : public NumberedTask {
 public:
  Sequence(std::vector<double> errors, int width, std::uint64_t together = 1)
      : NumberedTask("f0x1", "sequence"),
        errors_(std::move(errors)),
        width_(width),
        together_(together) {}

  OperationResult describe() const override { return {}; }
  double weight() const override { return 1; }
  std::uint64_t stream(std::uint64_t block) const { return stream_of(block); }

 protected:
  std::vector<Outcome> check(const Case& first, std::uint64_t count) const override {
    EXPECT_EQ(first.number % together_, 0u);
    std::vector<Outcome> outcomes;
    for (std::uint64_t i = 0; i < count; ++i) {
      outcomes.push_back(within_bound(errors_[(first.number + i) % errors_.size()]));
      outcomes.back().exponent = -1;
    }
    return outcomes;
  }
  std::uint64_t cases_together() const override { return together_; }
  std::size_t category_of(const Case& c) const override { return c.number % 2; }
  int width_of_bins() const override { return width_; }

 private:
  std::vector<double> errors_;
  int width_;
  std::uint64_t together_;
};

TEST(RecordingTask, TheFirstOfTheWorstIsKept) {
  const BlockResult result = Sequence({0, 0.5, 0.75, 0.75, 0.25}, 8).run(7, 3, 5);
  EXPECT_EQ(result.errors.cases, 5u);
  EXPECT_EQ(result.errors.max_error, 0.75);
  EXPECT_EQ(result.worst_replay, "f0x1 sequence 7 3 2");
  EXPECT_EQ(result.violation_count, 0u);
  EXPECT_EQ(result.by_category[0].cases, 3u);
  ASSERT_EQ(result.by_exponent.size(), 1u);
  EXPECT_EQ(result.by_exponent.begin()->first, -8);
  EXPECT_TRUE(Sequence({0.5}, 0).run(7, 3, 5).by_exponent.empty());
}

TEST(RecordingTask, BatchesChangeNothing) {
  const Sequence one({0, 0.5, 2, 0.75, 0.25}, 8), batches({0, 0.5, 2, 0.75, 0.25}, 8, 4);
  const BlockResult a = one.run(7, 3, 14), b = batches.run(7, 3, 14);
  EXPECT_EQ(b.errors.cases, 14u);
  EXPECT_EQ(b.errors.sum_error, a.errors.sum_error);
  EXPECT_EQ(b.by_category[1].sum_error, a.by_category[1].sum_error);
  EXPECT_EQ(b.worst_replay, "f0x1 sequence 7 3 2");
  ASSERT_EQ(b.violations.size(), a.violations.size());
  EXPECT_EQ(b.violations.back().replay, a.violations.back().replay);
  for (const char* number : {"0", "6", "7", "12"}) {
    std::string of_one, of_batch;
    EXPECT_EQ(batches.replay({"7", "3", number}, of_batch), one.replay({"7", "3", number}, of_one));
    EXPECT_EQ(of_batch, of_one);
  }
}

TEST(RecordingTask, NanIsTheWorstAndAViolation) {
  const BlockResult result = Sequence({0.5, NAN, 0.25}, 8).run(7, 3, 3);
  EXPECT_EQ(result.worst_replay, "f0x1 sequence 7 3 1");
  EXPECT_EQ(result.violation_count, 1u);
}

TEST(RecordingTask, ViolationsAreCountedAndFiveAreKept) {
  const BlockResult result = Sequence({2}, 8).run(7, 3, 100);
  EXPECT_EQ(result.violation_count, 100u);
  ASSERT_EQ(result.violations.size(), 5u);
  EXPECT_EQ(result.violations[4].replay, "f0x1 sequence 7 3 4");
}

TEST(RecordingTask, ReplaySaysWhatItFound) {
  const Sequence task({0.5, 2}, 8);
  std::string report;
  EXPECT_TRUE(task.replay({"7", "3", "0"}, report));
  EXPECT_EQ(report, "error     0.5 of the bound: within it\n");
  EXPECT_FALSE(task.replay({"7", "3", "1"}, report));
  EXPECT_NE(message_of<DomainError>([&] {
              task.replay({"7", "3"}, report);
            }).find("got 2 words"),
            std::string::npos);
}

/// The cases of a seed must stay what they are: reports name them.
TEST(RecordingTask, StreamsAreThoseOfFnv1a) {
  EXPECT_EQ(hash32(""), 0x811c9dc5u);
  EXPECT_EQ(hash32("foobar"), 0xbf9cf968u);
  EXPECT_EQ(hash64("foobar"), 0x85944171f73967e8u);
  EXPECT_EQ(Sequence({0}, 0).stream(5), std::uint64_t(hash32("f0x1 sequence")) << 32 | 5);
}

}  // namespace
}  // namespace mct::validation
