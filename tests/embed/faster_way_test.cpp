// The way that was faster lately is taken, and the other one tried again.
#include "src/embed/faster_way.hpp"

#include <gtest/gtest.h>

namespace mct::embed {
namespace {

TEST(FasterWay, IsTakenAndTheOtherIsTriedAgain) {
  for (const bool team_is_faster : {true, false}) {
    FasterWay way;
    EXPECT_TRUE(way.by_team());
    way.took(true, team_is_faster ? 1 : 3);
    EXPECT_FALSE(way.by_team());
    way.took(false, 2);
    int of_the_other = 0;
    for (int run = 0; run < 4 * FasterWay::runs_between_trials; ++run) {
      const bool team = way.by_team();
      of_the_other += team != team_is_faster;
      way.took(team, team == team_is_faster ? 1 : 2);
    }
    EXPECT_EQ(of_the_other, 4);
    // others have come, or gone
    for (int run = 0; run < 2 * FasterWay::runs_between_trials; ++run) {
      const bool team = way.by_team();
      way.took(team, team == team_is_faster ? 9 : 1);
    }
    EXPECT_EQ(way.by_team(), !team_is_faster);
  }
}

}  // namespace
}  // namespace mct::embed
