// The suite's cases of the half-space: every case has an answer, and bad words of a replay a name.
#include "validation/geometry/halfspace_task.hpp"

#include <gtest/gtest.h>

#include "validation/geometry/models.hpp"

namespace mct::validation {
namespace {

template <class Space, class T, int M>
void expect_no_violation(double reach) {
  const HalfSpaceTask<Space, T, M> task(HalfSpaceCheck::dist, "dist", "x", reach);
  for (std::uint64_t block = 0; block < 4; ++block) {
    const BlockResult result = task.run(3, block, 150);
    EXPECT_EQ(result.violation_count, 0u) << result.worst_replay;
  }
}

TEST(HalfSpaceTask, EveryCaseIsWithinTheRangeOfItsType) {
  expect_no_violation<geometry::XmcHalfSpace<float, 2>, float, 2>(60);
  expect_no_violation<geometry::XmcHalfSpace<double, 2>, double, 2>(600);
}

TEST(HalfSpaceTask, BadWordsOfAReplayAreNamed) {
  const HalfSpaceTask<geometry::XmcHalfSpace<double, 2>, double, 2> task(HalfSpaceCheck::dist,
                                                                         "dist", "f64x2", 600);
  std::string report;
  EXPECT_TRUE(task.replay({"3", "0", "1"}, report));
  for (const std::string word : {"x", "1x", "-1", "", "99999999999999999999999"}) {
    try {
      task.replay({"3", word, "1"}, report);
      ADD_FAILURE() << word;
    } catch (const DomainError& error) {
      EXPECT_NE(std::string(error.what()).find("'" + word + "'"), std::string::npos);
    }
  }
  EXPECT_THROW(task.replay({"3", "1"}, report), DomainError);
}

}  // namespace
}  // namespace mct::validation
