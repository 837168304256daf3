// Rounds of work that threads share: every piece once, whoever works on it; what fails is told.
#include "src/embed/shared_rounds.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "mctensor/base/environment.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

TEST(SharedRounds, EveryPieceIsWorkedOnOnce) {
  for (const int threads : {1, 2, 5}) {
    SharedRounds rounds;
    rounds.run(threads, [&] {
      for (int round = 0; round < 2000; ++round) {
        const int pieces = round % 7;
        std::vector<int> visits(7, 0);
        std::vector<int> by(7, 0);
        bool exact[7] = {};
        rounds.round(pieces, [&](int piece, int thread) {
          ++visits[std::size_t(piece)];
          by[std::size_t(piece)] = thread;
          exact[piece] = environment_is_exact();
        });
        for (int i = 0; i < 7; ++i) {
          ASSERT_EQ(visits[std::size_t(i)], i < pieces ? 1 : 0) << threads << ", " << round;
          ASSERT_TRUE(by[std::size_t(i)] >= 0 && by[std::size_t(i)] < threads);
          ASSERT_EQ(exact[i], i < pieces) << threads << ", " << by[std::size_t(i)];
        }
      }
    });
  }
}

// A round needs no thread but the leader: where the others get no processor it does all.
TEST(SharedRounds, NobodyIsWaitedForWhoHasNotBegun) {
  SharedRounds rounds;
  std::vector<int> by(64, -1);
  rounds.run(3, [&] {
    rounds.round(64, [&](int piece, int thread) {
      by[std::size_t(piece)] = thread;
      if (thread != 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    });
  });
  int of_others = 0;
  for (const int thread : by) of_others += thread != 0;
  EXPECT_LT(of_others, 32);  // even if the leader is kept from working for a while
}

TEST(SharedRounds, WhatAPieceThrowsTheRoundThrows) {
  for (const int threads : {1, 3}) {
    SharedRounds rounds;
    const std::string message = testing::message_of<std::runtime_error>([&] {
      rounds.run(threads, [&] {
        rounds.round(9, [](int piece, int) {
          if (piece == 4) throw std::runtime_error("the fifth");
        });
        ADD_FAILURE() << "the round has not failed";
      });
    });
    EXPECT_EQ(message, "the fifth");
    int worked = 0;  // and it may be used again
    rounds.run(threads, [&] { rounds.round(1, [&](int, int) { ++worked; }); });
    EXPECT_EQ(worked, 1);
  }
}

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
