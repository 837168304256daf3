// The suite's cases of the half-space: every case has an answer, and bad words of a replay a name.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "mctensor/error.hpp"
#include "validation/core/task.hpp"

namespace mct::validation {
namespace {

/// The distances of the representation of a number type.
std::unique_ptr<Task> distances_of(const std::string& type) {
  TaskList list;
  add_halfspace_tasks(list);
  for (auto& task : list)
    if (task->describe().type == type && task->describe().operation == "xmc_halfspace_dist")
      return std::move(task);
  throw DomainError(type);
}

void expect_no_violation(const std::string& type) {
  const auto task = distances_of(type);
  for (std::uint64_t block = 0; block < 4; ++block) {
    const BlockResult result = task->run(3, block, 150);
    EXPECT_EQ(result.violation_count, 0u) << result.worst_replay;
  }
}

TEST(HalfSpaceTask, EveryCaseIsWithinTheRangeOfItsType) {
  expect_no_violation("f32x2");
  expect_no_violation("f64x2");
}

TEST(HalfSpaceTask, BadWordsOfAReplayAreNamed) {
  const auto task = distances_of("f64x2");
  std::string report;
  EXPECT_TRUE(task->replay({"3", "0", "1"}, report));
  for (const std::string word : {"x", "1x", "-1", "", "99999999999999999999999"}) {
    try {
      task->replay({"3", word, "1"}, report);
      ADD_FAILURE() << word;
    } catch (const DomainError& error) {
      EXPECT_NE(std::string(error.what()).find("'" + word + "'"), std::string::npos);
    }
  }
  EXPECT_THROW(task->replay({"3", "1"}, report), DomainError);
}

}  // namespace
}  // namespace mct::validation
